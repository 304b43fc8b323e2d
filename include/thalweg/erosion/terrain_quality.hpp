// Measures by which eroded terrain is judged: its hypsometry, and whether it has discontinuities that no
// water explains, and whether its rivers follow the grid.
#pragma once

#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <array>
#include <span>
#include <vector>

namespace thalweg {

/// Drainage area from which rivers are judged by default, m^2 (1 km^2).
inline constexpr double kJudgedRiverArea = 1e6;

/// The lowest elevation, the nine inner deciles and the highest, m: hypsometry. A decile between two cells'
/// elevations is interpolated linearly. Cells without data do not count; empty where no cell has data.
/// O(cells), parallel; the same bits on any number of threads.
///
/// Example:
///     const std::vector<double> deciles = elevation_deciles(elevation);
///     const double median = deciles.at(5);  // m
std::vector<double> elevation_deciles(const Field<float>& elevation);

/// Share of the cells with data that lie higher above a neighbour to which `tree` does not connect them than
/// its distance. O(cells), parallel; the same bits on any number of threads.
double discontinuous_share(const Lattice& lattice, const FlowTree& tree, const Field<float>& elevation);

/// River length by direction, modulo 180 degrees and anticlockwise from east.
struct RiverDirections {
    static constexpr double kBinWidth = 5.0;  // degrees
    static constexpr int kBins = 36;

    std::array<double, kBins> length = {};  // m; bin i: from 5 i to 5 (i + 1) degrees

    [[nodiscard]] double total_length() const;  // m

    /// Share of length within 10 degrees of the grid's axes (of its diagonals), over the 2/9 that it is where
    /// no direction is preferred: 1 where no one sees the grid, 4.5 where every river follows it. NaN
    /// without rivers.
    [[nodiscard]] double axis_share() const;
    [[nodiscard]] double diagonal_share() const;

    /// Length in the bins of 10 degrees, from 0, 10, ... 170 degrees on, over their mean. NaN without rivers.
    [[nodiscard]] std::array<double, kBins / 2> ten_degree_bins() const;

    RiverDirections& operator+=(const RiverDirections& other);
    friend bool operator==(const RiverDirections&, const RiverDirections&) = default;
};

/// Directions of the rivers of `tree`: cells that drain at least `least_area` m^2.
///
/// A river cell's direction is that of the straight line through its node and those downstream, by least
/// squares, up to the first that lies 10 cells away or more, where nodes truly lie. (The chord alone has few
/// directions between cell centres: 0 and 5.7 degrees, but none from 6 to 11.) It counts with the chord's
/// length over the steps along it, so that a straight river counts with its length however the links zigzag.
/// Cells with no such node before the outlet are left out: a shorter line shows the links' directions
/// instead of the river's.
///
/// `drainage_area`: m^2, per cell of `tree`. Judge on a disc, or a square that stands across the grid: the
/// edges of a square draw rivers at right angles to themselves. O(cells), parallel; same bits on any number
/// of threads.
RiverDirections river_directions(const Lattice& lattice, const FlowTree& tree,
                                 std::span<const float> drainage_area, double least_area = kJudgedRiverArea);

}  // namespace thalweg
