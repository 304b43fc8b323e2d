// Water that parts: flow from each cell to several lower neighbours, or to one drawn at random.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// How the water of a cell is shared among its lower neighbours of 8.
///
/// D8       all of it along the tree's direction, the steepest.
/// Random   all of it to one, drawn with probability S_i / sum S_j, where S_i is the slope to neighbour i.
/// Freeman  the share S_i^p / sum S_j^p to each; p is `freeman_exponent`. Freeman 1991 (Computers and
///          Geosciences 17, 413-422), eq. 3, p = 1.1. For p -> infinity it is D8.
/// Dinf     down the steepest of the 8 planes through the cell and two neighbours, shared between these two
///          by the angle. Tarboton 1997 (Water Resources Research 33, 309-319), eqs. 1-6. Differs in: of a
///          plane that lacks a neighbour the other edge is looked at alone.
enum class Routing { D8, Random, Freeman, Dinf };

/// Which of them, and its numbers.
struct RoutingParameters {
    Routing routing = Routing::D8;
    double freeman_exponent = 1.1;  // p
    std::uint64_t seed = 1;         // of Random; not declared: stages set it

    static void declare(Declaration<RoutingParameters>& declaration);
};

// In all below, `elevation` (m, NaN is no data) and `direction` (directions.hpp, without pits) are those of a
// terrain that has been conditioned (conditioning.hpp): following directions never leads up, nor in a circle.
// Cells without a lower neighbour, in lakes and on flats, send all water along their direction; so no way
// leads in a circle here either. Roots keep what reaches them.

/// Directions by Random, one a cell, keyed by `seed` and the cell. O(cells), parallel.
std::vector<std::uint8_t> random_directions(const Field<float>& elevation,
                                            const std::vector<std::uint8_t>& direction, std::uint64_t seed);

/// Where the water of each cell goes by Dinf: clockwise from east in eighths of a turn, from 0 to less than
/// 8, so that the whole part numbers the first of the two receivers and the rest is the second one's share.
/// NaN for roots and cells without data. O(cells), parallel.
Field<float> dinf_bearings(const Field<float>& elevation, const std::vector<std::uint8_t>& direction);

/// Sum of `weight` over all that drains through each cell, itself included, by Freeman or Dinf. `weight` may
/// be any quantity per cell (m^2, m^3/s). Cells outside get 0. What reaches the roots is the sum of all
/// weights, to rounding.
///
/// O(cells), about 6 bytes a cell beside sums and bearings; by Freeman in strips at several threads, by Dinf
/// on one; same bits on any number of threads and width of vectors; polls `progress`.
///
/// Example:
///     const Field<float> bearing = dinf_bearings(flow.elevation, flow.tree.direction);
///     const Field<double> area =
///         accumulate_dinf(bearing, flow.tree.direction, Field<double>(grid, grid.cell_area()), progress);
Field<double> accumulate_freeman(const Field<float>& elevation, const std::vector<std::uint8_t>& direction,
                                 double exponent, Field<double> weight, Progress& progress);
Field<double> accumulate_dinf(const Field<float>& bearing, const std::vector<std::uint8_t>& direction,
                              Field<double> weight, Progress& progress);

/// The same ways as compass courses: degrees clockwise from north, from 0 to less than 360. O(cells).
Field<float> compass_degrees(const Field<float>& bearing);

/// Specific area, m: drainage area (m^2) over the width of contour that its water crosses. A cell whose way
/// down turns by an angle f from the nearest axis passes water over cell_size cos(f); this makes the
/// specific area of a plane the length of the way down it. Differs in: Tarboton 1997 takes cell_size, and
/// has 0.9 of this on average. Where there is no bearing the width is cell_size. Both on one grid. O(cells).
Field<float> specific_area(const Field<double>& drainage_area, const Field<float>& bearing);

}  // namespace thalweg
