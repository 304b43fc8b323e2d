// Exponents of a drainage network: how basins are distributed in size, and how long their rivers are.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"

namespace thalweg {

/// NaN where a tree is too small for three octaves of area.
struct DrainageExponents {
    double area;  // beta of P(A >= a) ~ a^-beta; rivers of nature: 0.43 +- 0.02
    double hack;  // h of L ~ A^h, L the longest flow path upstream; rivers of nature: 0.57 to 0.6
};

/// Straight lines through the logarithms, by least squares, at areas of 8, 16, 32, ... cells up to a
/// hundredth of the tree's cells: beta through the shares of cells that at least so many drain through, h
/// through the mean logarithms of length and area of the cells of each octave. Where an octave has fewer than
/// 8 cells, the lines end. Lengths run along the links from centre to centre.
///
/// Sources: Rodriguez-Iturbe et al. 1992 (beta), Hack 1957 (h). The bounds are empirical: below 8 cells links
/// of the grid count, above a 500th the size of the grid does. O(cells), 8 bytes per cell, serial; polls
/// `progress`.
///
/// Example:
///     const auto [beta, hack] = drainage_exponents(flow.tree, progress);
DrainageExponents drainage_exponents(const FlowTree& tree, Progress& progress);

}  // namespace thalweg
