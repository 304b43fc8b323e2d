// RiverNetwork: rivers as connected lines, with what they carry.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

/// A point of a river's line: world position and the elevation of the bed, m.
struct RiverPoint {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;

    bool operator==(const RiverPoint&) const = default;
};

/// What happens at a node.
enum class NodeKind {
    Source,
    Confluence,
    Outlet,
    Seam,  // on the west or east edge, where a river leaves the grid and comes in again on the other side
    Bifurcation  // where a river parts, whether others join there or not
};

/// Where reaches begin, join, part or end.
struct RiverNode {
    std::int64_t id = 0;
    NodeKind kind = NodeKind::Source;
    RiverPoint point;

    bool operator==(const RiverNode&) const = default;
};

/// What a river carries at each point of its line: columns of as many values as there are points, or all
/// three empty, where only the reach as a whole is known. They are single precision, as layers are: a line of
/// a million points is moved and resampled thousands of times.
struct PointValues {
    std::vector<float> width;      // m, of the water at bankfull
    std::vector<float> depth;      // m, of the water at bankfull
    std::vector<float> discharge;  // m^3/s, mean flow

    bool operator==(const PointValues&) const = default;
    [[nodiscard]] bool empty() const { return width.empty() && depth.empty() && discharge.empty(); }
};

/// A stretch of river between two nodes. `points` run downstream, first at `from_node`, last at `to_node`.
/// Quantities hold at the downstream end, where they are no means, and `values` at every point.
///
/// Nodes join reaches: the reaches below this one are all that begin at its `to_node`, those above all that
/// end at its `from_node` (reach_graph.hpp), and the two nodes of a seam count as one. `next_down` is the
/// main one below. Where a river parts, a branch's share of the flow is its discharge over that of all
/// reaches that begin there.
struct Reach {
    std::int64_t id = 0;
    std::int64_t next_down = -1;  // id of the main reach that it flows into, -1 at an outlet
    std::int64_t from_node = 0;
    std::int64_t to_node = 0;
    int strahler = 1;
    std::vector<RiverPoint> points = {};
    PointValues values = {};
    double length = 0.0;              // m, along the line
    double upland_area = 0.0;         // m^2, drainage area
    double discharge = 0.0;           // m^3/s, mean flow; 0 where it is not known
    double bankfull_discharge = 0.0;  // m^3/s, the flow behind width, depth and velocity
    double slope = 0.0;               // m/m, mean over the reach
    double width = 0.0;               // m, at bankfull
    double depth = 0.0;               // m, at bankfull
    double velocity = 0.0;            // m/s, at bankfull
    double sinuosity = 1.0;           // length over chord, 1
    bool drawn = false;               // whether half of it and more runs along a drawn line
    double stream_power = 0.0;        // m: mean over the reach of sqrt(drainage area) times slope
    double steepness = 0.0;           // k_sn, m^(2 m/n) (flow/channel_steepness.hpp)
    std::int64_t children = 0;        // reaches that edits have made out of it so far (network_edits.hpp)
    std::string type = {};            // as files name it (riverscape/river_types.hpp); empty: not known

    bool operator==(const Reach&) const = default;
};

/// One of several channels in which the water of a reach runs: of a braid, or of a delta beyond its end.
struct NetworkBranch {
    std::int64_t id = 0;
    std::int64_t reach = 0;  // id
    double share = 1.0;      // of the water of the reach
    std::vector<RiverPoint> points = {};
    PointValues values = {};

    bool operator==(const NetworkBranch&) const = default;
};

/// Rivers as a graph of reaches without a way that comes round to itself: a forest, in which every reach has
/// one way down and no bed rises (extract.hpp), or a general network, in which rivers also part and meet
/// again, as in braids and deltas, and beds may rise over bars (NetworkProfile of network_checks.hpp).
///
/// Ids are stable for a given project: they derive from the cells where nodes lie, and edits keep them
/// (network_edits.hpp), so that networks of different times are compared reach by reach, with ==. Reaches
/// are stored upstream before downstream, in a fixed order; nodes as network_checks.hpp orders them. Lengths
/// and areas are those that a file in kilometres gives back to the bit.
///
/// Example:
///     double length_to_outlets = 0.0;  // m
///     for (const Reach& reach : network.reaches)
///         if (reach.next_down < 0) length_to_outlets += reach.length;
struct RiverNetwork {
    std::vector<RiverNode> nodes;
    std::vector<Reach> reaches;
    std::string crs;  // WKT, empty for a local metre grid
    std::vector<NetworkBranch> branches =
        {};  // of reaches that run in several channels; of files, GeoPackages alone have them

    bool operator==(const RiverNetwork&) const = default;
};

}  // namespace thalweg
