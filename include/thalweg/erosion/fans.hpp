// Fans: what rivers lay down where they leave steep valleys, and deltas where they come to the sea.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/conditioning.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// How much is laid down, and how it lies.
struct FanParameters {
    double fan_area = 5e5;       // m^2: rivers that drain less leave no fan
    double fan_thickness = 3.0;  // m, of rock over the catchment, that comes to rest
    double fan_slope = 0.10;     // m/m, at the apex, of a river that drains 1 km^2
    double fan_exponent = 0.25;  // 1, how fans flatten with area
    int lobes = 6;               // of which each fan is built

    static void declare(Declaration<FanParameters>& declaration);
};

/// What fans are laid on. All on one grid.
struct FanInputs {
    const Field<float>& elevation;  // m, of the ground; it or the water on it never rises along the tree
    const FlowTree& tree;           // to any of 8 neighbours, ordered
    const FlowBoundary& boundary;   // where water leaves
    Field<float> water = {};     // m, of the surface of sea and lakes; no data, or empty, where there is none
    Field<float> sediment = {};  // m, of rock, that each cell gives; empty: fan_thickness everywhere
    std::uint64_t seed = 0;

    [[nodiscard]] float water_at(std::int64_t cell) const { return water.empty() ? kNoData : water[cell]; }
    /// Whether a cell lies at or below standing water.
    [[nodiscard]] bool is_water(std::int64_t cell) const { return elevation[cell] <= water_at(cell); }
    /// Of the ground or of the water on it, m.
    [[nodiscard]] float surface(std::int64_t cell) const {
        return is_water(cell) ? water[cell] : elevation[cell];
    }
};

/// The head of a fan, where its river leaves the valley.
struct FanApex {
    std::int32_t cell = -1;
    Position place;              // m, for which it was planned: cells of any size tell the same
    double area = 0.0;           // m^2, that drains through it
    double slope = 0.0;          // s, m/m, of the fan at its apex
    double heading = 0.0;        // radians from east to north, of the valley that ends here
    bool is_delta = false;       // at the sea
    double resting_share = 1.0;  // of the sediment; the river carries the rest on
    double volume = 0.0;         // m^3, that its fan holds
    double left = 0.0;           // m^3, that its place does not take
};

struct FanReport {
    double demanded_volume = 0.0;  // m^3, of all fans
    double laid_volume = 0.0;      // m^3, above the ground: demanded and cut less left, to 1e-3
    double cut_volume = 0.0;       // m^3, below it, where rivers have cut through what dams them
    double left_volume = 0.0;      // m^3, over the edge of the map
};

struct Fans {
    Field<float> elevation;       // m
    std::vector<FanApex> apexes;  // the largest first
    FanReport report;
};

/// The terrain with a fan below each place where a river leaves a steep valley for gentle ground, and with a
/// delta where one comes to the sea or to a lake:
///
///   z' = max(z, H - D(d) - c),  D(d) = s L (1 - exp(-d / L)),  s = s1 (A / 1 km^2)^-q,  L = 4 sqrt(A)
///
/// s1 = `fan_slope`, q = `fan_exponent`; A: m^2 that drain through the apex; d: m, geodesic way from the apex
/// over ground that the fan covers, by first-order upwind differences (Sethian 1996), negative up the river;
/// c: channels that run down the fan, 3 m deep at most; H: m, so that the fan holds its volume. Under water
/// the surface falls 6 times as steeply. After Chen and Capart 2022; the constants are empirical.
///
/// Apexes: river cells with A >= `fan_area`, whose mean slope is above s over 500 m upstream, and under 0.8 s
/// over 1 km downstream; of those nearer than L / 2 to each other along one river, the one with the sharpest
/// break of slope; all that on the terrain averaged to cells of 62 to 125 m, at most sqrt(fan_area) / 5, if
/// its own are smaller, so that other cells find the same places. To each comes V = `fan_thickness` A, or the
/// sum of `sediment`; of this o^4 comes to rest, o: the share of a half cone of V that finds room above the
/// ground, where the river comes to the most open place within its radius. Less where a lobe would run
/// further than L, and by what lies beyond the edge of the map, where the ground goes on level.
///
/// Each fan is laid down in `lobes` parts, which turn about the apex, the largest fan first in each turn, so
/// that neighbours grow together. A lobe floods its ground: of the cells beside it that which needs the
/// lowest H comes next, until the H at which its volume lies on what is flooded is no higher; over a rim it
/// goes on into the ground beyond. Which way a lobe turns is a draw of the seed and of the apex's place in
/// metres.
///
/// Rivers then cross the fans: dams up to 10 m high are breached, ground behind higher ones is filled, and
/// channels as deep as the bankfull depth of Bieger et al. 2015 are cut into the deposit. What was filled and
/// cut counts for the fan on which, or beside which, it was: each is made thinner, or thicker by up to half,
/// until it holds its volume to 1e-4. Fans that are thin beside the beds cut into them, or small beside what
/// they shut off, miss it by more; all together hold theirs. No pit is left but lakes, nor a link that rises.
///
/// O(cells) for one route, and O(covered cells log) for each lobe; about 60 bytes a cell; lobes are laid one
/// after another; same bits on any number of threads; polls `progress`. Throws as route does.
///
/// Example:
///     const FlowBoundary boundary = {.roots = edge_roots(elevation)};
///     const FlowResult flow = route(elevation, lattice, boundary, {}, progress);
///     const Fans laid = fans({flow.elevation, flow.tree, boundary}, {.fan_thickness = 5.0}, progress);
Fans fans(const FanInputs& inputs, const FanParameters& parameters, Progress& progress);

}  // namespace thalweg
