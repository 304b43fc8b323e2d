#include "thalweg/project/evaluation.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/project/stage_keys.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {
namespace {

/// Names of what one of the two has and the other has not, or has otherwise.
std::set<std::string> changed_between(const std::map<std::string, Dataset>& before,
                                      const std::map<std::string, Dataset>& after) {
    std::set<std::string> changed;
    for (const auto& [name, dataset] : after) {
        const auto found = before.find(name);
        if (found == before.end() || !found->second.shares_with(dataset)) changed.insert(name);
    }
    for (const auto& [name, dataset] : before)
        if (!after.contains(name)) changed.insert(name);
    return changed;
}

}  // namespace

std::vector<std::string> Evaluation::stale(const Project& project) const {
    const std::vector<std::string> keys = stage_keys(project);
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (!kept_.contains(keys[i])) labels.push_back(project.stages[i].label);
    return labels;
}

Evaluated Evaluation::evaluate(const Project& project, Progress& progress) {
    const AnswersTo answers(progress);
    const ProjectKeys all_keys = keys_of(project);
    const std::vector<std::string>& keys = all_keys.stages;
    const auto is_kept = [&](const std::string& key) { return kept_.contains(key); };
    const double share = 1.0 / std::max(1.0, static_cast<double>(keys.size()) -
                                                 static_cast<double>(std::ranges::count_if(keys, is_kept)));
    ++evaluations_;
    Evaluated evaluated;
    evaluated.landscape.grid = project.grid;
    evaluated.landscape.seed = project.seed;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const StageUse& use = project.stages[i];
        if (!is_kept(keys[i])) {
            const double done = share * static_cast<double>(evaluated.ran.size());
            ProgressPart part(progress, done, std::min(1.0, done + share));
            Landscape working = evaluated.landscape;
            const StageRun how{project.base_directory.string(), false, wanted_layers(project, i)};
            StageResult result = use.stage->at_times
                                     ? timed_.run(use, how, all_keys.timeless[i], working, part)
                                     : run_stage_noted(use, how, working, part);
            const std::int64_t bytes = bytes_of_layers(result);
            kept_.emplace(keys[i], Kept{std::move(result), bytes, evaluations_});
            evaluated.ran.push_back(use.label);
        }
        Kept& kept = kept_.at(keys[i]);
        kept.used = evaluations_;
        take_result(kept.result, evaluated.landscape);
        evaluated.reports.push_back(kept.result.report);
        evaluated.reports.back().label = use.label;
    }
    forget();
    timed_.forget_all_but(all_keys.timeless, project.grid);
    evaluated.changed = changed_between(last_, evaluated.landscape.datasets);
    last_ = evaluated.landscape.datasets;
    return evaluated;
}

void Evaluation::forget() {
    std::int64_t bytes = 0;
    for (const auto& [key, kept] : kept_) bytes += kept.bytes;
    while (bytes > kept_bytes_) {
        const auto oldest =
            std::ranges::min_element(kept_, {}, [](const auto& entry) { return entry.second.used; });
        if (oldest->second.used == evaluations_) return;
        bytes -= oldest->second.bytes;
        kept_.erase(oldest);
    }
}

}  // namespace thalweg
