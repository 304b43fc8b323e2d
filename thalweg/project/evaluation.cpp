#include "thalweg/project/evaluation.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/project/stage_keys.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {
namespace {

std::optional<Dataset> dataset_of(const Landscape& landscape, const std::string& name) {
    const auto found = landscape.datasets.find(name);
    return found == landscape.datasets.end() ? std::nullopt : std::optional(found->second);
}

/// Runs a stage and notes what it has left. A dataset that it neither looked at nor made is none of its
/// results.
StageResult run_noted(const StageUse& use, const StageRun& how, Landscape& landscape, Progress& progress) {
    const std::set<std::string> inputs = inputs_of(use);
    const Landscape before = landscape;
    StageResult result;
    result.report = run_stage(use, how, landscape, progress);
    for (const std::string& name : outputs_of(use)) {
        std::optional<Dataset> after = dataset_of(landscape, name);
        const std::optional<Dataset> given = dataset_of(before, name);
        const bool is_as_given =
            after && given ? after->shares_with(*given) : after.has_value() == given.has_value();
        if (inputs.contains(name) || !is_as_given) result.datasets.emplace(name, std::move(after));
    }
    return result;
}

void take_result(const StageResult& result, Landscape& landscape) {
    for (const auto& [name, dataset] : result.datasets) {
        if (dataset)
            landscape.datasets.insert_or_assign(name, *dataset);
        else
            landscape.datasets.erase(name);
    }
}

std::int64_t bytes_of_layers(const StageResult& result) {
    std::int64_t cells = 0;
    for (const auto& [name, dataset] : result.datasets)
        if (const Layer* const layer = dataset ? dataset->as<Layer>() : nullptr)
            cells += layer->values.size();
    return cells * static_cast<std::int64_t>(sizeof(float));
}

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
    const std::vector<std::string> keys = stage_keys(project);
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
            StageResult result = run_noted(
                use, {project.base_directory.string(), false, wanted_layers(project, i)}, working, part);
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
