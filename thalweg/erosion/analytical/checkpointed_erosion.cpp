#include "thalweg/erosion/analytical/checkpointed_erosion.hpp"

#include "thalweg/erosion/levels/optimised_terrain.hpp"
#include "thalweg/erosion/transfer/plane_fit.hpp"

#include <array>
#include <utility>

namespace thalweg {
namespace {

constexpr double kEarlierShare =
    0.9;                            // of the time: where the last solution of `multilevel` starts (empirical)
constexpr double kKeysShare = 0.5;  // of the progress of `multilevel`: up to the key level
constexpr int kNetworksKept = 2;    // two states are looked at for every time

bool have_one_size(const ErosionLevel& coarse, const ErosionLevel& fine) {
    return coarse.lattice.grid.columns == fine.lattice.grid.columns;
}

/// Node values of a coarser level at the nodes of `fine`, which is of twice its size or the raster of its
/// own.
Field<float> carried(const Field<float>& values, const ErosionLevel& coarse, const ErosionLevel& fine,
                     Progress& progress) {
    if (have_one_size(coarse, fine))
        return resample_to_centres(values, coarse.lattice, kResampleWidth, progress);
    return upsample_nodes(values, coarse.lattice, fine.lattice, kUpsampleWidth, progress);
}

/// The same of two fields, in less time.
std::array<Field<float>, 2> both_carried(const Field<float>& one, const Field<float>& other,
                                         const ErosionLevel& coarse, const ErosionLevel& fine,
                                         Progress& progress) {
    if (have_one_size(coarse, fine))
        return {carried(one, coarse, fine, progress), carried(other, coarse, fine, progress)};
    return upsample_both(one, other, coarse.lattice, fine.lattice, kUpsampleWidth, progress);
}

}  // namespace

bool has_checkpoints(const ErosionParameters& parameters) {
    return parameters.method == ErosionMethod::Analytical && parameters.network == NetworkSource::Free &&
           (parameters.time_definition == TimeDefinition::FullResolution ||
            parameters.lattice != ErosionLattice::FourNeighbours);
}

CheckpointedErosion::CheckpointedErosion(const ErosionProblem& problem)
    : CheckpointedErosion(problem, CheckpointMemory{}, false) {
}

CheckpointedErosion::CheckpointedErosion(const ErosionProblem& problem, std::int64_t checkpoint_bytes)
    : CheckpointedErosion(problem, {.terrain_bytes = checkpoint_bytes, .networks = kNetworksKept}, true) {
}

CheckpointedErosion::CheckpointedErosion(const ErosionProblem& problem, CheckpointMemory memory, bool keeps)
    : problem_(problem),
      memory_(memory),
      keeps_(keeps),
      pyramid_(problem, keeps),
      solver_(problem),
      blurred_(pyramid_.count()) {
}

ErosionResult CheckpointedErosion::at(double time, Progress& progress, const LevelObserver& observe_level) {
    PhaseTimes phases;
    const ErosionRun run{progress, phases};
    if (time == 0.0) {
        const std::shared_ptr<const ErosionLevel> level = pyramid_.level(0, progress);
        return ground_at_start(problem_, *level, ground(*level, run).elevation, run);
    }
    CheckpointWalk& keys = walk(run);
    const std::size_t key_level = pyramid_.key_level();
    ErosionReport report;
    report.levels = 1;
    report.iterations = keys.solutions_to(time);
    if (key_level == 0) {
        const Field<float> terrain = keys.terrain_at(time, run, optimisation(*keys.level(), report, run));
        report.sediment = keys.sediment_report();
        ErosionNetwork own;
        return finish({*keys.level(), terrain, keys.network().area, time, keys.router(), own},
                      std::move(report), run);
    }
    ProgressPart part(progress, 0.0, kKeysShare);
    const double earlier_time = kEarlierShare * time;
    ProgressPart before_earlier(part, 0.0, kEarlierShare);
    Field<float> earlier = keys.terrain_at(earlier_time, {before_earlier, phases});
    Field<float> terrain = keys.terrain_at(time, {part, phases});
    ++report.iterations;  // of the earlier state
    if (observe_level) observe_level(pyramid_.grid(key_level), terrain);
    solver_.begin(keys.level(), std::move(terrain));
    refine_to_full_size({earlier, earlier_time, time}, observe_level, report, run);
    return finish({*solver_.level(), solver_.terrain(), solver_.network().area, time, solver_.router(),
                   solver_.network()},
                  std::move(report), run);
}

CheckpointWalk& CheckpointedErosion::walk(const ErosionRun& run) {
    if (!walk_) walk_.emplace(pyramid_.level(pyramid_.key_level(), run.progress), problem_, memory_);
    return *walk_;
}

/// Refines the two states on the key level, the later of which the solver holds.
void CheckpointedErosion::refine_to_full_size(const EarlierState& state, const LevelObserver& observe_level,
                                              ErosionReport& report, const ErosionRun& run) {
    CoarseRivers rivers = rivers_of(walk(run).network().area, pyramid_.grid(pyramid_.key_level()));
    for (std::size_t i = pyramid_.key_level(); i-- > 0; rivers = solver_.rivers()) {
        refine(i, std::move(rivers), state, run);
        const double years = state.time - state.earlier_time;
        // Once: the network of the later state is what neighbouring times share.
        solver_.find_network(0, 0, run);
        solver_.solve_increment(years, state.earlier, run);
        if (i == 0) optimisation(*solver_.level(), report, run)(solver_.network().tree, solver_.terrain());
        solver_.wear_discontinuities_back(years, &state.earlier, run);
        ++report.levels;
        ++report.iterations;
        if (observe_level) observe_level(pyramid_.grid(i), solver_.terrain());
    }
    report.sediment = solver_.sediment_report();
}

/// What takes discontinuities out of terrain on `level`, and tells `report`; all must outlive it.
CheckpointWalk::TerrainEdit CheckpointedErosion::optimisation(const ErosionLevel& level,
                                                              ErosionReport& report,
                                                              const ErosionRun& run) const {
    return [this, &level, &report, run](const FlowTree& tree, Field<float>& terrain) {
        optimise_terrain(problem_, level, tree, terrain, report, run);
    };
}

/// Makes level `index` the solver's: its terrain and the earlier one come from the coarser level.
void CheckpointedErosion::refine(std::size_t index, CoarseRivers rivers, const EarlierState& state,
                                 const ErosionRun& run) {
    const PhaseTimer timer(run.phases, "levels");
    run.progress.report(kKeysShare + (1.0 - kKeysShare) / static_cast<double>(index + 2),
                        pyramid_.phrase_on(index));
    const std::shared_ptr<const ErosionLevel> coarse = solver_.level();
    const std::shared_ptr<const ErosionLevel> fine = pyramid_.level(index, run.progress);
    const DetailLoss loss = detail_loss(problem_.parameters);
    Field<float>& blurred = blurred_[index];
    const Field<float> coarse_earlier = std::move(state.earlier);
    const Field<float> coarse_terrain = std::move(solver_.terrain());
    const bool to_raster = index == 0 && pyramid_.ends_on_raster();
    if (to_raster) rivers.clear();  // the mesh has cut their beds
    if (blurred.empty()) blurred = carried(coarse->initial, *coarse, *fine, run.progress);
    auto [earlier, terrain] = both_carried(coarse_earlier, coarse_terrain, *coarse, *fine, run.progress);
    for (const auto& [years, aged] :
         {std::pair{state.earlier_time, &earlier}, std::pair{state.time, &terrain}}) {
        const AgedGround ground{fine->initial, blurred, fine->uplift, years};
        give_back_detail_beside(rivers, ground, loss, *aged);
        if (to_raster && loss == DetailLoss::Erosion) cap_at_uplifted(ground, *aged);
    }
    if (!keeps_) blurred = {};
    state.earlier = std::move(earlier);
    impose_roots(*fine, state.earlier);
    lower_roots(*coarse, coarse_earlier, *fine, state.earlier);
    solver_.begin(fine, std::move(terrain), std::move(rivers));
    lower_roots(*coarse, coarse_terrain, *fine, solver_.terrain());
}

ErosionResult CheckpointedErosion::finish(const SolvedTerrain& solved, ErosionReport report,
                                          const ErosionRun& run) {
    ErosionResult result = eroded_ground(solved, ground(solved.level, run), problem_, run);
    if (!keeps_) ground_.reset();
    return finish_erosion(solved, std::move(result), problem_, std::move(report), run);
}

const InitialGround& CheckpointedErosion::ground(const ErosionLevel& level, const ErosionRun& run) {
    if (!ground_) ground_ = initial_ground(problem_, level, run);
    return *ground_;
}

}  // namespace thalweg
