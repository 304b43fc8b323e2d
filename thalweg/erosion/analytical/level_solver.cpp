#include "thalweg/erosion/analytical/level_solver.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/correction/discontinuities.hpp"
#include "thalweg/erosion/law/slope_law.hpp"
#include "thalweg/erosion/network/kept_descent.hpp"
#include "thalweg/erosion/transfer/plane_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr int kHillslopeSweeps = 2;          // after every steady solve (empirical)
constexpr double kResolvedHillslope = 16.0;  // cells in A* from which hillslopes are smoothed (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 13;

}  // namespace

LevelSolver::LevelSolver(const ErosionProblem& problem)
    : parameters_(problem.parameters),
      seed_(problem.seed),
      path_law_(parameters_.law),
      increments_(parameters_),
      steady_sediment_(parameters_.deposition) {
    if (prescribes_slopes() || solves_slopes()) path_law_.thermal = false;
}

void LevelSolver::begin(std::shared_ptr<const ErosionLevel> level, Field<float> terrain,
                        CoarseRivers rivers) {
    level_ = std::move(level);
    terrain_ = std::move(terrain);
    coarse_rivers_ = std::move(rivers);
    impose_roots(*level_, terrain_);
}

void LevelSolver::find_network(int draw, int averaged, const ErosionRun& run) {
    router_.route(*level_, terrain_, parameters_.receivers,
                  receiver_draw_key(seed_, level_->lattice.grid, draw), network_, run.phases, run.progress);
    const PhaseTimer timer(run.phases, "celerities");
    average_area(averaged);
    if (level_->lattice.displaced()) apply_area_prior(coarse_rivers_, level_->lattice.grid, network_.area);
    prepare_paths();
}

void LevelSolver::average_area(int averaged) {
    if (averaged == 0) {
        mean_area_ = network_.area;
        return;
    }
    const float share = 1.0F / static_cast<float>(averaged + 1);
    parallel_for(0, terrain_.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            mean_area_[at(cell)] += share * (network_.area[at(cell)] - mean_area_[at(cell)]);
            network_.area[at(cell)] = mean_area_[at(cell)];
        }
    });
}

/// Fills what paths are made of: the celerities, or slopes in their place.
void LevelSolver::prepare_paths() {
    set_celerities(*level_, parameters_.law, network_);
    if (!prescribes_slopes() && !solves_slopes()) return;
    slopes_.resize(network_.area.size());
    if (prescribes_slopes()) prescribed_slopes(parameters_.slope_classes, network_.area, slopes_);
    std::fill(network_.celerity.begin(), network_.celerity.end(), 1.0F);
}

PathInputs LevelSolver::path_inputs() const {
    PathInputs inputs = network_.path_inputs(*level_);
    inputs.uplift = slopes_.empty() ? steady_uplift() : slopes_;
    return inputs;
}

/// u, or u + D where there is deposition, m/yr.
std::span<const float> LevelSolver::steady_uplift() const {
    return steady_sediment_.uplift().empty() ? level_->uplift : steady_sediment_.uplift();
}

std::vector<float> LevelSolver::residuals() const {
    if (!solves_slopes()) return steady_residuals(network_.tree, path_law_, path_inputs(), terrain_);
    const SlopeLaw law(parameters_.law, parameters_.slope_exponent, level_->erodibility);
    return slope_residuals(network_.tree, law, {network_.length, network_.area, steady_uplift()}, terrain_);
}

void LevelSolver::solve_equilibrium(const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "solve");
    if (steady_sediment_.is_deposited()) {
        steady_sediment_.steady_uplift(*level_, network_.tree, run.progress);
        sediment_report_ = steady_sediment_.report();
    }
    if (solves_slopes())
        steady_slopes({parameters_.law, parameters_.slope_exponent, level_->erodibility}, network_.area,
                      steady_uplift(), slopes_);
    solve_steady(network_.tree, path_law_, path_inputs(), terrain_, run.progress);
}

void LevelSolver::solve_increment(double years, const Field<float>& start, const ErosionRun& run) {
    increments_.solve({*level_, network_}, years, start, terrain_, run, TreeOf::Later);
    sediment_report_ = increments_.sediment_report();
}

void LevelSolver::wear_discontinuities_back(double years, const Field<float>* start, const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "cliffs");
    const PathInputs paths = path_inputs();
    const bool steady = std::isinf(years);
    wear_discontinuities(level_->lattice, level_->roots, path_law_,
                         {.celerity = paths.celerity,
                          .uplift = steady ? paths.uplift : increments_.uplift(*level_),
                          .time = years,
                          .initial = start},
                         terrain_, run.progress);
}

void LevelSolver::smooth_hillslopes(const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "hillslopes");
    const ErosionLaw& law = parameters_.law;
    const ErosionLevel& level = *level_;
    if (parameters_.lattice != ErosionLattice::Mesh || prescribes_slopes()) return;
    const double resolved = kResolvedHillslope * level.lattice.grid.cell_area();
    const double common = law.hillslope_area(law.erodibility);
    if (level.erodibility.empty() && common < resolved) return;
    const auto is_hillslope = [&](std::int64_t cell) {
        const double hillslope = level.erodibility.empty()
                                     ? common
                                     : law.hillslope_area(static_cast<double>(level.erodibility[at(cell)]));
        return network_.tree.direction[at(cell)] < kRoot && hillslope >= resolved &&
               static_cast<double>(network_.area[at(cell)]) < hillslope;
    };
    hillslopes_.resize(network_.area.size());
    parallel_for(0, terrain_.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            hillslopes_[at(cell)] = is_hillslope(cell) ? 1 : 0;
    });
    const Field<float> before = terrain_;
    diffuse_hillslopes(terrain_, level.lattice, hillslopes_, level.uplift, law.hillslope_diffusivity,
                       kHillslopeSweeps, run.progress);
    keep_descent(network_.tree, before, terrain_, run.progress);
}

}  // namespace thalweg
