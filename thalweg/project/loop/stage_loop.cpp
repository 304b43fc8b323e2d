#include "thalweg/project/loop/stage_loop.hpp"

#include "thalweg/project/stage_grids.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace thalweg {
namespace {

/// Which stages of the project run.
std::vector<bool> stages_to_run(const Project& project, const StageLoop& loop) {
    if (loop.results != nullptr) return loop.results->stages_to_run();
    return std::vector<bool>(project.stages.size(), true);
}

/// The share of the loop's progress of each stage that runs.
double share_of_one(const std::vector<bool>& runs, const StageLoop& loop) {
    const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(loop.begin);
    const auto end = runs.begin() + static_cast<std::ptrdiff_t>(loop.end);
    return 1.0 / std::max(1.0, static_cast<double>(std::count(begin, end, true)));
}

/// Takes out what only saves later stages work, behind the last of those.
void drop_intermediates(const Project& project, std::size_t stage, Landscape& landscape) {
    const WantedLayers wanted = wanted_layers(project, stage);
    for (std::size_t i = 0; i <= stage; ++i)
        for (const std::string& name : project.stages[i].stage->intermediates)
            if (!wanted.has(name)) landscape.datasets.erase(name);
}

/// Makes notes on cells, where the landscape keeps those of the stage to its end, notes as all others.
StageReport with_cell_notes(const Project& project, std::size_t stage, StageReport report) {
    std::vector<std::string> notes = std::exchange(report.diagnostics.cell_notes, {});
    const auto behind = project.stages.begin() + static_cast<std::ptrdiff_t>(stage) + 1;
    const auto changes_grid = [](const StageUse& use) { return use.stage->grid_after != nullptr; };
    if (std::none_of(behind, project.stages.end(), changes_grid))
        std::ranges::move(notes, std::back_inserter(report.diagnostics.notes));
    return report;
}

}  // namespace

StageResult StageResults::run(std::size_t, const StageUse& use, const StageRun& how, Landscape& landscape,
                              Progress& progress) {
    return run_stage_noted(use, how, landscape, progress);
}

std::vector<StageReport> run_stages(const Project& project, const StageLoop& loop, Landscape& landscape,
                                    Progress& progress) {
    StageResults* const results = loop.results;
    // A copy keeps stages from changing layers in their place: only where one may be needed.
    const std::optional<Landscape> start = results != nullptr ? std::optional(landscape) : std::nullopt;
    const std::vector<bool> runs = stages_to_run(project, loop);
    const double share = share_of_one(runs, loop);
    double done = 0.0;
    std::vector<StageReport> reports;
    for (std::size_t i = loop.begin; i < loop.end; ++i) {
        if (runs[i]) {
            ProgressPart part(progress, done, std::min(1.0, done + share));
            done += share;
            const StageRun how{project.base_directory.string(), loop.is_measured,
                               loop.gives_all_layers ? WantedLayers() : wanted_layers(project, i)};
            if (results == nullptr) {
                reports.push_back(
                    with_cell_notes(project, i, run_stage(project.stages[i], how, landscape, part)));
            } else {
                StageResult result = results->run(i, project.stages[i], how, landscape, part);
                results->keep(i, result);
                reports.push_back(with_cell_notes(project, i, std::move(result.report)));
            }
        } else if (std::optional<StageResult> result = results->take(i)) {
            take_result(*result, landscape);
            landscape.grid = grid_after(project.stages[i], landscape.grid);
            reports.push_back(with_cell_notes(project, i, std::move(result->report)));
        } else {
            // Begin again, without the result that was lost.
            landscape = *start;
            return run_stages(project, loop, landscape, progress);
        }
        drop_intermediates(project, i, landscape);
    }
    return reports;
}

}  // namespace thalweg
