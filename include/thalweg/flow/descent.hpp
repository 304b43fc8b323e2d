// Drainage by steepest descent on terrain as it is: pits stay, ties are broken at random, and columns may
// wrap.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// What lies beyond the edges of the grid, and where water leaves.
enum class Edges {
    Wrapped,  // the first and last columns are neighbours; water leaves over the south row, the north is a
              // wall
    Open,     // water leaves at every edge, and beside cells without data
    South,    // water leaves over the south row; the other edges are walls
    Closed    // all edges are walls
};

/// Cells where water leaves: 1, else 0. Where `edges` is not Open, cells without data are walls. O(cells).
Field<std::uint8_t> outlet_cells(const Field<float>& elevation, Edges edges);

/// Where a unit of water from every cell goes, each to its neighbour of steepest descent (drop over
/// distance), and through how many cells' hands it passes: `upstream_cells` counts the visits.
///
/// Source: Leheny 1995, "identifying rivers"; differs in: the drop is divided by the distance, which is
/// sqrt(2) to diagonal neighbours. `links` are the neighbours joined: kAxes or kAllEight. Equal slopes are
/// chosen from by a hash of (seed, cell). Outlets get kRoot; cells without a lower neighbour keep kPit, and
/// water that comes there stays. No depression is breached: that is route.hpp.
///
/// elevation in m or any unit, NaN is no data. O(cells); same bits on any number of threads; polls
/// `progress`; about 10 bytes per cell.
///
/// Example:
///     const FlowTree tree = descend(elevation, Edges::South, kAllEight, seed, progress);
FlowTree descend(const Field<float>& elevation, Edges edges, std::uint8_t links, std::uint64_t seed,
                 Progress& progress);

}  // namespace thalweg
