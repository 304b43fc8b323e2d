#include "thalweg/erosion/analytical/erosion_diagnostics.hpp"

#include "thalweg/core/ranked_values.hpp"
#include "thalweg/erosion/law/slope_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

/// For each of `shares`, which rise, the value that this share of `values` does not exceed; NaN for none.
template <std::size_t Count>
std::array<double, Count> quantiles(std::span<const float> values, const std::array<double, Count>& shares) {
    std::array<double, Count> found;
    found.fill(std::numeric_limits<double>::quiet_NaN());
    const RankedValues ranked(values);
    if (ranked.count() == 0) return found;
    std::array<std::int64_t, Count> ranks;
    std::ranges::transform(shares, ranks.begin(), [&](double share) {
        return static_cast<std::int64_t>(share * static_cast<double>(ranked.count() - 1));
    });
    std::ranges::copy(ranked.of_ranks(ranks), found.begin());
    return found;
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
    const auto [median, p99] = quantiles<2>(solver.residuals(), {0.5, 0.99});
    report.residual_median = median;
    report.residual_p99 = p99;
}

void measure_elevation(const Field<float>& elevation, ErosionReport& report, const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "diagnostics");
    report.deciles = elevation_deciles(elevation);
}

void measure_terrain(const SolvedTerrain& solved, const ErosionProblem& problem, ErosionReport& report,
                     const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "diagnostics");
    constexpr int kOwnDraw = -1;  // of no iteration
    const ErosionParameters& parameters = problem.parameters;
    const ErosionLevel& level = solved.level;
    PhaseTimes ignored;
    ErosionNetwork& own = solved.scratch;
    solved.router.route(level, solved.terrain, parameters.receivers,
                        receiver_draw_key(problem.seed, level.lattice.grid, kOwnDraw), own, ignored,
                        run.progress);
    report.pits = own.pits;
    report.discontinuous_share = discontinuous_share(level.lattice, own.tree, solved.terrain);
    report.river_directions = river_directions(level.lattice, own.tree, own.area);
    if (!std::isinf(solved.time) || !parameters.slope_classes.empty()) return;
    own.tree.upstream_cells = std::vector<std::uint32_t>();  // makes room for the residuals
    const std::vector<float> residuals = own_residuals(level, own, parameters, solved.terrain, run.progress);
    report.unsettled_median = quantiles<1>(residuals, {0.5}).front();
}

}  // namespace thalweg
