#include "cli/verbs/verbs.hpp"

namespace thalweg::cli {

std::vector<Verb> all_verbs() {
    std::vector<Verb> verbs = {build_verb(),    new_verb(),     info_verb(),          render_verb(),
                               describe_verb(), compare_verb(), validate_river_verb()};
    for (const Stage& stage : stage_registry()) verbs.push_back(stage_verb(stage));
    verbs.push_back(cache_verb());
    verbs.push_back(stages_verb());
    verbs.push_back(completion_verb());
    return verbs;
}

}  // namespace thalweg::cli
