// Rivers that are given as lines, and the links of a lattice along which they make water run.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/flow/river_courses.hpp"
#include "thalweg/grid/field.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace thalweg {

/// A river as a line that runs downstream.
struct DrawnRiver {
    std::vector<double> points;  // m: x0, y0, x1, y1, ..., at least two different points
    bool locked = false;         // whether it runs straight from point to point (river_planform.hpp)

    static void declare(Declaration<DrawnRiver>& declaration);
};

/// Throws Error::input for a river of fewer than two points or an odd number of coordinates, with one that
/// is not finite, that ends where it begins, or that does not touch `grid`. `origin` begins the message.
/// O(points).
void check_rivers(std::span<const DrawnRiver> rivers, const Grid& grid, const std::string& origin = "");

/// Places in `rivers` of those that run over roots and cells without data (NaN) alone, and so lead no water.
/// elevation and roots have the same grid, which each river touches. O(length of the lines in cells).
std::vector<std::size_t> rivers_off_land(std::span<const DrawnRiver> rivers, const Field<float>& elevation,
                                         const Field<std::uint8_t>& roots);

/// Turns those rivers round that end higher than they begin, as `elevation` (m, NaN: no data) has it at the
/// first and the last cell with data along them. elevation: on a grid that each river touches. O(length of
/// the lines in cells).
///
/// Example:
///     std::vector<DrawnRiver> rivers = {{.points = {0.0, 0.0, 4000.0, 1500.0, 9000.0, 2000.0}}};
///     check_rivers(rivers, elevation.grid());
///     turn_downhill(rivers, elevation);
void turn_downhill(std::span<DrawnRiver> rivers, const Field<float>& elevation);

/// What becomes of the rest of a river beyond the place where it met another and joined it.
enum class AtCrossings {
    End,       // it is dropped
    BeginAnew  // it is a river of its own
};

/// The chains of linked nodes that lie nearest to the rivers, each node once in a chain: loops are cut off
/// where a line crosses itself. A river that leaves the grid, or comes upon a cell without data, goes on as
/// another where it enters again; one that reaches a root ends there, and goes on as another beyond it. Where
/// a river meets one given before it, it joins it, and what is left of it is dropped; unless it would itself
/// run on to a root or further than the other, which is not drained by a root: then the other joins it.
/// Rivers that run into each other head on both end where they meet. With `at_crossings` BeginAnew, what
/// would be dropped begins anew behind the place where rivers meet. elevation (NaN: no data) and roots: on
/// `lattice`'s grid. O(length of the lines in cells), and O(cells) of memory.
RiverCourses courses_on(const Lattice& lattice, std::span<const DrawnRiver> rivers,
                        const Field<float>& elevation, const Field<std::uint8_t>& roots,
                        AtCrossings at_crossings = AtCrossings::End);

}  // namespace thalweg
