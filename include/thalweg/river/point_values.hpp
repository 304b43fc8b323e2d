// What rivers carry at the points of their lines, while lines are cut, joined and resampled.
#pragma once

#include "thalweg/river/network.hpp"

#include <cstddef>
#include <span>

namespace thalweg {

/// Gives body(column) each column of `values`: width, depth, discharge.
template <class Values, class Body>
void for_each_column(Values& values, const Body& body) {
    body(values.width);
    body(values.depth);
    body(values.discharge);
}

/// Appends what `source` holds at its points from `first` on, up to and without `end`; nothing of none.
void append_values(PointValues& values, const PointValues& source, std::size_t first, std::size_t end);

/// Appends what `source` holds on the path from its point `before` to the next one, linearly: at `before`
/// where `share` is 0, at the next point where it is 1; nothing of none.
void append_between(PointValues& values, const PointValues& source, std::size_t before, double share);

/// The values of line `from` at the points of another line of the same reach: linear between the points of
/// `from`, places compared by their share of either line's length. Ends keep their values to the bit, and a
/// column that never falls along one line never does along the other. O(points of both).
///
/// Example:
///     const Reach& reach = network.reaches.front();
///     const std::vector<RiverPoint> line = centreline({.points = reach.points}, 20.0);
///     const PointValues values = resampled_values(reach.values, reach.points, line);
PointValues resampled_values(const PointValues& values, std::span<const RiverPoint> from,
                             std::span<const RiverPoint> to);

}  // namespace thalweg
