// A network of rivers that wanders, year after year.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_parameters.hpp"
#include "thalweg/meander/meander_state.hpp"
#include "thalweg/river/network.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace thalweg {

/// What the network has come to.
struct MeanderReport {
    std::int64_t points = 0;  // of all lines that have water: branches, and channels that have none
    std::int64_t steps = 0;
    std::int64_t cutoffs = 0;
    std::int64_t crevasses = 0;
    std::int64_t avulsions = 0;
    std::int64_t captures = 0;
    std::int64_t chutes = 0;
    std::int64_t bifurcations = 0;    // of braids and deltas
    std::int64_t confluences = 0;     // likewise
    std::int64_t closures = 0;        // likewise
    std::int64_t branches = 0;        // that braids and deltas have now
    std::int64_t self_crossings = 0;  // of all channels, with themselves and others
    double sinuosity = 1.0;           // length of all channels over that of their chords
};

/// Rivers that migrate (migration.hpp), cut off their bends, burst their banks and meet: the network N(t) of
/// Paris et al. 2023, sections 4 to 6. Nodes stay where they are. A step is `time_step` years of migration;
/// after one to eight of them, as many as the narrowest channel lets pass without moving 0.45 of its width,
///   - bends whose limbs are within a width are cut off (Howard and Knutson 1984), the loops kept;
///   - where two channels are within a width, the one upstream of the other ends there, or else the one of
///     less discharge: it flows into the other at a new node, what it has left is kept, and discharge, width
///     (by its root) and depth are those of the water that comes now;
///   - points are spaced evenly again where they are not, and beds made to fall.
/// Differs in: bends meet within the mean of both widths; a river that has lost all its water ends.
///
/// The same network, parameters, terrain and seed give the same bits on any number of threads and in however
/// many calls. O(points) a step.
///
/// Example:
///     MeanderSimulation rivers(network, {}, std::nullopt, 1);
///     for (int step = 0; step < 200; ++step) rivers.step(progress);
///     const RiverNetwork after = rivers.network();
class MeanderSimulation {
  public:
    /// `network` is one that check_network lets pass as a DownhillForest, with values at all points and
    /// widths greater than 0. `elevation` (m) is that of the ground, or nothing for a plain without end.
    /// Its branches go on as braids and deltas where the parameters ask for these.
    /// `rock_erodibility` is by what wall_erodibility is multiplied place by place. Throws Error::input with
    /// one sentence for anything else.
    MeanderSimulation(RiverNetwork network, const MeanderParameters& parameters,
                      std::optional<Field<float>> elevation, std::uint64_t seed,
                      std::optional<Field<float>> rock_erodibility = std::nullopt);
    /// Goes on from a state of another.
    explicit MeanderSimulation(MeanderState state);
    MeanderSimulation(MeanderSimulation&&) noexcept;
    MeanderSimulation& operator=(MeanderSimulation&&) noexcept;
    ~MeanderSimulation();

    [[nodiscard]] double year() const { return state_.year(); }
    void step(Progress& progress);

    /// The channels as they are now, as the history holds them.
    [[nodiscard]] RecordedNetwork recorded() const;
    /// Adds these to the history, and takes courses out of it that are older than `kept_years`.
    void record();

    [[nodiscard]] RiverNetwork network() const;
    [[nodiscard]] const MeanderHistory& history() const { return state_.history; }
    [[nodiscard]] MeanderReport report() const;

    [[nodiscard]] const MeanderState& state() const { return state_; }

  private:
    struct Scratch;

    MeanderState state_;
    std::unique_ptr<Scratch> scratch_;  // what steps work with; nothing depends on it
};

}  // namespace thalweg
