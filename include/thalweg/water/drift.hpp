// Leaves and foam that the water carries.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/grid.hpp"
#include "thalweg/grid/rectangle.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace thalweg {

/// A velocity, m/s.
struct WaterVelocity {
    double x = 0.0;  // to the east
    double y = 0.0;  // to the north
};

/// Water that carries things. Both functions are called at once from several threads.
struct DriftWater {
    Rectangle extent = {};  // m: what leaves it is gone
    /// The velocity at a point; steady.
    std::function<WaterVelocity(Position)> velocity = {};
    /// How far it is to the nearest rock or bank, m; negative beyond it. May be too small, never too large.
    std::function<double(Position)> distance_to_bank = {};
};

/// What drifts.
enum class DriftKind : std::uint8_t { Leaf = 0, Foam = 1 };

/// A line across the water over which things come in.
struct DriftInflow {
    Position begin;
    Position end;
    double rate = 1.0;  // 1/s
    DriftKind kind = DriftKind::Leaf;
    double lifetime =
        0.0;  // s, in which they fade: each in its own, of half to one and a half of it; 0: none
};

struct DriftParameters {
    double loop_period = 60.0;   // s, after which the same things are at the same places
    double time_step = 0.1;      // s
    double longest_age = 300.0;  // s, after which a thing has sunk
    double margin = 0.02;        // m, that things keep from the bank: half their size

    static void declare(Declaration<DriftParameters>& declaration);
};

/// Something that drifts, at one time.
struct Drifter {
    Position position;
    WaterVelocity velocity;
    double age = 0.0;        // s, since it came in
    double heading = 0.0;    // rad, from east counterclockwise
    std::int64_t entry = 0;  // the number of its entry in the loop
    std::uint64_t bits = 0;  // random, for looks
    DriftKind kind = DriftKind::Leaf;
    double left = 1.0;  // share of it that has not faded
};

/// The ways of all that comes in during a loop.
///
///   dp/dt = u(p),   by the midpoint rule (RK2);   m = round(rate T) entries of an inflow in a loop
///
/// Where a step would end within `margin` of the bank it slides along it: it is pushed back by the gradient
/// of the distance, or shortened. Steps are no longer than the distance to the bank, or twice the margin: so
/// no straight piece of a way leaves the water either. Ways end where they leave the extent or at the longest
/// age, or when the thing has faded, linearly with age. What comes in at t is there again at t + T: so the
/// drift loops, while ways may be longer than a loop. Order of convergence in the time step: 2. O(entries x
/// steps); the same bits on any number of threads; polls `progress` once a way. Throws Error::input for an
/// extent out of order and parameters or inflows that are not allowed. An entry that is not in the water is
/// left out.
///
/// Source: Peytavie et al. 2019, section 7 and figure 19, which give no method.
///
/// Example:
///     #include <cmath>
///     DriftWater stream{.extent = {.west = 0.0, .south = -2.0, .east = 30.0, .north = 2.0}};
///     stream.velocity = [](Position p) { return WaterVelocity{1.0 - 0.2 * p.y * p.y, 0.0}; };
///     stream.distance_to_bank = [](Position p) { return 2.0 - std::abs(p.y); };
///     const std::vector<DriftInflow> inflows = {{{0.0, -1.5}, {0.0, 1.5}, 0.5}};
///     const Drift leaves(stream, inflows, {.loop_period = 20.0}, seed, progress);
///     const std::vector<Drifter> at_4_s = leaves.at(4.0);
class Drift {
  public:
    Drift(const DriftWater& water, std::span<const DriftInflow> inflows, const DriftParameters& parameters,
          std::uint64_t seed, Progress& progress);

    /// All that drifts at a time [s], by entries, the youngest first. Throws Error::input unless it is
    /// finite.
    [[nodiscard]] std::vector<Drifter> at(double time) const;

    [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(ways_.size()); }

    /// A place on a way, and when it is reached.
    struct WayPoint {
        double age = 0.0;  // s
        Position position;
    };
    /// The straight pieces of an entry's way.
    [[nodiscard]] std::span<const WayPoint> way(std::int64_t entry) const {
        return ways_[static_cast<std::size_t>(entry)].points;
    }

  private:
    struct Way {
        double entered = 0.0;  // s, within the loop
        std::uint64_t bits = 0;
        DriftKind kind = DriftKind::Leaf;
        double lifetime = 0.0;  // s; 0: it does not fade
        std::vector<WayPoint> points = {};
    };

    double loop_period_;
    std::vector<Way> ways_;
};

}  // namespace thalweg
