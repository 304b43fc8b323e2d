// Slope-area analysis: how steep rivers are for the area that drains to them.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace thalweg {

/// How slopes are measured, and where rivers begin.
struct SlopeAreaParameters {
    double least_area = 1e6;  // m^2, from which cells count as rivers in the fit
    double drop = 10.0;       // m, over which slopes are taken; 0: to the next cell
};

/// Cells of about equal drainage area.
struct SlopeAreaBin {
    double area = 0.0;  // m^2, median
    std::int64_t cells = 0;
    double lower_quartile = 0.0;  // m/m, of slope
    double median = 0.0;
    double upper_quartile = 0.0;
};

/// S = steepness A^-concavity, through the medians of the bins from `least_area` to `greatest_area`.
struct SlopeAreaFit {
    double concavity = 0.0;      // theta, 1
    double steepness = 0.0;      // k_s, m^(2 theta)
    double least_area = 0.0;     // m^2, of the first bin
    double greatest_area = 0.0;  // m^2, of the last
    double r_squared = 0.0;      // 1, of the logarithms
    std::int64_t bins = 0;
    double concavity_error = 0.0;  // 1, standard error of the line's slope
};

/// What rivers of one terrain have.
struct SlopeArea {
    SlopeAreaParameters parameters;
    std::vector<SlopeAreaBin> bins;   // by rising area; those without cells are left out
    std::optional<SlopeAreaFit> fit;  // absent with fewer than 3 bins of rivers
};

/// Slope by drainage area over all cells with a receiver, in ten bins a decade, and Flint's law (Flint 1974)
///
///   S = k_s A^-theta
///
/// by least squares of log S on log A through the medians of the bins from `least_area` on that have at
/// least 10 cells and fall.
///
/// The slope of a cell is the drop over the length of its way down the tree until it has fallen by `drop`,
/// at most over 100 cells, and its area that in the middle of this way: slopes from cell to cell are
/// rounding where elevation is in whole metres (Wobus et al. 2006, Geological Society of America Special
/// Paper 398, 55-74). With drop 0 both are of the cell and its receiver. Quantiles lie between their
/// neighbouring values by their logarithms, in which the law is straight.
///
/// elevation: m, conditioned, on the tree's grid. Areas are the tree's own, of the cells and sources that
/// drain through each. O(cells), 16 bytes per cell; the same bits on any number of threads; polls
/// `progress`.
///
/// Example:
///     const SlopeArea rivers = slope_area(flow.elevation, flow.tree, lattice, {.drop = 20.0}, progress);
///     if (rivers.fit) std::printf("%.2f +- %.2f\n", rivers.fit->concavity, rivers.fit->concavity_error);
SlopeArea slope_area(const Field<float>& elevation, const FlowTree& tree, const Lattice& lattice,
                     const SlopeAreaParameters& parameters, Progress& progress);

}  // namespace thalweg
