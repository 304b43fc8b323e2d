#include "thalweg/erosion/erosion_diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

/// The value that `share` of the values do not exceed; NaN for none. Reorders them.
double quantile(std::vector<float>& values, double share) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto place =
        values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return static_cast<double>(*place);
}

}  // namespace

void measure_residuals(const LevelSolver& solver, ErosionReport& report, const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "diagnostics");
    std::vector<float> residuals =
        steady_residuals(solver.network().tree, solver.path_law(), solver.path_inputs(), solver.terrain());
    report.residual_median = quantile(residuals, 0.5);
    report.residual_p99 = quantile(residuals, 0.99);
}

void measure_terrain(const SolvedTerrain& solved, const ErosionProblem& problem, ErosionReport& report,
                     const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "diagnostics");
    constexpr int kOwnDraw = -1;  // of no iteration
    const ErosionParameters& parameters = problem.parameters;
    const ErosionLevel& level = solved.level;
    PhaseTimes ignored;
    ErosionNetwork own;
    solved.router.route(level, solved.terrain, parameters.receivers,
                        receiver_draw_key(problem.seed, level.lattice.grid, kOwnDraw), own, ignored,
                        run.progress);
    report.pits = own.pits;
    report.discontinuous_share = discontinuous_share(level.lattice, own.tree, solved.terrain);
    report.river_directions = river_directions(level.lattice, own.tree, own.area);
    if (!std::isinf(solved.time) || parameters.slope_exponent != 1.0 || !parameters.slope_classes.empty())
        return;
    own.celerity.resize(own.area.size());
    celerities(parameters.law, own.area, level.erodibility, own.celerity);
    PathInputs inputs = own.path_inputs(level);
    Sediment sediment(parameters.deposition);
    if (sediment.is_deposited()) inputs.uplift = sediment.steady_uplift(level, own.tree, run.progress);
    std::vector<float> residuals = steady_residuals(own.tree, parameters.law, inputs, solved.terrain);
    report.unsettled_median = quantile(residuals, 0.5);
}

}  // namespace thalweg
