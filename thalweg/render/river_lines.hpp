// Rivers as smooth lines for pictures.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/river/network.hpp"

#include <vector>

namespace thalweg {

/// A reach as it is drawn: points downstream, with the discharge at each.
struct RiverLine {
    std::vector<Position> points;
    std::vector<double> discharge;  // m^3/s, one per point, never falls downstream
};

/// The network's reaches as lines whose corners are cut twice (Chaikin 1974), ends held, so that they bend
/// smoothly. Discharge runs linearly from the sum of the reaches that join at the upper end (half of the
/// reach's own at a source, so that springs taper) to the reach's own; where no reach has any, drainage area
/// [m^2] stands for it. Small rivers come first, so that large ones are drawn over them; equal ones in their
/// stored order. O(points).
std::vector<RiverLine> river_lines(const RiverNetwork& rivers);

/// Greatest discharge (or drainage area) that river_lines gives, 0 without rivers.
double greatest_discharge(const RiverNetwork& rivers);

}  // namespace thalweg
