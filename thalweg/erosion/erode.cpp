// Based on: Tzathas, Gailleton, Steer and Cordonnier 2024 (sections 4-6); Steer 2021 (fixed point).
#include "thalweg/erosion/erode.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/erosion/erosion_checks.hpp"
#include "thalweg/erosion/erosion_diagnostics.hpp"
#include "thalweg/erosion/kept_detail.hpp"
#include "thalweg/erosion/key_walk.hpp"
#include "thalweg/erosion/level_pyramid.hpp"
#include "thalweg/erosion/level_solver.hpp"
#include "thalweg/erosion/plane_fit.hpp"
#include "thalweg/erosion/stepping.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr float kSeedRelief = 1.0F;  // m, noise on the coarsest level that decides the courses on flat ground
constexpr double kPaperJitter = 0.25;  // coarse cells, section 5.2
constexpr double kEarlierShare = 0.9;  // of the time: where the last solution of `build` starts (empirical)
constexpr float kFixedPointShare = 0.5F;  // of a new solution in the average of the fixed point (empirical)
constexpr double kKeysShare = 0.5;        // of the progress of `build`: up to the key level

/// One run of the engine over an erosion problem.
class Eroder {
  public:
    Eroder(const ErosionInputs& inputs, const ErosionParameters& parameters, std::uint64_t seed,
           Progress& progress, const LevelObserver& observe_level)
        : inputs_(inputs),
          parameters_(parameters),
          seed_(seed),
          progress_(progress),
          observe_level_(observe_level),
          pyramid_(inputs, parameters, seed),
          solver_(parameters, seed) {}

    ErosionResult run() {
        if (parameters_.method == ErosionMethod::Stepping) {
            step_to_time();
        } else if (steady() || fixed_point() ||
                   (parameters_.time_definition == TimeDefinition::Build && !on_mesh())) {
            refine_from_coarse();
        } else if (parameters_.time_definition == TimeDefinition::Build) {
            build_to_time();
        } else {
            sweep_to_time();
        }
        return finish();
    }

  private:
    [[nodiscard]] bool steady() const { return std::isinf(parameters_.time); }
    [[nodiscard]] bool on_mesh() const { return parameters_.lattice == ErosionLattice::Mesh; }
    [[nodiscard]] bool fixed_point() const { return parameters_.method == ErosionMethod::FixedPoint; }

    // From coarse to fine (section 5.2).
    void refine_from_coarse() {
        std::int64_t work = 0;
        for (std::size_t i = 0; i < pyramid_.count(); ++i)
            work += pyramid_.grid(i).cells() * iterations_on(i);
        std::int64_t done = 0;
        for (std::size_t i = pyramid_.count(); i-- > 0;) {
            start_level(i);
            const int iterations = iterations_on(i);
            for (int iteration = 0; iteration < iterations; ++iteration) {
                progress_.report(static_cast<double>(done) / static_cast<double>(work), phrase_on(i));
                iterate(iteration, i == 0 && iteration + 1 == iterations);
                done += pyramid_.grid(i).cells();
            }
            ++report_.levels;
            report_.iterations += iterations;
            if (observe_level_) observe_level_(pyramid_.grid(i), solver_.terrain());
        }
    }

    [[nodiscard]] int iterations_on(std::size_t index) const {
        if (fixed_point()) return parameters_.fixed_point_iterations;
        if (pyramid_.is_thorough(index)) return parameters_.coarse_iterations;
        return index == 0 ? parameters_.last_iterations : parameters_.fine_iterations;
    }

    [[nodiscard]] std::string phrase_on(std::size_t index) const {
        return fmt::format("eroding at {} x {} cells", pyramid_.grid(index).columns,
                           pyramid_.grid(index).rows);
    }

    /// Makes level `index` the present one: its terrain comes from the coarser level, or is the initial one.
    void start_level(std::size_t index) {
        const PhaseTimer timer(phases_, "levels");
        const std::shared_ptr<const ErosionLevel> next = pyramid_.level(index, progress_);
        if (index + 1 == pyramid_.count()) {
            solver_.begin(next, with_seed_relief(next->initial));
        } else if (on_mesh()) {
            solver_.refine(next, refined(solver_.terrain(), *next));
        } else {
            solver_.refine(next, upsample_jittered(solver_.terrain(), pyramid_.grid(index), kPaperJitter,
                                                   seed_, progress_));
        }
    }

    [[nodiscard]] Field<float> with_seed_relief(Field<float> terrain) const {
        for (std::int64_t cell = 0; cell < terrain.size(); ++cell)
            terrain[cell] += kSeedRelief * unit_float(random_bits(seed_, Stream::SeedTerrain,
                                                                  static_cast<std::uint64_t>(cell)));
        return terrain;
    }

    /// One fixed-point iteration (section 5.1): network from terrain, terrain from network.
    void iterate(int iteration, bool is_last) {
        // The average of terrains begins with the first solution, not with z0.
        const Field<float> before = fixed_point() && iteration > 0 ? solver_.terrain() : Field<float>();
        solver_.find_network(fixed_point() ? 0 : iteration, fixed_point() ? 0 : iteration, run_);
        if (steady()) {
            solver_.solve_equilibrium(run_);
            if (is_last && parameters_.diagnostics) measure_residuals(solver_, report_, run_);
            solver_.smooth_hillslopes(run_);
        } else {
            solver_.solve_increment(parameters_.time, solver_.level()->initial, run_);
        }
        if (!before.empty()) average_terrain(before);
    }

    /// Moves the terrain of the fixed point only part of the way (section 5.1), against oscillation.
    void average_terrain(const Field<float>& before) {
        Field<float>& terrain = solver_.terrain();
        for (std::int64_t cell = 0; cell < terrain.size(); ++cell)
            terrain[cell] = before[cell] + kFixedPointShare * (terrain[cell] - before[cell]);
    }

    // From key time to key time at full size.
    void sweep_to_time() {
        begin_keys(0);
        KeyWalk walk(solver_);
        solver_.terrain() = walk.terrain_at(parameters_.time, run_);
        report_.iterations = walk.iterations();
    }

    void begin_keys(std::size_t index) {
        const std::shared_ptr<const ErosionLevel> level = pyramid_.level(index, progress_);
        solver_.begin(level, level->initial);
        report_.levels = 1;
    }

    // Keys at one size for all, refined from there.
    void build_to_time() {
        const std::size_t key_level = pyramid_.key_level();
        begin_keys(key_level);
        const double earlier_time = kEarlierShare * parameters_.time;
        KeyWalk walk(solver_);
        ProgressPart keys(progress_, 0.0, key_level == 0 ? 1.0 : kKeysShare);
        Field<float> earlier = walk.terrain_at(earlier_time, {keys, phases_});
        solver_.terrain() = walk.terrain_at(parameters_.time, {keys, phases_});
        report_.iterations = walk.iterations();
        if (observe_level_) observe_level_(pyramid_.grid(key_level), solver_.terrain());
        for (std::size_t i = key_level; i-- > 0;) {
            refine_aged(i, earlier, earlier_time);
            for (int iteration = 0; iteration < iterations_on(i); ++iteration) {
                solver_.find_network(report_.iterations++, iteration, run_);
                solver_.solve_increment(parameters_.time - earlier_time, earlier, run_);
            }
            ++report_.levels;
            if (observe_level_) observe_level_(pyramid_.grid(i), solver_.terrain());
        }
    }

    /// Makes level `index` the present one: its terrain and `earlier` come from the coarser level.
    void refine_aged(std::size_t index, Field<float>& earlier, double earlier_time) {
        const PhaseTimer timer(phases_, "levels");
        progress_.report(kKeysShare + (1.0 - kKeysShare) / static_cast<double>(index + 2), phrase_on(index));
        const std::shared_ptr<const ErosionLevel> next = pyramid_.level(index, progress_);
        const Field<float> blurred = refined(solver_.level()->initial, *next);
        earlier = refined(earlier, *next);
        give_back_detail(earlier, next->initial, blurred, next->uplift, earlier_time);
        impose_roots(*next, earlier);
        Field<float> terrain = refined(solver_.terrain(), *next);
        give_back_detail(terrain, next->initial, blurred, next->uplift, parameters_.time);
        solver_.refine(next, std::move(terrain));
    }

    /// Node values of the present level at the nodes of the next finer one.
    Field<float> refined(const Field<float>& coarse, const ErosionLevel& next) {
        return upsample_nodes(coarse, solver_.level()->lattice, next.lattice, kUpsampleWidth, progress_);
    }

    void step_to_time() {
        const std::shared_ptr<const ErosionLevel> level = pyramid_.level(0, progress_);
        SteppedTerrain stepped = step_terrain(*level, parameters_, seed_, phases_, progress_);
        solver_.begin(level, std::move(stepped.terrain));
        report_.levels = 1;
        report_.iterations = stepped.steps;
        report_.stepping = stepped.report;
    }

    ErosionResult finish() {
        if (parameters_.diagnostics) measure_terrain(solver_, parameters_, steady(), report_, run_);
        const ErosionLevel& level = *solver_.level();
        Field<float> elevation = to_centres(solver_.terrain());
        const Field<float> before = inputs_.elevation(inputs_.grid, progress_);
        if (!steady() && on_mesh())
            give_back_detail(elevation, before, to_centres(level.initial), level.uplift, parameters_.time);
        for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
            if (level.roots[cell] != 0) elevation[cell] = before[cell];
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
        return resample_to_centres(values, solver_.level()->lattice, kResampleWidth, progress_);
    }

    const ErosionInputs& inputs_;
    const ErosionParameters& parameters_;
    std::uint64_t seed_;
    Progress& progress_;
    const LevelObserver& observe_level_;
    PhaseTimes phases_;
    ErosionRun run_ = {progress_, phases_};
    LevelPyramid pyramid_;
    LevelSolver solver_;
    ErosionReport report_;
};

}  // namespace

ErosionResult erode(const ErosionInputs& inputs, const ErosionParameters& parameters, std::uint64_t seed,
                    Progress& progress, const LevelObserver& observe_level) {
    check_erosion_parameters(parameters);
    check_erosion_inputs(inputs);
    if (!inputs.sources.empty()) {
        const Field<float> elevation = inputs.elevation(inputs.grid, progress);
        check_sources(inputs.sources, elevation, root_cells(elevation, inputs.boundary));
    }
    if (parameters.time == 0.0) {
        (void)make_erosion_level(inputs, inputs.grid, inputs.boundary, parameters, seed,
                                 progress);  // for its checks
        return {inputs.elevation(inputs.grid, progress), {}};
    }
    return Eroder(inputs, parameters, seed, progress, observe_level).run();
}

}  // namespace thalweg
