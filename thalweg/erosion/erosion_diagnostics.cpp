#include "thalweg/erosion/erosion_diagnostics.hpp"

#include "thalweg/erosion/slope_law.hpp"

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

/// |dz/dt| of `terrain` over the largest uplift, along the receivers of `network`, which has no celerities
/// yet.
std::vector<float> own_residuals(const ErosionLevel& level, ErosionNetwork& network,
                                 const ErosionParameters& parameters, const Field<float>& terrain,
                                 const Progress& progress) {
    Sediment sediment(parameters.deposition);
    const std::span<const float> uplift =
        sediment.is_deposited() ? sediment.steady_uplift(level, network.tree, progress) : level.uplift;
    if (parameters.slope_exponent != 1.0)
        return slope_residuals(network.tree, {parameters.law, parameters.slope_exponent, level.erodibility},
                               {network.length, network.area, uplift}, terrain);
    network.celerity.resize(network.area.size());
    celerities(parameters.law, network.area, level.erodibility, network.celerity);
    return steady_residuals(network.tree, parameters.law, {network.length, network.celerity, uplift},
                            terrain);
}

}  // namespace

void measure_residuals(const LevelSolver& solver, ErosionReport& report, const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "diagnostics");
    std::vector<float> residuals = solver.residuals();
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
    if (!std::isinf(solved.time) || !parameters.slope_classes.empty()) return;
    std::vector<float> residuals = own_residuals(level, own, parameters, solved.terrain, run.progress);
    report.unsettled_median = quantile(residuals, 0.5);
}

}  // namespace thalweg
