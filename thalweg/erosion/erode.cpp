// Based on: Tzathas, Gailleton, Steer and Cordonnier 2024 (sections 4-6); Steer 2021 (fixed point).
#include "thalweg/erosion/erode.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/erosion_checks.hpp"
#include "thalweg/erosion/erosion_level.hpp"
#include "thalweg/erosion/plane_fit.hpp"
#include "thalweg/erosion/stepping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kThoroughSide = 256;   // cells: up to here a level gets coarse_iterations
constexpr float kSeedRelief = 1.0F;  // m, noise on the coarsest level that decides the courses on flat ground
constexpr double kPaperJitter = 0.25;        // coarse cells, section 5.2
constexpr float kPriorArea = 1e5F;           // m^2: larger coarse rivers guide the next level (empirical)
constexpr float kPriorLimit = 2.0F;          // 1: by at most this factor (empirical)
constexpr int kHillslopeSweeps = 2;          // after every steady solve (empirical)
constexpr double kResolvedHillslope = 16.0;  // cells in A* from which hillslopes are smoothed (empirical)
constexpr double kFirstKeyStep = 5e3;        // yr, least distance of key times (empirical)
constexpr double kKeyRatio = 0.07;           // 1, distance of key times over time (empirical)
constexpr double kEarlierShare = 0.9;  // of the time: where the last solution of `build` starts (empirical)
constexpr float kFixedPointShare = 0.5F;  // of a new solution in the average of the fixed point (empirical)
constexpr double kDetailDepth = 0.1;  // cells of erosion that wipe out detail finer than the mesh (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 15;
constexpr std::int64_t kParentsPerTask = 1 << 12;

/// The value that `share` of the values do not exceed; NaN for none. Reorders them.
double quantile(std::vector<float>& values, double share) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto place =
        values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return static_cast<double>(*place);
}

/// A cell of a coarser level that guides its children.
struct CoarseRiver {
    int column;
    int row;
    float area;  // m^2
};
using CoarseRivers = std::vector<CoarseRiver>;

CoarseRivers rivers_of(const std::vector<float>& area, const Grid& grid) {
    CoarseRivers rivers;
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            if (const float here = area[at(grid.index(column, row))]; here > kPriorArea)
                rivers.push_back({column, row, here});
    return rivers;
}

/// One run of the engine over an erosion problem.
class Eroder {
  public:
    Eroder(const ErosionInputs& inputs, const ErosionParameters& parameters, std::uint64_t seed,
           Progress& progress, const LevelObserver& observe_level)
        : inputs_(inputs),
          parameters_(parameters),
          seed_(seed),
          progress_(progress),
          observe_level_(observe_level) {
        Grid grid = inputs.grid;
        Field<std::uint8_t> boundary = inputs.boundary;
        grids_.push_back(grid);
        boundaries_.push_back(boundary);
        while (parameters.method == ErosionMethod::Analytical &&
               std::max(grid.columns, grid.rows) > kCoarsestSide) {
            grids_.push_back(grid = grid.coarser());
            boundaries_.push_back(boundary = coarsen_boundary(boundary));
        }
    }

    ErosionResult run() {
        const bool steady = std::isinf(parameters_.time);
        if (parameters_.method == ErosionMethod::Stepping) {
            step_to_time();
        } else if (steady || fixed_point() ||
                   (parameters_.time_definition == TimeDefinition::Build && !on_mesh())) {
            refine_from_coarse();
        } else if (parameters_.time_definition == TimeDefinition::Build) {
            build_to_time();
        } else {
            sweep_to_time();
        }
        return finish(!steady);
    }

  private:
    [[nodiscard]] bool on_mesh() const { return parameters_.lattice == ErosionLattice::Mesh; }

    // From coarse to fine (section 5.2).
    void refine_from_coarse() {
        std::int64_t work = 0;
        for (std::size_t i = 0; i < grids_.size(); ++i) work += grids_[i].cells() * iterations_on(i);
        std::int64_t done = 0;
        for (std::size_t i = grids_.size(); i-- > 0;) {
            start_level(i);
            const int iterations = iterations_on(i);
            for (int iteration = 0; iteration < iterations; ++iteration) {
                progress_.report(static_cast<double>(done) / static_cast<double>(work),
                                 fmt::format("eroding at {} x {} cells", grids_[i].columns, grids_[i].rows));
                iterate(iteration);
                done += grids_[i].cells();
            }
            ++report_.levels;
            report_.iterations += iterations;
            if (observe_level_) observe_level_(grids_[i], terrain_);
        }
    }

    [[nodiscard]] int iterations_on(std::size_t index) const {
        if (fixed_point()) return parameters_.fixed_point_iterations;
        if (std::max(grids_[index].columns, grids_[index].rows) <= kThoroughSide)
            return parameters_.coarse_iterations;
        return index == 0 ? parameters_.last_iterations : parameters_.fine_iterations;
    }

    [[nodiscard]] bool fixed_point() const { return parameters_.method == ErosionMethod::FixedPoint; }

    /// Makes level `index` the present one: its terrain comes from the coarser level, or is the initial one.
    void start_level(std::size_t index) {
        const PhaseTimer timer(phases_, "levels");
        present_ = index;
        ErosionLevel next =
            make_erosion_level(inputs_, grids_[index], boundaries_[index], parameters_, seed_, progress_);
        if (index + 1 == grids_.size()) {
            terrain_ = next.initial;
            for (std::int64_t cell = 0; cell < terrain_.size(); ++cell)
                terrain_[cell] += kSeedRelief * unit_float(random_bits(seed_, Stream::SeedTerrain,
                                                                       static_cast<std::uint64_t>(cell)));
        } else if (next.lattice.displaced()) {
            terrain_ = upsample_nodes(terrain_, level_.lattice, next.lattice, kUpsampleWidth, progress_);
        } else {
            terrain_ = upsample_jittered(terrain_, grids_[index], kPaperJitter, seed_, progress_);
        }
        level_ = std::move(next);
        coarse_rivers_ =
            index + 1 < grids_.size() ? rivers_of(mean_area_, grids_[index + 1]) : CoarseRivers{};
        impose_roots(terrain_);
    }

    /// Roots keep z0, and cells without data have none.
    void impose_roots(Field<float>& terrain) const {
        for (std::int64_t cell = 0; cell < terrain.size(); ++cell)
            if (level_.roots[cell] != 0 || is_no_data(level_.initial[cell]))
                terrain[cell] = level_.initial[cell];
    }

    /// One fixed-point iteration (section 5.1): network from terrain, terrain from network.
    void iterate(int iteration) {
        const std::uint64_t draw_key = draw_key_of(fixed_point() ? 0 : iteration);
        router_.route(level_, terrain_, parameters_.receivers, draw_key, network_, phases_, progress_);
        // The average of terrains begins with the first solution, not with z0.
        const Field<float> before = fixed_point() && iteration > 0 ? terrain_ : Field<float>();
        {
            const PhaseTimer timer(phases_, "celerities");
            if (!fixed_point()) average_area(iteration);
            apply_prior();
            set_celerities();
        }
        const bool last = iteration + 1 == iterations_on(present_);
        if (std::isinf(parameters_.time)) {
            solve_equilibrium();
            if (last && present_ == 0 && parameters_.diagnostics) measure_residuals();
            smooth_hillslopes();
        } else {
            solve_increment(parameters_.time, level_.initial);
        }
        if (!before.empty()) average_terrain(before);
    }

    /// Moves the terrain of the fixed point only part of the way (section 5.1), against oscillation.
    void average_terrain(const Field<float>& before) {
        for (std::int64_t cell = 0; cell < terrain_.size(); ++cell)
            terrain_[cell] = before[cell] + kFixedPointShare * (terrain_[cell] - before[cell]);
    }

    void solve_equilibrium() {
        const PhaseTimer timer(phases_, "solve");
        solve_steady(network_.tree, parameters_.law, network_.path_inputs(level_), terrain_, progress_);
    }

    /// The terrain `time` years after `start`.
    void solve_increment(double time, const Field<float>& start) {
        const PhaseTimer timer(phases_, "solve");
        solve_transient(network_.tree, parameters_.law, network_.path_inputs(level_), time, start, terrain_,
                        progress_);
    }

    /// Key of the random receivers of one iteration on the present level.
    [[nodiscard]] std::uint64_t draw_key_of(int iteration) const {
        const Grid& grid = level_.lattice.grid;
        const std::uint64_t size =
            static_cast<std::uint64_t>(grid.columns) << 32 | static_cast<std::uint64_t>(grid.rows);
        return random_bits(seed_, Stream::Receiver, size, static_cast<std::uint64_t>(iteration));
    }

    /// Replaces the area by its mean over the iterations of this level: divides settle.
    void average_area(int iteration) {
        if (iteration == 0) {
            mean_area_ = network_.area;
            return;
        }
        const float share = 1.0F / static_cast<float>(iteration + 1);
        parallel_for(0, terrain_.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t cell = first; cell < last; ++cell) {
                mean_area_[at(cell)] += share * (network_.area[at(cell)] - mean_area_[at(cell)]);
                network_.area[at(cell)] = mean_area_[at(cell)];
            }
        });
    }

    /// Scales the area of the four children of a coarse river cell towards the area that the coarser level
    /// found.
    void apply_prior() {
        if (!level_.lattice.displaced()) return;
        const std::int64_t parents = static_cast<std::int64_t>(coarse_rivers_.size());
        parallel_for(0, parents, kParentsPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i) scale_children(coarse_rivers_[at(i)]);
        });
    }

    void scale_children(const CoarseRiver& parent) {
        const Grid& fine = level_.lattice.grid;
        float largest = 0.0F;
        const auto for_children = [&](const auto& body) {
            for (int r = 2 * parent.row; r < std::min(2 * parent.row + 2, fine.rows); ++r)
                for (int c = 2 * parent.column; c < std::min(2 * parent.column + 2, fine.columns); ++c)
                    body(network_.area[at(fine.index(c, r))]);
        };
        for_children([&](float& area) { largest = std::max(largest, area); });
        if (!(largest > 0.0F)) return;
        const float factor = std::clamp(parent.area / largest, 1.0F / kPriorLimit, kPriorLimit);
        for_children([&](float& area) { area *= factor; });
    }

    void set_celerities() {
        network_.celerity.resize(network_.area.size());
        // Dry cells (precipitation 0 upstream) still get the celerity of a square millimetre of rain.
        constexpr float kLeastArea = 1e-6F;
        for (float& area : network_.area) area = std::max(area, kLeastArea);
        celerities(parameters_.law, network_.area, level_.erodibility, network_.celerity);
    }

    /// Relaxes what lies below the hillslope area, where the mesh is fine enough to show such slopes.
    void smooth_hillslopes() {
        const PhaseTimer timer(phases_, "hillslopes");
        const ErosionLaw& law = parameters_.law;
        if (!level_.lattice.displaced()) return;
        const double resolved = kResolvedHillslope * level_.lattice.grid.cell_area();
        const double common = law.hillslope_area(law.erodibility);
        if (level_.erodibility.empty() && common < resolved) return;
        const auto is_hillslope = [&](std::int64_t cell) {
            const double hillslope =
                level_.erodibility.empty()
                    ? common
                    : law.hillslope_area(static_cast<double>(level_.erodibility[at(cell)]));
            return network_.tree.direction[at(cell)] < kRoot && hillslope >= resolved &&
                   static_cast<double>(network_.area[at(cell)]) < hillslope;
        };
        hillslopes_.resize(network_.area.size());
        parallel_for(0, terrain_.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t cell = first; cell < last; ++cell)
                hillslopes_[at(cell)] = is_hillslope(cell) ? 1 : 0;
        });
        diffuse_hillslopes(terrain_, level_.lattice, hillslopes_, level_.uplift, law.hillslope_diffusivity,
                           kHillslopeSweeps, progress_);
    }

    // From key time to key time at full size.
    void sweep_to_time() {
        begin_keys(0);
        terrain_ = terrain_at(parameters_.time);
    }

    void begin_keys(std::size_t index) {
        present_ = index;
        level_ =
            make_erosion_level(inputs_, grids_[index], boundaries_[index], parameters_, seed_, progress_);
        terrain_ = level_.initial;
        report_.levels = 1;
    }

    /// The present level's terrain at `time`, which must not lie before the last time asked for. The key
    /// times, and so the terrain, do not depend on what was asked for before; afterwards terrain_ is that of
    /// the last key.
    Field<float> terrain_at(double time) {
        for (double step = key_step(); reached_ + step <= time; step = key_step()) {
            progress_.report(0.5 * reached_ / parameters_.time,
                             fmt::format("eroding, {:.0f} years", reached_));
            age(step);
            reached_ += step;
        }
        if (time <= reached_) return terrain_;
        Field<float> key = terrain_;
        age(time - reached_);
        std::swap(key, terrain_);
        return key;
    }

    [[nodiscard]] double key_step() const { return std::max(kFirstKeyStep, kKeyRatio * reached_); }

    /// Ages terrain_ by `step` years on the network that it has.
    void age(double step) {
        const std::uint64_t draw_key = draw_key_of(report_.iterations++);
        router_.route(level_, terrain_, parameters_.receivers, draw_key, network_, phases_, progress_);
        mean_area_ = network_.area;
        set_celerities();
        solve_increment(step, Field<float>(terrain_));
    }

    // Keys at one size for all, refined from there.
    void build_to_time() {
        std::size_t key_level = 0;
        while (std::max(grids_[key_level].columns, grids_[key_level].rows) > kThoroughSide) ++key_level;
        begin_keys(key_level);
        const double earlier_time = kEarlierShare * parameters_.time;
        Field<float> earlier = terrain_at(earlier_time);
        terrain_ = terrain_at(parameters_.time);
        if (observe_level_) observe_level_(grids_[key_level], terrain_);
        for (std::size_t i = key_level; i-- > 0;) {
            refine_aged(i, earlier, earlier_time);
            for (int iteration = 0; iteration < iterations_on(i); ++iteration)
                age_from(earlier, parameters_.time - earlier_time, iteration);
            ++report_.levels;
            if (observe_level_) observe_level_(grids_[i], terrain_);
        }
    }

    /// Makes level `index` the present one: terrain_ and `earlier` come from the coarser level.
    void refine_aged(std::size_t index, Field<float>& earlier, double earlier_time) {
        const PhaseTimer timer(phases_, "levels");
        progress_.report(0.5 + 0.5 / static_cast<double>(index + 2),
                         fmt::format("eroding at {} x {} cells", grids_[index].columns, grids_[index].rows));
        present_ = index;
        ErosionLevel next =
            make_erosion_level(inputs_, grids_[index], boundaries_[index], parameters_, seed_, progress_);
        const Field<float> blurred = refined(level_.initial, next.lattice);
        earlier = refined(earlier, next.lattice);
        give_back_detail(earlier, next.initial, blurred, next.uplift, earlier_time);
        terrain_ = refined(terrain_, next.lattice);
        give_back_detail(terrain_, next.initial, blurred, next.uplift, parameters_.time);
        level_ = std::move(next);
        coarse_rivers_ = rivers_of(mean_area_, grids_[index + 1]);
        impose_roots(terrain_);
        impose_roots(earlier);
    }

    Field<float> refined(const Field<float>& coarse, const Lattice& lattice) {
        return upsample_nodes(coarse, level_.lattice, lattice, kUpsampleWidth, progress_);
    }

    /// One iteration for the network at the end of a solution over `time` years from `earlier`.
    void age_from(const Field<float>& earlier, double time, int iteration) {
        const std::uint64_t draw_key = draw_key_of(report_.iterations++);
        router_.route(level_, terrain_, parameters_.receivers, draw_key, network_, phases_, progress_);
        {
            const PhaseTimer timer(phases_, "celerities");
            average_area(iteration);
            apply_prior();
            set_celerities();
        }
        solve_increment(time, earlier);
    }

    void step_to_time() {
        level_ = make_erosion_level(inputs_, grids_[0], boundaries_[0], parameters_, seed_, progress_);
        SteppedTerrain stepped = step_terrain(level_, parameters_, seed_, phases_, progress_);
        terrain_ = std::move(stepped.terrain);
        report_.levels = 1;
        report_.iterations = stepped.steps;
        report_.stepping = stepped.report;
    }

    void measure_residuals() {
        const PhaseTimer timer(phases_, "diagnostics");
        std::vector<float> residuals =
            steady_residuals(network_.tree, parameters_.law, network_.path_inputs(level_), terrain_);
        report_.residual_median = quantile(residuals, 0.5);
        report_.residual_p99 = quantile(residuals, 0.99);
    }

    /// What is returned, on the network that it has itself: how far the fixed point has come.
    void measure_result(bool transient) {
        const PhaseTimer timer(phases_, "diagnostics");
        PhaseTimes ignored;
        ErosionNetwork own;
        router_.route(level_, terrain_, parameters_.receivers, draw_key_of(-1), own, ignored, progress_);
        report_.pits = own.pits;
        report_.discontinuous_share = discontinuous_share(level_.lattice, own.tree, terrain_);
        report_.river_directions = river_directions(level_.lattice, own.tree, own.area);
        if (transient || parameters_.slope_exponent != 1.0) return;
        own.celerity.resize(own.area.size());
        celerities(parameters_.law, own.area, level_.erodibility, own.celerity);
        std::vector<float> residuals =
            steady_residuals(own.tree, parameters_.law, own.path_inputs(level_), terrain_);
        report_.unsettled_median = quantile(residuals, 0.5);
    }

    ErosionResult finish(bool transient) {
        if (parameters_.diagnostics) measure_result(transient);
        Field<float> elevation = to_centres(terrain_);
        const Field<float> before = inputs_.elevation(inputs_.grid, progress_);
        if (transient) restore_detail(elevation, before);
        for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
            if (level_.roots[cell] != 0) elevation[cell] = before[cell];
        if (parameters_.diagnostics) {
            const PhaseTimer timer(phases_, "diagnostics");
            report_.deciles = elevation_deciles(elevation);
        }
        report_.phases_ms.assign(phases_.begin(), phases_.end());
        progress_.report(1.0, "eroded");
        return {std::move(elevation), std::move(report_)};
    }

    Field<float> to_centres(const Field<float>& values) {
        const PhaseTimer timer(phases_, "resampling");
        return resample_to_centres(values, level_.lattice, kResampleWidth, progress_);
    }

    /// Gives back the detail that the mesh cannot carry where hardly anything was eroded, so that ground that
    /// erosion has not reached stays as it was.
    void restore_detail(Field<float>& elevation, const Field<float>& before) {
        if (on_mesh())
            give_back_detail(elevation, before, to_centres(level_.initial), level_.uplift, parameters_.time);
    }

    /// The same for `terrain`, `time` years after `before`, of which it has only seen the blurred form.
    static void give_back_detail(Field<float>& terrain, const Field<float>& before,
                                 const Field<float>& blurred, const std::vector<float>& uplift, double time) {
        const float depth = static_cast<float>(kDetailDepth * terrain.grid().cell_size);
        const float years = static_cast<float>(time);
        parallel_for(0, terrain.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t cell = first; cell < last; ++cell) {
                const float eroded = blurred[cell] + uplift[at(cell)] * years - terrain[cell];
                const float kept = std::clamp(1.0F - eroded / depth, 0.0F, 1.0F);
                if (kept > 0.0F) terrain[cell] += kept * (before[cell] - blurred[cell]);
            }
        });
    }

    const ErosionInputs& inputs_;
    const ErosionParameters& parameters_;
    std::uint64_t seed_;
    Progress& progress_;
    const LevelObserver& observe_level_;
    std::vector<Grid> grids_;                      // finest first
    std::vector<Field<std::uint8_t>> boundaries_;  // of each grid
    std::size_t present_ = 0;                      // index of the present level in grids_
    ErosionLevel level_;                           // the present one
    Field<float> terrain_;                         // at its nodes, m
    double reached_ = 0.0;                         // yr, the last key time
    TerrainRouter router_;
    ErosionNetwork network_;                // of the last iteration
    std::vector<float> mean_area_;          // m^2, over the iterations of the present level
    CoarseRivers coarse_rivers_;            // of the coarser level
    std::vector<std::uint8_t> hillslopes_;  // per cell of the present level: 1 where creep shapes the ground
    PhaseTimes phases_;
    ErosionReport report_;
};

}  // namespace

ErosionResult erode(const ErosionInputs& inputs, const ErosionParameters& parameters, std::uint64_t seed,
                    Progress& progress, const LevelObserver& observe_level) {
    check_erosion_parameters(parameters);
    check_erosion_inputs(inputs);
    if (parameters.time == 0.0) {
        (void)make_erosion_level(inputs, inputs.grid, inputs.boundary, parameters, seed,
                                 progress);  // for its checks
        return {inputs.elevation(inputs.grid, progress), {}};
    }
    return Eroder(inputs, parameters, seed, progress, observe_level).run();
}

}  // namespace thalweg
