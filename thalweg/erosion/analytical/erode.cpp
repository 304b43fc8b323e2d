// Based on: Tzathas, Gailleton, Steer and Cordonnier 2024 (sections 4-6); Steer 2021 (fixed point).
#include "thalweg/erosion/erode.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/erosion/analytical/checkpointed_erosion.hpp"
#include "thalweg/erosion/analytical/erosion_diagnostics.hpp"
#include "thalweg/erosion/analytical/erosion_result.hpp"
#include "thalweg/erosion/analytical/level_solver.hpp"
#include "thalweg/erosion/baselines/stepping.hpp"
#include "thalweg/erosion/levels/erosion_checks.hpp"
#include "thalweg/erosion/levels/level_pyramid.hpp"
#include "thalweg/erosion/levels/optimised_terrain.hpp"
#include "thalweg/erosion/levels/resolved_parameters.hpp"
#include "thalweg/erosion/transfer/jittered_upsampling.hpp"
#include "thalweg/erosion/transfer/plane_fit.hpp"

#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr float kSeedRelief = 1.0F;  // m, noise on the coarsest level that decides the courses on flat ground
constexpr double kPaperJitter = 0.25;     // coarse cells, section 5.2
constexpr float kFixedPointShare = 0.5F;  // of a new solution in the average of the fixed point (empirical)

/// One run to the steady state, on a network that is kept, or to a finite time by a method that knows no
/// keys.
class Eroder {
  public:
    Eroder(const ErosionProblem& problem, Progress& progress, const LevelObserver& observe_level)
        : problem_(problem), progress_(progress), observe_level_(observe_level) {}

    ErosionResult run() {
        if (parameters_.method == ErosionMethod::Stepping) {
            step_to_time();
        } else {
            refine_from_coarse();
            report_.sediment = solver_.sediment_report();
        }
        solver_.forget_paths();
        const ErosionLevel& level = *solver_.level();
        const SolvedTerrain solved{level,
                                   solver_.terrain(),
                                   solver_.network().area,
                                   parameters_.time,
                                   solver_.router(),
                                   solver_.network()};
        ErosionResult result = eroded_ground(solved, initial_ground(problem_, level, run_), problem_, run_);
        return finish_erosion(solved, std::move(result), problem_, std::move(report_), run_);
    }

  private:
    [[nodiscard]] bool steady() const { return std::isinf(parameters_.time); }
    [[nodiscard]] bool on_mesh() const { return parameters_.lattice == ErosionLattice::Mesh; }
    [[nodiscard]] bool fixed_point() const { return parameters_.method == ErosionMethod::FixedPoint; }

    [[nodiscard]] bool keeps_network() const { return parameters_.network == NetworkSource::Terrain; }

    // From coarse to fine (section 5.2).
    void refine_from_coarse() {
        std::int64_t work = 0;
        for (std::size_t i = 0; i < pyramid_.count(); ++i)
            work += pyramid_.grid(i).cells() * pyramid_.iterations_on(i);
        std::int64_t done = 0;
        for (std::size_t i = pyramid_.count(); i-- > 0;) {
            start_level(i);
            const int iterations = pyramid_.iterations_on(i);
            for (int iteration = 0; iteration < iterations; ++iteration) {
                progress_.report(static_cast<double>(done) / static_cast<double>(work),
                                 pyramid_.phrase_on(i));
                iterate(i, iteration);
                done += pyramid_.grid(i).cells();
            }
            if (i == 0)
                optimise_terrain(problem_, *solver_.level(), solver_.network().tree, solver_.terrain(),
                                 report_, run_);
            if (is_worn(i)) solver_.wear_discontinuities_back(parameters_.time, nullptr, run_);
            ++report_.levels;
            report_.iterations += iterations;
            if (observe_level_) observe_level_(pyramid_.grid(i), solver_.terrain());
        }
    }

    /// Discontinuities matter on the last level; the levels that all sizes share must not depend on which
    /// that is.
    [[nodiscard]] bool is_worn(std::size_t index) const {
        return steady() && on_mesh() && !fixed_point() && !keeps_network() &&
               (index == 0 || pyramid_.is_thorough(index));
    }

    /// Makes level `index` the present one: its terrain comes from the coarser level, or is the initial one.
    void start_level(std::size_t index) {
        const PhaseTimer timer(phases_, "levels");
        const std::shared_ptr<const ErosionLevel> next = pyramid_.level(index, progress_);
        if (keeps_network()) {
            solver_.begin(next, next->initial);
        } else if (index + 1 == pyramid_.count()) {
            solver_.begin(next, with_seed_relief(next->initial));
        } else if (index == 0 && pyramid_.ends_on_raster()) {
            solver_.begin(next, resample_to_centres(solver_.terrain(), solver_.level()->lattice,
                                                    kResampleWidth, progress_));
        } else if (on_mesh()) {
            solver_.begin(next,
                          upsample_nodes(solver_.terrain(), solver_.level()->lattice, next->lattice,
                                         kUpsampleWidth, progress_),
                          solver_.rivers());
        } else {
            solver_.begin(next, upsample_jittered(solver_.terrain(), pyramid_.grid(index), kPaperJitter,
                                                  problem_.seed, progress_));
        }
    }

    [[nodiscard]] Field<float> with_seed_relief(Field<float> terrain) const {
        for (std::int64_t cell = 0; cell < terrain.size(); ++cell)
            terrain[cell] += kSeedRelief * unit_float(random_bits(problem_.seed, Stream::SeedTerrain,
                                                                  static_cast<std::uint64_t>(cell)));
        return terrain;
    }

    /// One fixed-point iteration (section 5.1): network from terrain, terrain from network.
    void iterate(std::size_t level, int iteration) {
        // The average of terrains begins with the first solution, not with z0.
        const Field<float> before = fixed_point() && iteration > 0 ? solver_.terrain() : Field<float>();
        solver_.find_network(fixed_point() ? 0 : iteration, pyramid_.averaged_on(level, iteration), run_);
        if (steady()) {
            solver_.solve_equilibrium(run_);
            const bool is_last = iteration + 1 == pyramid_.iterations_on(level);
            if (is_last && level == 0 && parameters_.diagnostics) measure_residuals(solver_, report_, run_);
            if (is_last && level == 0) solver_.smooth_hillslopes(run_);
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

    void step_to_time() {
        const std::shared_ptr<const ErosionLevel> level = pyramid_.level(0, progress_);
        SteppedTerrain stepped = step_terrain(*level, parameters_, problem_.seed, phases_, progress_);
        solver_.begin(level, stepped.terrain);
        solver_.terrain() = std::move(stepped.terrain);  // with boundary cells as far as they have fallen
        solver_.find_network(0, 0, run_);
        report_.levels = 1;
        report_.iterations = stepped.steps;
        report_.stepping = stepped.report;
        report_.sediment = stepped.sediment;
    }

    ErosionProblem problem_;
    const ErosionParameters& parameters_ = problem_.parameters;
    Progress& progress_;
    const LevelObserver& observe_level_;
    PhaseTimes phases_;
    ErosionRun run_ = {progress_, phases_};
    LevelPyramid pyramid_{problem_};
    LevelSolver solver_{problem_};
    ErosionReport report_;
};

}  // namespace

ErosionResult erode(const ErosionInputs& inputs, const ErosionParameters& asked, std::uint64_t seed,
                    Progress& progress, const LevelObserver& observe_level) {
    check_erosion_parameters(asked);
    check_erosion_inputs(inputs);
    const ErosionParameters parameters = resolved_parameters(asked, inputs);
    check_drainage_sources(inputs, progress);
    const ErosionProblem problem{inputs, parameters, seed};
    if (parameters.time == 0.0) {
        PhaseTimes phases;
        const std::shared_ptr<const ErosionLevel> level = LevelPyramid(problem).level(0, progress);
        return ground_at_start(problem, *level, inputs.elevation(inputs.grid, progress), {progress, phases});
    }
    if (has_checkpoints(parameters) && !std::isinf(parameters.time))
        return CheckpointedErosion(problem).at(parameters.time, progress, observe_level);
    return Eroder(problem, progress, observe_level).run();
}

}  // namespace thalweg
