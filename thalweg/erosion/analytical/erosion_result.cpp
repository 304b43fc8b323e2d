#include "thalweg/erosion/analytical/erosion_result.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/sparse_loops.hpp"
#include "thalweg/erosion/analytical/erosion_diagnostics.hpp"
#include "thalweg/erosion/levels/unresolved_relief.hpp"
#include "thalweg/erosion/network/kept_descent.hpp"
#include "thalweg/erosion/transfer/plane_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 15;

/// Plain lattices remain others' (the paper's, Braun and Willett's); slopes that are prescribed hold from
/// cell to cell; and without hillslopes the law has rivers alone.
bool has_unresolved_relief(const ErosionParameters& parameters) {
    return std::isinf(parameters.time) && parameters.lattice == ErosionLattice::Mesh &&
           parameters.slope_classes.empty() && parameters.law.hillslope && parameters.hillside_relief > 0.0;
}

/// Adds it on the network that the terrain was solved on, whose cells stay above their receivers.
void add_relief(const SolvedTerrain& solved, const ErosionParameters& parameters, const ErosionRun& run,
                Field<float>& elevation) {
    const std::vector<float>& uplift = solved.level.uplift;
    const bool is_even = solved.level.erodibility.empty() &&
                         std::ranges::adjacent_find(uplift, std::not_equal_to<>()) == uplift.end();
    const Field<float> before = is_even ? Field<float>() : elevation;
    add_unresolved_relief(solved.level,
                          {parameters.law, parameters.slope_exponent, parameters.hillside_relief},
                          solved.area, elevation);
    if (!is_even) keep_descent(solved.scratch.tree, before, elevation, run.progress);
}

Field<float> at_centres(const Field<float>& values, const ErosionLevel& level, const ErosionRun& run) {
    if (!level.lattice.displaced()) return values;
    const PhaseTimer timer(run.phases, "resampling");
    return resample_to_centres(values, level.lattice, kResampleWidth, run.progress);
}

/// m, of what lies below the start that the rock has raised for `years`.
Field<float> net_erosion(const Field<float>& start, const ErosionLevel& level, double years,
                         const ErosionProblem& problem, const ErosionRun& run,
                         const Field<float>& elevation) {
    Field<float> eroded = problem.inputs.uplift(problem.inputs.grid, run.progress);
    parallel_for(0, eroded.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const double risen = level.roots[cell] != 0 ? 0.0 : static_cast<double>(eroded[cell]) * years;
            const double uplifted = static_cast<double>(start[cell]) + risen;
            eroded[cell] = static_cast<float>(uplifted - static_cast<double>(elevation[cell]));
        }
    });
    return eroded;
}

/// `area` (m^2) of the nodes as that of their cells; no data where there is no elevation.
Field<float> area_of_cells(std::span<const float> area, const Field<float>& elevation) {
    Field<float> cells(elevation.grid());
    parallel_for(0, cells.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            cells[cell] = is_no_data(elevation[cell]) ? kNoData : area[at(cell)];
    });
    return cells;
}

Field<float> eroded_elevation(const SolvedTerrain& solved, const InitialGround& ground,
                              const ErosionProblem& problem, const ErosionRun& run) {
    Field<float> elevation = at_centres(solved.terrain, solved.level, run);
    if (!ground.blurred.empty())
        give_back_detail({ground.elevation, ground.blurred, solved.level.uplift, solved.time},
                         detail_loss(problem.parameters), elevation);
    if (has_unresolved_relief(problem.parameters)) add_relief(solved, problem.parameters, run, elevation);
    const std::uint8_t* const roots = solved.level.roots.data();
    parallel_for(0, elevation.size(), kCellsPerTask, [&, roots](std::int64_t first, std::int64_t last) {
        for_each_where(
            first, last, [roots](std::int64_t cell) { return roots[cell] != 0; },
            [&](std::int64_t root) {
                const float fallen = solved.level.initial[root] - solved.terrain[root];
                elevation[root] = ground.elevation[root] - fallen;
            });
    });
    return elevation;
}

}  // namespace

InitialGround initial_ground(const ErosionProblem& problem, const ErosionLevel& level,
                             const ErosionRun& run) {
    InitialGround ground;
    ground.elevation = problem.inputs.elevation(problem.inputs.grid, run.progress);
    const bool gives_back_detail = !std::isinf(problem.parameters.time) && level.lattice.displaced();
    if (gives_back_detail) ground.blurred = at_centres(level.initial, level, run);
    return ground;
}

DetailLoss detail_loss(const ErosionParameters& parameters) {
    return parameters.deposition > 0.0 ? DetailLoss::ErosionAndDeposition : DetailLoss::Erosion;
}

ErosionResult eroded_ground(const SolvedTerrain& solved, const InitialGround& ground,
                            const ErosionProblem& problem, const ErosionRun& run) {
    ErosionResult result;
    // First of all: relief within cells is added in the memory of the network.
    const bool keeps_area = problem.parameters.keeps_drainage_area;
    const std::vector<float> area =
        keeps_area ? std::vector<float>(solved.area.begin(), solved.area.end()) : std::vector<float>();
    result.elevation = eroded_elevation(solved, ground, problem, run);
    if (keeps_area) result.drainage_area = area_of_cells(area, result.elevation);
    if (problem.parameters.keeps_net_erosion && !std::isinf(solved.time))
        result.net_erosion =
            net_erosion(ground.elevation, solved.level, solved.time, problem, run, result.elevation);
    return result;
}

ErosionResult ground_at_start(const ErosionProblem& problem, const ErosionLevel& level,
                              Field<float> elevation, const ErosionRun& run) {
    ErosionResult result;
    if (problem.parameters.keeps_net_erosion)
        result.net_erosion = net_erosion(elevation, level, 0.0, problem, run, elevation);
    if (problem.parameters.keeps_drainage_area) {
        ErosionNetwork network;
        TerrainRouter().route(level, level.initial, problem.parameters.receivers,
                              receiver_draw_key(problem.seed, level.lattice.grid, 0), network, run.phases,
                              run.progress);
        result.drainage_area = area_of_cells(network.area, elevation);
    }
    result.elevation = std::move(elevation);
    return result;
}

ErosionResult finish_erosion(const SolvedTerrain& solved, ErosionResult result, const ErosionProblem& problem,
                             ErosionReport report, const ErosionRun& run) {
    report.closed_components = solved.level.closed_components;
    if (problem.parameters.diagnostics) {
        measure_elevation(result.elevation, report, run);
        measure_terrain(solved, problem, report, run);
    }
    report.phases_ms.assign(run.phases.begin(), run.phases.end());
    run.progress.report(1.0, "eroded");
    result.report = std::move(report);
    return result;
}

}  // namespace thalweg
