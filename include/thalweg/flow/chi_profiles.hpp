// Chi profiles: the long profiles of rivers, stretched so that steady ones are straight.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/largest_basins.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/flow/river_profile.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace thalweg {

/// Of which rivers profiles are made.
struct ChiProfileParameters {
    ChiParameters chi = {};
    double least_area = 1e6;  // m^2, where rivers begin
    int tributaries = 10;     // the most a basin
};

/// One river up from its mouth. A tributary begins on the trunk, in the cell that it flows into.
struct ChiStream {
    std::vector<double> chi;        // m
    std::vector<double> elevation;  // m
    std::vector<double> distance;   // m, to the outlet
    std::vector<double> area;       // m^2
};

/// z = base + steepness A0^-concavity chi through all river cells of a basin.
struct ChiFit {
    double steepness = 0.0;  // k_sn, m^(2 concavity)
    double base = 0.0;       // m
    double r_squared = 0.0;  // 1
};

/// The concavity whose chi leaves the least scatter about a straight line.
struct ConcavityFit {
    double concavity = 0.0;                // 1
    double r_squared = 0.0;                // 1
    std::optional<double> standard_error;  // 1; absent with fewer than 3 tributaries
};

/// The profiles of one basin, and what fits them.
struct ChiBasin {
    std::int32_t outlet = 0;           // cell
    double area = 0.0;                 // m^2
    std::vector<ChiStream> streams;    // the trunk first, then tributaries by falling area
    std::optional<ChiFit> fit;         // at the given concavity; absent with fewer than 10 cells of rivers
    std::optional<ConcavityFit> best;  // absent, too, where it lies at an end of what is tried
};

/// The profiles of several basins, in the order of LargestBasins.
struct ChiProfiles {
    ChiProfileParameters parameters;
    std::vector<ChiBasin> basins;
};

/// Elevation over chi (river_profile.hpp) of the trunk and the largest tributaries to it, for each basin.
/// Going upstream the trunk follows the donor of the largest area, ties to the first by rows, while
/// `least_area` drains through it. Where a river is at steady state under even uplift U and erodibility K,
///
///   z = z_b + (U / (K A0^m))^(1/n) chi,      so that k_sn = (U / K)^(1/n)
///
/// (Perron and Royden 2013, eq. 6).
///
/// `best` is m/n between 0.05 and 1.5 where least squares of elevation on chi over all river cells of the
/// basin, tributaries too, explain the most of its variance, as Perron and Royden choose it (sec. 3); with
/// knickpoints, or uneven uplift or rock, that is a summary and no law of the ground.
///
/// Its standard error is the jackknife's (Efron and Stein 1981): m/n is found anew without each of the g
/// tributaries that are shown, and what is upstream of it, and
///
///   error^2 = (g - 1) / g  sum of (m/n without one - their mean)^2
///
/// because what makes m/n uncertain is how rivers differ and not how cells of one river scatter, which are
/// not independent (Mudd et al. 2018, Earth Surface Dynamics 6, 505-523, take subsets of tributaries too).
///
/// elevation: m, conditioned, on the tree's grid. Areas are the tree's own. O(cells + 100 x cells of rivers
/// x tributaries), serial; polls `progress`.
///
/// Example:
///     const LargestBasins largest = largest_basins(flow.tree, 5, 1e6);
///     const ChiProfiles profiles =
///         chi_profiles(flow.elevation, flow.tree, lattice, largest, {.least_area = 5e5}, progress);
ChiProfiles chi_profiles(const Field<float>& elevation, const FlowTree& tree, const Lattice& lattice,
                         const LargestBasins& basins, const ChiProfileParameters& parameters,
                         Progress& progress);

}  // namespace thalweg
