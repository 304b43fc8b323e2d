#include "thalweg/erosion/erosion_diagnostics.hpp"

#include <algorithm>
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

void measure_terrain(LevelSolver& solver, const ErosionParameters& parameters, bool steady,
                     ErosionReport& report, const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "diagnostics");
    PhaseTimes ignored;
    ErosionNetwork own = solver.own_network({run.progress, ignored});
    const ErosionLevel& level = *solver.level();
    report.pits = own.pits;
    report.discontinuous_share = discontinuous_share(level.lattice, own.tree, solver.terrain());
    report.river_directions = river_directions(level.lattice, own.tree, own.area);
    if (!steady || parameters.slope_exponent != 1.0 || !parameters.slope_classes.empty()) return;
    own.celerity.resize(own.area.size());
    celerities(parameters.law, own.area, level.erodibility, own.celerity);
    std::vector<float> residuals =
        steady_residuals(own.tree, parameters.law, own.path_inputs(level), solver.terrain());
    report.unsettled_median = quantile(residuals, 0.5);
}

}  // namespace thalweg
