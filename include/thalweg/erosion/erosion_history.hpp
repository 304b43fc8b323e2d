// Terrain through a history of uplift, over rock that is laid open as it goes.
#pragma once

#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/uplift_history.hpp"
#include "thalweg/flow/lattice.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace thalweg {

/// Erodibility [m^(1-2m)/yr] of the rock that was at height `z` [m, on any grid of the place, NaN: no data]
/// at time 0, before it rose.
using ErodibilityOfRock = std::function<Field<float>(const Field<float>& z, Progress& progress)>;

/// What a history starts from.
enum class HistoryStart {
    Steady,  // the steady state of `start_uplift` on the terrain that is given
    Terrain  // the terrain that is given
};

/// What happens, and from when.
struct HistoryParameters {
    HistoryStart start = HistoryStart::Steady;
    double start_uplift = 3e-4;           // m/yr, even, Steady only
    std::vector<UpliftEpisode> episodes;  // one after another
    Field<float> risen = {};              // m, how far rock has risen before; empty: it has not
};

/// A terrain that goes through a history: at steady state first, then in increments in which rock rises by
/// kGreatestRise at most, each the closed form at full size (erode.hpp) with the erodibility of the rock at
/// the ground that was reached before.
///
/// From steady state on, the ground lies at the displaced nodes of the mesh that the steady state was found
/// on, whose rivers follow no rows and columns; the last kSettlingTime before a time that is asked for are
/// solved on the raster's cells, along the steepest of 8 neighbours, which gives rivers their beds there.
/// Terrain that is given stays on its own cells throughout.
///
/// Over rock, a grid of more than 256 cells along its longer side goes through the most of a history as one
/// of 256 cells at most, the parent grid, which all sizes share (one-way nesting), and from there on at its
/// own cells: captures of one river by another, which small differences decide, are then the same at every
/// size. It leaves the parent kRefinedTime before the end, or by another whole number of them for an earlier
/// time, and within kFadeTime the ground fades from that which left it one earlier: no valley leaps in
/// animations. At steady state the rock is looked up twice, at the terrain that is given and at the steady
/// state that came of it, that of the parent grid too; more often does not settle, since beds of n = 1 hold
/// no steady form (Perne et al. 2017).
///
/// Answers do not depend on the order of times. What is kept: the terrain at the end of the last increment,
/// and at the ends of kKeptStates others at most, evenly apart, so that a time among those that were asked
/// before costs few increments, of grids that all increments are solved on; with a parent, what came of two
/// or three times at which it was left, at the end of an increment. 8 bytes a cell each.
///
/// Example:
///     ErosionHistory history(inputs, {.episodes = episodes_of(HistoryPreset::RisingBlock)}, {}, {}, seed);
///     const Field<float> young = history.at(3e5, progress);
class ErosionHistory {
  public:
    static constexpr double kGreatestRise = 150.0;  // m; half of it gives nearly the same terrain (0.99)

    /// `inputs.uplift` is the map of painted episodes, where 1 is an episode's rate. `inputs.erodibility` is
    /// not read where there is `rock`; `erosion`'s time, method and lattice are not either. Throws
    /// Error::input as check_episodes and erode() do, and for a painted episode without a map.
    ErosionHistory(ErosionInputs inputs, HistoryParameters history, const ErosionParameters& erosion,
                   ErodibilityOfRock rock, std::uint64_t seed);

    static constexpr std::size_t kKeptStates = 16;
    static constexpr double kSettlingTime = 2e4;   // yr: leaves few pits (empirical)
    static constexpr double kRefinedTime = 3.0e5;  // yr: beds stand out, and rivers stay (empirical)
    static constexpr double kFadeTime = 1.0e5;     // yr: no faster than the ground wears (empirical)

    [[nodiscard]] double duration() const;  // yr, of all episodes

    /// Elevation `time` years after the start, m; beyond duration() that at its end. O(cells) for every
    /// increment that is still to be done, about 600 ns each. Polls `progress`.
    Field<float> at(double time, Progress& progress);

    /// How far the rock has risen since the start, m, when `at` was asked last.
    [[nodiscard]] const Field<float>& risen() const { return risen_; }

  private:
    /// A part of an episode, in which the law is solved once.
    struct Increment {
        std::size_t episode = 0;
        double begin = 0.0;  // yr
        double end = 0.0;    // yr
    };
    struct State {
        Field<float> elevation;  // m, at the nodes
        Field<float> risen;      // m
    };
    /// What came of the parent's ground on the own cells.
    struct RefinedState {
        double time;  // yr, the end of an increment
        State state;
    };

    void begin(Progress& progress);
    [[nodiscard]] bool has_parent() const;
    void begin_parent(Progress& progress);
    void cut_increments(Progress& progress);
    [[nodiscard]] Field<float> ground_of_first_look(const ErosionInputs& inputs,
                                                    const ErosionParameters& steady,
                                                    Progress& progress) const;
    Field<float> find_steady_state(Progress& progress);
    void keep(std::size_t increments, State state);
    [[nodiscard]] Field<float> risen_at(double time, Progress& progress) const;
    [[nodiscard]] Field<float> carried(const Field<float>& of_parent, Progress& progress) const;
    [[nodiscard]] State parent_state_at_nodes(double time, Progress& progress);
    [[nodiscard]] State state_at(double time, Progress& progress);
    [[nodiscard]] State refined_from(double from, double time, Progress& progress);
    [[nodiscard]] State refined_state_at(double time, Progress& progress);
    void age(State& state, double from, double to, ErosionLattice lattice, Progress& progress) const;
    void age(State& state, const Increment& increment, ErosionLattice lattice, Progress& progress) const;
    [[nodiscard]] ErosionInputs inputs_at(const Field<float>& ground, const Field<float>& risen,
                                          std::size_t episode) const;
    [[nodiscard]] Field<float> ground_of(const Field<float>& nodes, Progress& progress) const;

    ErosionInputs inputs_;
    HistoryParameters history_;
    ErosionParameters erosion_;
    ErodibilityOfRock rock_;
    std::uint64_t seed_;
    Grid home_;                               // by which uplift is placed: that of the answers
    std::unique_ptr<ErosionHistory> parent_;  // on few cells; none: all increments are its own
    Field<float> first_look_;  // m, the ground at which the rock of the steady state was looked up
    Lattice mesh_;             // that the ground lies on; not displaced: the raster's cells
    Field<float> start_;       // m, the ground at time 0 on the raster; at the nodes it is kept_[0]
    std::vector<Increment> increments_;
    std::map<std::size_t, State> kept_;  // by how many increments are done; 0 is the start; empty: not begun
    std::map<double, RefinedState> refined_;  // by when the parent was left, yr; two or three of them
    std::size_t stride_ = 1;  // of which numbers that are kept are multiples, but for the last
    Field<float> risen_;
};

}  // namespace thalweg
