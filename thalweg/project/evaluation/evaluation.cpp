#include "thalweg/project/evaluation.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/project/cache/stage_keys.hpp"
#include "thalweg/project/loop/stage_loop.hpp"
#include "thalweg/project/verb_start.hpp"

#include <algorithm>

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

/// What an evaluation has kept, for the stages of one project.
class Evaluation::Results final : public StageResults {
  public:
    Results(Evaluation& evaluation, const Project& project, FileHashes& files)
        : evaluation_(evaluation), project_(project), keys_(keys_of(project, files)) {}

    std::vector<bool> stages_to_run() override {
        std::vector<bool> runs;
        for (const std::string& key : keys_.stages) runs.push_back(!evaluation_.kept_.contains(key));
        return runs;
    }

    std::optional<StageResult> take(std::size_t stage) override {
        Kept& kept = evaluation_.kept_.at(keys_.stages[stage]);
        kept.used = evaluation_.evaluations_;
        StageResult result = kept.result;
        result.report.label = project_.stages[stage].label;
        return result;
    }

    StageResult run(std::size_t stage, const StageUse& use, const StageRun& how, Landscape& landscape,
                    Progress& progress) override {
        if (!use.stage->at_times) return run_stage_noted(use, how, landscape, progress);
        return evaluation_.timed_.run(use, how, keys_.timeless[stage], landscape, progress);
    }

    void keep(std::size_t stage, const StageResult& result) override {
        evaluation_.kept_.emplace(keys_.stages[stage],
                                  Kept{result, bytes_of_layers(result), evaluation_.evaluations_});
    }

    [[nodiscard]] const ProjectKeys& keys() const { return keys_; }

  private:
    Evaluation& evaluation_;
    const Project& project_;
    ProjectKeys keys_;
};

std::vector<std::string> Evaluation::stale(const Project& project) const {
    FileHashes files;
    const std::vector<std::string> keys = keys_of(project, files).stages;
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (!kept_.contains(keys[i])) labels.push_back(project.stages[i].label);
    return labels;
}

bool Evaluation::has_results(const ProjectKeys& keys) const {
    return std::ranges::all_of(keys.stages, [&](const std::string& key) { return kept_.contains(key); });
}

Evaluated Evaluation::evaluate(const Project& project, const Execution& execution) {
    FileHashes files;
    return evaluate(project, execution, files);
}

Evaluated Evaluation::evaluate(const Project& project, const Execution& execution, FileHashes& files) {
    const ExecutionScope scope(execution);
    SilentProgress silent;
    Progress& progress = execution.progress != nullptr ? *execution.progress : silent;
    ++evaluations_;
    Results results(*this, project, files);
    Evaluated evaluated;
    const std::vector<bool> runs = results.stages_to_run();
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (runs[i]) evaluated.ran.push_back(project.stages[i].label);
    if (!project.start || start_key_ != results.keys().start) start_ = start_of(project);
    start_key_ = results.keys().start;
    evaluated.landscape = start_.landscape;
    evaluated.reports =
        run_stages(project, {.end = project.stages.size(), .is_measured = false, .results = &results},
                   evaluated.landscape, progress);
    if (!evaluated.reports.empty()) put_notes_first(evaluated.reports.front(), start_.notes);
    forget();
    timed_.forget_all_but(results.keys().timeless, project.grid);
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
