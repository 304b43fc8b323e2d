// Least-cost breaching: depressions are drained by the ways that take the least digging.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <limits>

namespace thalweg {

/// How far breaches may go.
struct BreachLimits {
    double depth = std::numeric_limits<double>::infinity();   // m, deeper breaches are not cut
    double length = std::numeric_limits<double>::infinity();  // m, nor longer ones
};

/// What was cut.
struct Digging {
    std::int64_t lowered_cells = 0;
    double volume = 0.0;  // m^3
};

/// Cuts breach paths of pits, connected level ground without a lower neighbour of which no cell is a root,
/// into `elevation` (m, NaN is no data), until lower ground or a root:
///
/// 1. Pits of a single cell that have lower ground two steps away: the lowest cell between is cut to the
///    middle of both (single-cell pits of Lindsay and Dhun 2015).
/// 2. Each other pit, the lowest first, of equal ones the first: the way of least cost
///
///      cost = sum over cells of max(0, z - z(pit)) times the length of the step to them, m^2
///
///    over cells that lie no more than `depth` above the pit, of `length` at most; of equal costs the shorter
///    one. Its cells, and a root at its end, are cut to the pit's level, where they lie higher; level ways
///    are for condition (conditioning.hpp) to direct.
///
/// Source: Lindsay 2016 (Hydrological Processes 30, 846-857) and Lindsay and Dhun 2015 (International Journal
/// of Geographical Information Science 29, 1241-1257); as BreachDepressionsLeastCost of WhiteboxTools.
/// Differs in: costs are areas of the cut's profile, ways are level, no cell is raised, and pits that an
/// earlier breach has drained are left alone. Pits that are left are for filling. Cost: O(n) and, for each
/// pit, n log n of the cells nearer in cost than its end. roots: 1 where water leaves, same grid. Serial;
/// polls `progress`.
///
/// Example:
///     Field<float> dug = elevation;
///     const BreachLimits limits = {.depth = 10.0, .length = 500.0};  // m
///     const Digging digging = breach_least_cost(dug, lattice, roots, limits, progress);
Digging breach_least_cost(Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
                          const BreachLimits& limits, Progress& progress);

}  // namespace thalweg
