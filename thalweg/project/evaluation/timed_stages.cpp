#include "thalweg/project/timed_stages.hpp"

#include "thalweg/project/stage_time.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

using Body = std::function<void(const void* parameters, StageContext& context)>;

/// Runs the stage with another body.
StageResult run_body(const StageUse& use, const Body& body, const StageRun& how, Landscape& landscape,
                     Progress& progress) {
    Stage stage = *use.stage;
    stage.run = body;
    return run_stage_noted({&stage, use.label, use.parameters, use.position}, how, landscape, progress);
}

}  // namespace

StageResult TimedStages::run(const StageUse& use, const StageRun& how, const std::string& key,
                             Landscape& landscape, Progress& progress) {
    const auto [found, is_new] = prepared_.try_emplace(key);
    Prepared& prepared = found->second;
    prepared.grid = landscape.grid;
    if (is_new) return run_stage_noted(use, how, landscape, progress);
    if (!prepared.at_time) {
        StageAtTime at_time;
        const auto prepare = [&](const void* parameters, StageContext& context) {
            at_time = use.stage->at_times(parameters, context);
        };
        Landscape working = landscape;
        prepared.left = run_body(use, prepare, how, working, progress);
        prepared.at_time = std::move(at_time);
    }
    const double time = time_of(*use.stage, use.parameters.get());
    const auto run_at_time = [&](const void*, StageContext& context) {
        take_result(prepared.left, context.landscape);
        prepared.at_time(time, context);
    };
    StageResult result = run_body(use, run_at_time, how, landscape, progress);
    std::vector<std::string>& notes = result.report.diagnostics.notes;
    const std::vector<std::string>& first = prepared.left.report.diagnostics.notes;
    notes.insert(notes.begin(), first.begin(), first.end());
    return result;
}

void TimedStages::forget_all_but(const std::vector<std::string>& keys, const Grid& grid) {
    std::erase(grids_, grid);
    grids_.insert(grids_.begin(), grid);
    if (grids_.size() > kMostGrids) grids_.resize(kMostGrids);
    std::erase_if(prepared_, [&](const auto& entry) {
        const bool is_present = std::ranges::find(keys, entry.first) != keys.end();
        const bool is_of_another_level =
            entry.second.grid != grid && std::ranges::find(grids_, entry.second.grid) != grids_.end();
        return !is_present && !is_of_another_level;
    });
}

}  // namespace thalweg
