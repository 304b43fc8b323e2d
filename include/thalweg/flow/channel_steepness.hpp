// Normalised channel steepness, k_sn: how steep rivers are for their drainage area.
#pragma once

#include "thalweg/flow/stream_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Rivers as entries that are joined to each other, one a cell.
struct JoinedCells {
    std::span<const std::int32_t> below;       // entry of the receiver, -1 at outlets
    std::span<const std::int32_t> main_donor;  // entry of the largest donor, -1 at sources
    std::span<const double> distance;          // m, to the outlet
    std::span<const double> chi;               // m, with A0 = 1 m^2
    std::span<const double> elevation;         // m
};

/// k_sn, m^(2 theta), of the river from the entry `upper` down to `lower`, by
///
///   S = k_sn A^-theta   (Flint 1974),   that is   dz / dchi = k_sn   with A0 = 1 m^2
///
/// as the slope of least squares of elevation over chi through all its cells (Perron and Royden 2013, eq. 6;
/// theta is the concavity of chi). Where it is shorter than `length` (m), as much river up its main donors
/// and down is taken with it, half and half, as far as there is any. NaN where that has a single cell.
/// Differs in: TopoToolbox's `ksn` takes S A^theta from cell to cell and then averages; both are the same
/// where S follows the law. O(cells that are taken).
double channel_steepness(const JoinedCells& cells, std::int32_t upper, std::int32_t lower, double length);

/// The same of `length` metres of river about every entry. O(entries times the cells in that length), in
/// parallel; the same bits on any number of threads.
///
/// Example:
///     const std::vector<double> steepness = channel_steepness(streams, 1000.0);
std::vector<double> channel_steepness(const StreamTree& streams, double length);

}  // namespace thalweg
