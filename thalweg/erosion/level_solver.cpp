#include "thalweg/erosion/level_solver.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/cliffs.hpp"
#include "thalweg/erosion/outlets.hpp"
#include "thalweg/erosion/plane_fit.hpp"
#include "thalweg/erosion/slope_law.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr int kHillslopeSweeps = 2;          // after every steady solve (empirical)
constexpr double kResolvedHillslope = 16.0;  // cells in A* from which hillslopes are smoothed (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 13;

/// Makes `area`, m^2, and `mean` the mean of `area` and of `averaged` areas before it, whose mean is `mean`.
void average_area(int averaged, std::span<float> area, std::span<float> mean) {
    if (averaged == 0) {
        std::copy(area.begin(), area.end(), mean.begin());
        return;
    }
    const float share = 1.0F / static_cast<float>(averaged + 1);
    for (std::size_t i = 0; i < area.size(); ++i) {
        mean[i] += share * (area[i] - mean[i]);
        area[i] = mean[i];
    }
}

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

void LevelSolver::find_network(int draw, int averaged, const ErosionRun& run, WaysOut ways_out) {
    router_.find_tree(*level_, terrain_, parameters_.receivers,
                      receiver_draw_key(seed_, level_->lattice.grid, draw), network_, run.phases,
                      run.progress, ways_out);
    const PhaseTimer timer(run.phases, "celerities");
    find_areas(averaged);
    prepare_paths();
}

/// Fills areas, their means and celerities: of some rows at a time, while they are at hand.
void LevelSolver::find_areas(int averaged) {
    const Grid& grid = level_->lattice.grid;
    network_.area.resize(network_.length.size());
    network_.celerity.resize(network_.length.size());
    mean_area_.resize(network_.length.size());
    if (!counts_cells(*level_)) gather_area(*level_, network_.tree, network_.area);
    const std::int64_t pairs = std::max<std::int64_t>(1, kCellsPerTask / 2 / grid.columns);  // of rows
    parallel_for(0, (grid.rows + 1) / 2, pairs, [&](std::int64_t first, std::int64_t last) {
        const auto end_row = static_cast<int>(std::min<std::int64_t>(2 * last, grid.rows));
        find_areas_in(static_cast<int>(2 * first), end_row, averaged);
    });
    if (parameters_.law.base_slope > 0.0) share_outlet_celerity(level_->roots, network_.celerity);
}

/// In pairs of rows: those of one row of the coarser level.
void LevelSolver::find_areas_in(int first_row, int end_row, int averaged) {
    const Grid& grid = level_->lattice.grid;
    const std::int64_t first = grid.index(0, first_row);
    const std::size_t cells = at(grid.index(0, end_row) - first);
    const std::span area = std::span(network_.area).subspan(at(first), cells);
    if (counts_cells(*level_)) areas_of_cells(network_.tree, first, area);
    average_area(averaged, area, std::span(mean_area_).subspan(at(first), cells));
    if (level_->lattice.displaced())
        apply_area_prior(rivers_in(coarse_rivers_, first_row / 2, (end_row + 1) / 2), grid, network_.area);
    std::span<const float> erodibility = level_->erodibility;
    if (!erodibility.empty()) erodibility = erodibility.subspan(at(first), cells);
    celerities(parameters_.law, area, erodibility, std::span(network_.celerity).subspan(at(first), cells));
}

/// Where slopes are prescribed or solved they stand in the place of the celerities.
void LevelSolver::prepare_paths() {
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
    increments_.solve({*level_, network_}, years, start, terrain_, run);
    sediment_report_ = increments_.sediment_report();
}

void LevelSolver::wear_cliffs_back(double years, const Field<float>* start, const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "cliffs");
    const PathInputs paths = path_inputs();
    const bool steady = std::isinf(years);
    wear_cliffs(level_->lattice, level_->roots, path_law_,
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
    if (!level.lattice.displaced() || prescribes_slopes()) return;
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
    diffuse_hillslopes(terrain_, level.lattice, hillslopes_, level.uplift, law.hillslope_diffusivity,
                       kHillslopeSweeps, run.progress);
}

}  // namespace thalweg
