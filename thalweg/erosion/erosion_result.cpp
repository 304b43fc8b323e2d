#include "thalweg/erosion/erosion_result.hpp"

#include "thalweg/erosion/erosion_diagnostics.hpp"
#include "thalweg/erosion/kept_detail.hpp"
#include "thalweg/erosion/plane_fit.hpp"

#include <cmath>
#include <utility>

namespace thalweg {
namespace {

Field<float> at_centres(const Field<float>& values, const ErosionLevel& level, const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "resampling");
    return resample_to_centres(values, level.lattice, kResampleWidth, run.progress);
}

}  // namespace

InitialGround initial_ground(const ErosionProblem& problem, const ErosionLevel& level,
                             const ErosionRun& run) {
    InitialGround ground;
    ground.elevation = problem.inputs.elevation(problem.inputs.grid, run.progress);
    const bool gives_back_detail =
        !std::isinf(problem.parameters.time) && problem.parameters.lattice == ErosionLattice::Mesh;
    if (gives_back_detail) ground.blurred = at_centres(level.initial, level, run);
    return ground;
}

ErosionResult finish_erosion(const SolvedTerrain& solved, const InitialGround& ground,
                             const ErosionProblem& problem, ErosionReport report, const ErosionRun& run) {
    const bool diagnostics = problem.parameters.diagnostics;
    if (diagnostics) measure_terrain(solved, problem, report, run);
    Field<float> elevation = at_centres(solved.terrain, solved.level, run);
    if (!ground.blurred.empty())
        give_back_detail(elevation, ground.elevation, ground.blurred, solved.level.uplift, solved.time);
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        if (solved.level.roots[cell] != 0) elevation[cell] = ground.elevation[cell];
    if (diagnostics) {
        const PhaseTimer timer(run.phases, "diagnostics");
        report.deciles = elevation_deciles(elevation);
    }
    report.phases_ms.assign(run.phases.begin(), run.phases.end());
    run.progress.report(1.0, "eroded");
    return {std::move(elevation), std::move(report)};
}

}  // namespace thalweg
