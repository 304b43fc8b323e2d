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
};

enum class NodeKind {
    Source,
    Confluence,
    Outlet,
    Seam  // on the west or east edge, where a river leaves the grid and comes in again on the other side
};

/// Where reaches begin, join or end.
struct RiverNode {
    std::int64_t id = 0;
    NodeKind kind = NodeKind::Source;
    RiverPoint point;
};

/// A stretch of river between two nodes. `points` run downstream, first at `from_node`, last at `to_node`,
/// and their z never rises. Quantities hold at the downstream end, where they are no means. Where `to_node`
/// is a seam, the next reach begins at the seam's other node.
struct Reach {
    std::int64_t id = 0;
    std::int64_t next_down = -1;  // id of the reach it flows into, -1 at an outlet
    std::int64_t from_node = 0;
    std::int64_t to_node = 0;
    int strahler = 1;
    std::vector<RiverPoint> points;
    double length = 0.0;        // m, along the line
    double upland_area = 0.0;   // m^2, drainage area
    double discharge = 0.0;     // m^3/s
    double slope = 0.0;         // m/m, mean over the reach
    double width = 0.0;         // m
    double depth = 0.0;         // m
    double velocity = 0.0;      // m/s
    double sinuosity = 1.0;     // length over chord, 1
    bool drawn = false;         // whether half of it and more runs along a drawn line
    double stream_power = 0.0;  // m: mean over the reach of sqrt(drainage area) times slope
    double steepness = 0.0;     // k_sn, m^(2 m/n) (channel_steepness.hpp)
};

/// A forest of reaches: following `next_down` always ends at an outlet. Ids are stable for a given project:
/// they derive from the cells where nodes lie. Reaches are stored upstream before downstream, in a fixed
/// order; nodes as network_checks.hpp orders them. Lengths and areas are those that a file in kilometres
/// gives back to the bit (file_units.hpp).
struct RiverNetwork {
    std::vector<RiverNode> nodes;
    std::vector<Reach> reaches;
    std::string crs;  // WKT, empty for a local metre grid
};

}  // namespace thalweg
