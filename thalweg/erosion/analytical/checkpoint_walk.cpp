#include "thalweg/erosion/analytical/checkpoint_walk.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/erosion/correction/discontinuities.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// How far apart checkpoint times are (empirical).
struct KeySteps {
    double first;        // yr, least distance
    double ratio;        // 1, distance over time
    double longest;      // yr, greatest distance,
    double least_ratio;  // 1, or this share of the time, whichever is longer
};
constexpr KeySteps kMeshSteps = {5e3, 0.10, 0.0, 0.10};
constexpr KeySteps kRasterSteps = {500.0, 0.05, 1e4, 0.01};  // on cell centres, whose rills are followed
// The ratio with deposition: rivers that build up their beds find other courses only at keys.
constexpr double kDepositionKeyRatio = 0.02;  // 1 (empirical)

}  // namespace

CheckpointWalk::CheckpointWalk(std::shared_ptr<const ErosionLevel> level, const ErosionProblem& problem,
                               CheckpointMemory memory)
    : level_(std::move(level)),
      parameters_(problem.parameters),
      seed_(problem.seed),
      memory_(memory),
      // The level owns the terrain of key 0.
      kept_({{0, Terrain(level_, &level_->initial)}}),
      brackets_(static_cast<std::size_t>(std::max(1, memory.networks))),
      increments_(parameters_) {
}

Field<float> CheckpointWalk::terrain_at(double time, const ErosionRun& run, const TerrainEdit& edit) {
    const int key = checkpoint_before(time);
    const Bracket* bracket = &nearest_bracket(key, run);
    while (bracket->key < key) {
        const int next = bracket->key + 1;
        const double reached = checkpoint_times_[at(bracket->key)];
        run.progress.report(reached / time, fmt::format("eroding, {:.0f} years", reached));
        const auto terrain =
            std::make_shared<const Field<float>>(aged(*bracket, checkpoint_step(bracket->key), run));
        keep(next, terrain);
        bracket = &find_network(next, terrain, run);
    }
    const bool is_next_key = time == checkpoint_times_[at(key + 1)];
    const double years = is_next_key ? checkpoint_step(key) : time - checkpoint_times_[at(key)];
    return aged(*bracket, years, run, edit);
}

/// yr, from `key` to the next one.
double CheckpointWalk::checkpoint_step(int key) const {
    const KeySteps& steps = level_->lattice.displaced() ? kMeshSteps : kRasterSteps;
    const double time = checkpoint_times_[at(key)];
    if (parameters_.deposition > 0.0) return std::max(steps.first, kDepositionKeyRatio * time);
    // Drawn rivers win their land in long increments alone.
    if (!level_->courses.empty()) return std::max(steps.first, steps.ratio * time);
    const double longest = std::max(steps.longest, steps.least_ratio * time);
    return std::max(steps.first, std::min(steps.ratio * time, longest));
}

/// The last key before `time`.
int CheckpointWalk::checkpoint_before(double time) {
    while (checkpoint_times_.back() < time)
        checkpoint_times_.push_back(checkpoint_times_.back() +
                                    checkpoint_step(static_cast<int>(checkpoint_times_.size()) - 1));
    const auto not_before = std::lower_bound(checkpoint_times_.begin(), checkpoint_times_.end(), time);
    return static_cast<int>(not_before - checkpoint_times_.begin()) - 1;
}

/// Of the last key up to `key` that is remembered; now the bracket used last.
const CheckpointWalk::Bracket& CheckpointWalk::nearest_bracket(int key, const ErosionRun& run) {
    int nearest = std::prev(kept_.upper_bound(key))->first;
    for (const Bracket& bracket : brackets_)
        if (bracket.key <= key) nearest = std::max(nearest, bracket.key);
    const auto found = std::ranges::find(brackets_, nearest, &Bracket::key);
    if (found == brackets_.end()) return find_network(nearest, kept_.at(nearest), run);
    std::rotate(found, found + 1, brackets_.end());
    return brackets_.back();
}

/// Puts the network of `terrain` in the place of the one that has not been used for longest.
const CheckpointWalk::Bracket& CheckpointWalk::find_network(int key, Terrain terrain, const ErosionRun& run) {
    std::rotate(brackets_.begin(), brackets_.begin() + 1, brackets_.end());
    Bracket& bracket = brackets_.back();
    bracket.key = -1;  // until its network is whole
    bracket.terrain = std::move(terrain);
    router_.route(*level_, *bracket.terrain, parameters_.receivers,
                  receiver_draw_key(seed_, level_->lattice.grid, key), bracket.network, run.phases,
                  run.progress);
    {
        const PhaseTimer timer(run.phases, "celerities");
        set_celerities(*level_, parameters_.law, bracket.network);
        increments_.set_root_fall(*level_, *bracket.terrain, checkpoint_step(key), bracket.network,
                                  run.progress);
    }
    bracket.key = key;
    ++networks_found_;
    return bracket;
}

Field<float> CheckpointWalk::aged(const Bracket& bracket, double years, const ErosionRun& run,
                                  const TerrainEdit& edit) {
    Field<float> terrain = *bracket.terrain;
    increments_.solve({*level_, bracket.network}, years, *bracket.terrain, terrain, run, TreeOf::Start);
    if (edit) edit(bracket.network.tree, terrain);
    // On cell centres keys are so close that divides leave nothing that the next network does not wear.
    if (!level_->lattice.displaced()) return terrain;
    const PhaseTimer timer(run.phases, "cliffs");
    wear_discontinuities(level_->lattice, bracket.network.roots(*level_), parameters_.law,
                         {.celerity = bracket.network.celerity,
                          .uplift = increments_.uplift(*level_),
                          .time = years,
                          .initial = bracket.terrain.get()},
                         terrain, run.progress);
    return terrain;
}

/// Remembers the terrain of `key`; where memory ends, keys twice as far apart are.
void CheckpointWalk::keep(int key, const Terrain& terrain) {
    const std::int64_t bytes = terrain->size() * static_cast<std::int64_t>(sizeof(float));
    if (bytes > memory_.terrain_bytes || key % stride_ != 0) return;
    kept_[key] = terrain;
    while (kept_terrain_bytes() > memory_.terrain_bytes) {
        stride_ *= 2;
        std::erase_if(kept_, [this](const auto& entry) { return entry.first % stride_ != 0; });
    }
}

std::int64_t CheckpointWalk::kept_terrain_bytes() const {
    const std::int64_t keys = static_cast<std::int64_t>(kept_.size()) - 1;  // key 0 is the level's
    return keys * level_->initial.size() * static_cast<std::int64_t>(sizeof(float));
}

}  // namespace thalweg
