// Quantities that add up along the way of the water: chi and flow length; and how height is spread.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// The numbers of chi.
struct ChiParameters {
    double concavity = 0.45;      // m/n, reference concavity
    double reference_area = 1.0;  // m^2, A0

    static void declare(Declaration<ChiParameters>& declaration);
};

/// Chi of every cell, m: the integral of (A0 / A)^(m/n) along its way from the root, by the trapezoidal rule.
/// Where a river is at steady state under even uplift and rock, its elevation rises in proportion to chi.
/// Source: Perron and Royden 2013 (Earth Surface Processes and Landforms 38, 570-576), eq. 6b.
/// drainage_area: m^2, on the tree's grid. 0 at roots, NaN outside. O(cells), serial.
///
/// Example:
///     const Field<double> chi_of_cells = chi(flow.tree, lattice, flow.drainage_area, {.concavity = 0.4});
Field<double> chi(const FlowTree& tree, const Lattice& lattice, const Field<double>& drainage_area,
                  const ChiParameters& parameters);

/// Length of the longest flow path along the tree that leads to each cell, m; 0 at sources, NaN outside.
/// O(cells), serial.
Field<double> longest_flow_length(const FlowTree& tree, const Lattice& lattice);

/// Hypsometric integral: the area under the hypsometric curve of all cells with data, which is
/// (mean - least) / (greatest - least) of their elevation, from 0 to 1. NaN where that is level or empty.
/// Source: Pike and Wilson 1971 (Geological Society of America Bulletin 82, 1079-1084). O(cells); the same
/// bits on any number of threads.
double hypsometric_integral(const Field<float>& elevation);

}  // namespace thalweg
