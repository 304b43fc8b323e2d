// Quantities derived from a flow tree: slopes, stream power, stream order, basins, ways to the outlet.
#pragma once

#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

// All are O(cells) and give the same bits on any number of threads. Cells without data get NaN in float
// fields, 0 in whole-number ones unless said otherwise. Fields must have the tree's grid.
namespace thalweg {

/// Slope along each cell's receiver: (z(cell) - z(receiver)) / distance, m/m. Roots get 0. It is negative
/// where a receiver lies higher, which happens on elevations that have not been conditioned.
Field<float> receiver_slope(const Field<float>& elevation, const FlowTree& tree, const Lattice& lattice);

/// Slope of steepest descent: the greatest drop over distance to a linked neighbour, m/m; 0 where none is
/// lower.
Field<float> steepest_slope(const Field<float>& elevation, const Lattice& lattice);

/// Stream power P = sqrt(A) S, in m, with drainage area A in m^2 and slope S in m/m
/// (Peytavie et al. 2019, sec. 4, after Cordonnier et al. 2016).
///
/// Example:
///     const Field<float> slope = receiver_slope(flow.elevation, flow.tree, lattice);
///     const Field<float> power = stream_power(flow.drainage_area, slope);
Field<float> stream_power(const Field<double>& drainage_area, const Field<float>& slope);

/// Horton-Strahler order of every cell (Strahler 1957): 1 without donors, and one more than the highest order
/// of its donors where at least two have that order. 0 outside.
Field<std::int32_t> strahler_order(const FlowTree& tree);

/// Which root each cell drains to: roots are numbered 1, 2, ... in row-major order. 0 outside.
Field<std::int32_t> basin_labels(const FlowTree& tree);

/// In the code below, of cells without data.
inline constexpr std::uint8_t kEsriNoData = 255;

/// A direction (directions.hpp) in the D8 code of ESRI and most GIS programs: 1 east, 2 south-east, 4 south,
/// 8 south-west, 16 west, 32 north-west, 64 north, 128 north-east; 0 for roots, kEsriNoData outside.
inline std::uint8_t esri_direction(std::uint8_t direction) {
    // Both number the directions clockwise from east.
    return direction < kRoot    ? static_cast<std::uint8_t>(1U << direction)
           : direction == kRoot ? 0
                                : kEsriNoData;
}

/// Receiver of each cell in that code.
Field<std::uint8_t> esri_directions(const FlowTree& tree);

/// Length of the way down the tree to the root, m; 0 at roots, NaN outside.
Field<double> distance_to_outlet(const FlowTree& tree, const Lattice& lattice);

}  // namespace thalweg
