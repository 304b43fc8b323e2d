// Networks from lines that say nothing but where rivers run.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/river/network.hpp"

#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// A river as a line, downstream, and its width at each point (m), or one for all, or none.
struct RiverLine {
    std::vector<RiverPoint> points;
    std::vector<float> widths = {};
};

/// A network of lines: a reach each, downstream, which meet where an end of one is within a millimetre of an
/// end of another. Widths are those of the lines or `width` (m). Depth follows from w = 18.8 d^1.41 (Konsoer
/// et al. 2013), mean discharge from w = 10 Q^0.5 in m and m^3/s (empirical; it only says which of two rivers
/// is the larger). Beds are those of `elevation` (m), where it is given and has data, less the depth, at
/// points that are added so that none is further than a cell from the next; or else those of the points, or
/// of the point before; they are made to fall. Throws Error::input, with `origin` before it, for a line of
/// fewer than two different points, a width that is not greater than 0, a line that ends where it begins, and
/// lines whose water comes round to itself. Points at the place of the one before are left out. O(points).
///
/// Example:
///     const RiverNetwork network = network_of_lines({{.points = {{0, 0, 5}, {900, 40, 4}}}}, 60.0, {},
///     "line");
RiverNetwork network_of_lines(std::vector<RiverLine> lines, double width,
                              const std::optional<Field<float>>& elevation, const std::string& origin);

}  // namespace thalweg
