// The natural planform of rivers that were drawn with few points.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/drawn_river.hpp"
#include "thalweg/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// The rivers as they wind between their drawn points: the whole plane is moved by octaves of gradient noise,
///
///   p <- p + 0.17 s w (n_1(p / s), n_2(p / s))     for s = 2^(j/3) m, from the smallest to the largest
///
///   n_1, n_2   noise of octave j, a hash of `seed` and place, in [-1, 1]
///   w          1 where 7 b <= s <= h / 1.2; it fades to 0 at s = h / 0.4 and at s = 3.5 b
///   h          m: the distance between the drawn points, growing by a metre a metre away from each segment;
///              0 at both ends of every river, and along locked ones
///   b          m: width of the river, falling by a metre every 14 m away from it
///
/// so that courses are self-similar from the spacing of the drawn points down to the wavelength of meanders,
/// about 11 widths (Leopold and Wolman 1960), with a length that grows by 3.4 % for every halving of the
/// scale: a fractal dimension of 1.05, as Tarboton et al. 1988 measured on single streams.
///
/// b = 2.7 A^0.352, A in km^2 (Bieger et al. 2015), from the length L in km along the drawn river by
/// L = 1.27 A^0.6 (Hack 1957). A river that is drawn as finely as it winds stays where it is.
///
/// Each octave moves the plane without folding it (its gradient stays below 1), and so do all together: lines
/// that do not cross are not made to cross, and those that meet still meet, at the same point of both. Ends
/// stay, and so does each place where a river ends on another. No place moves by more than 1.4 h, and few by
/// more than 0.25 h.
///
/// `grid`: of the finest level. Octaves with s below its cell size are left out: a larger one only
/// leaves out octaves, so that sizes agree within half a cell of the larger one. Points are laid half a cell
/// apart where a river winds and is near the grid. Rivers are as check_rivers lets them pass. O(points made x
/// octaves x segments around), serial; a river keeps its place in the list. Polls `progress` once a segment.
///
/// Example:
///     const std::vector<DrawnRiver> drawn = {{.points = {0.0, 0.0, 20000.0, 5000.0}}};
///     const std::vector<DrawnRiver> winding = natural_planform(drawn, grid, seed, progress);
std::vector<DrawnRiver> natural_planform(const std::vector<DrawnRiver>& rivers, const Grid& grid,
                                         std::uint64_t seed, Progress& progress);

}  // namespace thalweg
