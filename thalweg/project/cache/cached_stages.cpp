#include "thalweg/project/cache/cached_stages.hpp"

#include "thalweg/project/cache/stage_keys.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace thalweg {
namespace {

constexpr std::string_view kMeasured = "-measured";  // behind the key of a result whose diagnostics were

using Contents = std::optional<std::map<std::string, KeptDataset>>;  // nothing: no result is kept

/// Of the stages before `stage` the one that left the dataset, where that can't be had but by running it.
std::optional<std::size_t> stage_to_run_for(const std::string& dataset, std::size_t stage,
                                            const std::vector<Contents>& kept) {
    while (stage-- > 0) {
        if (!kept[stage]) continue;  // runs anyhow; whether it leaves the dataset is not known
        const auto found = kept[stage]->find(dataset);
        if (found == kept[stage]->end()) continue;
        return found->second == KeptDataset::WithoutSource ? std::optional(stage) : std::nullopt;
    }
    return std::nullopt;
}

/// Names of the datasets that stages before `stage` have left with their results.
std::set<std::string> kept_before(std::size_t stage, const std::vector<Contents>& kept) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < stage; ++i)
        if (kept[i])
            for (const auto& [name, dataset] : *kept[i]) names.insert(name);
    return names;
}

/// The report of a kept result, and how long that took to read.
StageReport report_of_kept(const StageUse& use, StageReport kept, double milliseconds) {
    StageReport report = begin_report(use);
    report.is_from_cache = true;
    report.diagnostics = std::move(kept.diagnostics);
    report.diagnostics.phases_ms = {{kReadingPhase, milliseconds}};
    set_repeats(report, {kept.solve_ms});
    return report;
}

}  // namespace

CachedStages::CachedStages(const Project& project, std::size_t end, bool is_measured, StageCache& cache)
    : project_(project), end_(end), is_measured_(is_measured), cache_(cache) {
    FileHashes files;
    keys_ = keys_of(project, files).stages;
    for (std::size_t stage = 0; stage < keys_.size(); ++stage) {
        if (!project.stages[stage].stage->measures) continue;
        const std::string measured = keys_[stage] + std::string(kMeasured);
        if (is_measured || cache.contents(measured)) keys_[stage] = measured;
    }
}

std::vector<bool> CachedStages::stages_to_run() {
    std::vector<Contents> kept(keys_.size());
    for (std::size_t stage = 0; stage < end_; ++stage)
        if (!damaged_.contains(keys_[stage])) kept[stage] = cache_.contents(keys_[stage]);
    std::vector<bool> runs;
    for (const Contents& contents : kept) runs.push_back(!contents);
    for (std::size_t stage = keys_.size(); stage-- > 0;) {
        if (!runs[stage]) continue;
        for (const std::string& input : inputs_of(project_.stages[stage], kept_before(stage, kept)))
            if (const auto before = stage_to_run_for(input, stage, kept)) runs[*before] = true;
    }
    return runs;
}

std::optional<StageResult> CachedStages::take(std::size_t stage) {
    const Stopwatch watch;
    std::optional<StageResult> result = cache_.load(keys_[stage]);
    if (result)
        result->report =
            report_of_kept(project_.stages[stage], std::move(result->report), watch.milliseconds());
    else
        give_up(stage);
    return result;
}

void CachedStages::give_up(std::size_t stage) {
    std::string& key = keys_[stage];
    if (!is_measured_ && key.ends_with(kMeasured))
        key.resize(key.size() - kMeasured.size());
    else
        damaged_.insert(key);
}

void CachedStages::keep(std::size_t stage, const StageResult& result) {
    StageResult kept = result;
    for (const std::string& name : project_.stages[stage].stage->intermediates) kept.datasets.erase(name);
    cache_.store(keys_[stage], kept);
    stored_.insert(keys_[stage]);
}

bool CachedStages::has_kept() const {
    return std::ranges::any_of(stored_, [&](const std::string& key) { return cache_.has(key); });
}

}  // namespace thalweg
