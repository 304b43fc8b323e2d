// Rivers as smooth lines for pictures.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/river/network.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// A reach as it is drawn: points downstream, with the flow at each.
struct PaintedRiver {
    std::int64_t reach = 0;  // its id
    std::vector<Position> points;
    std::vector<double> flow;  // m^3/s at bankfull, one per point, never falls downstream
};

/// The network's reaches as lines whose corners are cut twice (Chaikin 1974), ends held, so that they bend
/// smoothly. Flow, which is bankfull discharge, runs linearly from the sum of the reaches that join at the
/// upper end (half of the reach's own at a source, so that springs taper; no more than the reach's own, where
/// a river parts) to the reach's own; where no reach has any, drainage area [m^2] stands for it. Small rivers
/// come first, so that large ones are drawn over them; equal ones by id. O(points).
std::vector<PaintedRiver> river_lines(const RiverNetwork& rivers);

/// Greatest flow (or drainage area) that river_lines gives, 0 without rivers.
double greatest_flow(const RiverNetwork& rivers);

/// How wide the greatest river should be drawn on a picture of `area` m^2, over the width that suits one that
/// drains a third of it: its share to the power 0.3, from 0.45 to 1 (empirical), so that short rivers do not
/// look like streams of a continent. 1 where drainage areas are not known.
double river_prominence(const RiverNetwork& rivers, double area);

}  // namespace thalweg
