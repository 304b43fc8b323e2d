// Erosion by single units of rain that walk downhill at random, and mudslides: Leheny's model of river
// networks.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/descent.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace thalweg {

/// What a unit of rain does that comes to a cell without a lower neighbour. It stays there in any case.
enum class RainPits {
    Keep,   // its way is not eroded, since nothing carries the rock out
    Deepen  // its way is eroded like any other, the pit too
};

/// Which cells are neighbours.
enum class Neighbours { Four, Eight };

/// Their links (flow/directions.hpp): kAxes or kAllEight.
std::uint8_t links_of(Neighbours neighbours);

/// The numbers of the model. Heights are in units of the model, which have no length of their own: h, 1/E, D
/// and M scale together.
struct RainParameters {
    std::int64_t events = 10000;  // units of rain, 1
    double erosivity = 0.05;    // E, 1/unit: how strongly rain prefers the steepest way; 0 takes any way down
    double depth = 10.0;        // D, units that a visit takes off a cell
    double landslide = 2000.0;  // M, units: greatest difference of height between neighbours
    double landslide_share = 0.25;  // of the difference that the taller cell loses at once, 1
    Neighbours neighbours = Neighbours::Eight;
    RainPits pits = RainPits::Keep;

    static void declare(Declaration<RainParameters>& declaration);
};

/// What the events did.
struct RainReport {
    std::int64_t events = 0;
    std::int64_t trapped = 0;    // events that ended in a pit
    std::int64_t visits = 0;     // cells that were visited, all events together; of kept ways too
    std::int64_t eroded = 0;     // visits that took D off a cell
    std::int64_t mudslides = 0;  // times that a cell lost its share
    double removed = 0.0;        // units x cells, by visits and mudslides together
};

/// Terrain after the rain, and what the rain did.
struct RainResult {
    Field<float> elevation;  // units
    RainReport report;
};

/// Terrain after `events` units of rain, one after the other. Each
///
///   - falls on a cell, all with data being equally likely,
///   - walks to a lower neighbour i, with p(i) = exp(-E dh_i) / N, dh_i = h_i - h_0 < 0, and N the sum over
///     the lower neighbours, until it comes to an outlet (outlet_cells in flow/descent.hpp) or to a pit,
///   - lowers each cell of its way by D, outlet included, once the way is known,
///   - after which, wherever neighbours differ by more than M, the taller one loses `landslide_share` of the
///     difference, until none do. Each cell that was lowered looks in turn (first come, first served) at its
///     neighbours clockwise from the east, and a neighbour that it brought down joins the end of the queue.
///     Before the first of them the whole terrain is looked at, row by row.
///
/// Source: Leheny 1995, as retold with E = 0.05, D = 10, M = 2000. Differs in: pits, which his start does
/// not have and his events do not make (`pits`); any terrain and edges. Heights become negative. exp is
/// taken of E times what a neighbour is higher than the lowest one, so that it can't overflow, and right to
/// 3e-7. Where a slide's share is lost to rounding, the cell falls by the least that float can hold.
///
/// elevation in units, NaN is no data: never visited, and a wall where the edges are not open. About 18 bytes
/// per cell; time follows the visits, not the cells. Serial, since each event depends on the last; draws are
/// hashes of (seed, event, step). Polls `progress` every few milliseconds. Throws Error::input for heights
/// beyond +-1e30.
///
/// Example:
///     const Field<float> start = tilted_plane(make_grid(64.0, 64.0, 64), 10.0);
///     const RainResult rained = rain_events(start, Edges::South, {.events = 5000}, seed, progress);
RainResult rain_events(const Field<float>& elevation, Edges edges, const RainParameters& parameters,
                       std::uint64_t seed, Progress& progress);

/// All that events have changed, as plain data. Rain goes on from it to the bit, and from one that was
/// changed by hand: with other heights or other parameters, where `is_unsettled` is then to be set.
struct RainState {
    Field<float> elevation;  // units
    RainReport report;
    bool is_unsettled = true;  // whether the whole terrain is looked at for mudslides after the next event
    // Cells that the last event still has to look at for mudslides, in their order, where it was cancelled.
    std::vector<std::int64_t> waiting;
};

/// The same rain, event after event: that of rain_events to the bit, in however many calls, and however often
/// it was saved by `state` in between.
class RainEvents {
  public:
    /// Goes on from `state`; of a terrain on which no rain has fallen, only `elevation` is set. Of the
    /// parameters, `events` is not looked at. Throws as rain_events does.
    RainEvents(const RainState& state, Edges edges, const RainParameters& parameters, std::uint64_t seed);
    RainEvents(RainEvents&& other) noexcept;
    RainEvents& operator=(RainEvents&& other) noexcept;
    ~RainEvents();

    /// Lets it rain until so many events have fallen since the start; none, where they have already or no
    /// cell has data. Throws Cancelled, after which another call goes on within the event that was cancelled.
    void advance(std::int64_t events, Progress& progress);

    /// Events that have fallen since the start.
    [[nodiscard]] std::int64_t events() const;

    [[nodiscard]] RainState state() const;

  private:
    class Terrain;
    std::unique_ptr<Terrain> terrain_;
};

}  // namespace thalweg
