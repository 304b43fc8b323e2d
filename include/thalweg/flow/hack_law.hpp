// Hack's law: how long the rivers of basins are for their area.
#pragma once

#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace thalweg {

/// L = coefficient A^exponent.
struct HackFit {
    double exponent = 0.0;     // h, 1
    double coefficient = 0.0;  // c, m^(1 - 2 h)
    double r_squared = 0.0;    // 1, of the logarithms
};

/// One basin.
struct HackPoint {
    double area = 0.0;    // m^2
    double length = 0.0;  // m, of the longest flow path down to its outlet, from the divide
};

/// Basins, and the law that fits them.
struct HackLaw {
    double least_area = 0.0;        // m^2
    std::vector<HackPoint> points;  // in the order of their outlets' cells
    std::optional<HackFit> fit;     // absent with fewer than 10 points
};

/// Length and area of the basins of every river reach, and Hack's law (Hack 1957)
///
///   L = c A^h
///
/// by least squares of log L on log A. Rivers are the cells that `least_area` (m^2) or more drains through;
/// the basins are those above the last cell of every reach, where two rivers meet or one leaves the domain. L
/// runs from the divide, as Hack measured it, not from where a river begins. O(cells), serial.
///
/// Example:
///     const HackLaw law = hack_law(flow.tree, lattice, 1e6);
///     if (law.fit) std::printf("L = %g A^%g\n", law.fit->coefficient, law.fit->exponent);
HackLaw hack_law(const FlowTree& tree, const Lattice& lattice, double least_area);

}  // namespace thalweg
