// What a whole river network amounts to.
#pragma once

#include "thalweg/river/network.hpp"

#include <optional>

namespace thalweg {

/// Lengths of a network, its order, and how it branches.
struct NetworkSummary {
    double length = 0.0;                  // m, of all reaches
    int max_strahler = 0;                 // 0 without reaches
    double trunk_length = 0.0;            // m, of the longest flow path from a source to an outlet
    std::optional<double> hack_exponent;  // h, 1
};

/// Sums a network up. The exponent is that of Hack's law (Hack 1957, h near 0.6),
///
///   L = c A^h
///
/// with L the length of the longest river above a place, m, and A the drainage area there, m^2. It is fitted
/// by least squares of log L on log A over the lower ends of all reaches of order 2 and higher: L begins
/// where the river does and not at the divide, which would make it steeper over headwaters. Absent with fewer
/// than 10 such reaches, or where all drain the same area. Where rivers part, each branch goes on from what
/// lies above. Reaches must lie upstream before downstream. O(reaches).
///
/// Example:
///     const NetworkSummary whole = summary_of(network);
///     std::printf("%.1f km of rivers up to order %d\n", whole.length / 1000.0, whole.max_strahler);
NetworkSummary summary_of(const RiverNetwork& network);

}  // namespace thalweg
