#include "thalweg/project/cache/cached_stages.hpp"

#include "thalweg/project/stage_keys.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_result.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace thalweg {
namespace {

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

std::vector<bool> stages_to_run(const Project& project, const std::vector<std::string>& keys,
                                const StageCache& cache, const std::set<std::string>& damaged) {
    std::vector<Contents> kept;
    for (const std::string& key : keys)
        kept.push_back(damaged.contains(key) ? std::nullopt : cache.contents(key));
    std::vector<bool> runs;
    for (const Contents& contents : kept) runs.push_back(!contents);
    for (std::size_t stage = keys.size(); stage-- > 0;) {
        if (!runs[stage]) continue;
        for (const std::string& input : inputs_of(project.stages[stage]))
            if (const auto before = stage_to_run_for(input, stage, kept)) runs[*before] = true;
    }
    return runs;
}

StageReport report_of_kept(const StageUse& use, const StageResult& result, double milliseconds) {
    StageReport report = result.report;
    report.stage = use.stage->name;
    report.label = use.label;
    report.is_from_cache = true;
    report.parameters = use.stage->parameters->values(use.parameters.get());
    report.diagnostics.phases_ms = {{kReadingPhase, milliseconds}};
    report.repeats_ms = {report.solve_ms};
    return report;
}

/// Nothing where a kept result has turned out to be damaged; its key is then among `damaged`.
std::optional<std::vector<StageReport>> run_or_load(const Project& project, bool is_measured,
                                                    StageCache& cache, std::set<std::string>& damaged,
                                                    Landscape& landscape, Progress& progress) {
    const std::vector<std::string> keys = stage_keys(project);
    const std::vector<bool> runs = stages_to_run(project, keys, cache, damaged);
    const double share = 1.0 / std::max(1.0, static_cast<double>(std::ranges::count(runs, true)));
    double done = 0.0;
    std::vector<StageReport> reports;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const StageUse& use = project.stages[i];
        if (!runs[i]) {
            const Stopwatch watch;
            const std::optional<StageResult> result = cache.load(keys[i]);
            if (!result) {
                damaged.insert(keys[i]);
                return std::nullopt;
            }
            take_result(*result, landscape);
            reports.push_back(report_of_kept(use, *result, watch.milliseconds()));
            continue;
        }
        ProgressPart part(progress, done, std::min(1.0, done + share));
        const StageRun how{project.base_directory.string(), is_measured, wanted_layers(project, i)};
        StageResult result = run_stage_noted(use, how, landscape, part);
        cache.store(keys[i], result);
        reports.push_back(std::move(result.report));
        done += share;
    }
    return reports;
}

}  // namespace

std::vector<StageReport> run_stages_cached(const Project& project, bool is_measured, StageCache& cache,
                                           Landscape& landscape, Progress& progress) {
    const Landscape empty = landscape;
    std::set<std::string> damaged;
    for (;;) {
        if (auto reports = run_or_load(project, is_measured, cache, damaged, landscape, progress))
            return *std::move(reports);
        landscape = empty;
    }
}

}  // namespace thalweg
