// FlowTree: every cell's single receiver, in an order that follows the water.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// A forest over the cells of a grid: each cell drains to one neighbour, or is a root (it drains out), or is
/// outside.
struct FlowTree {
    Grid grid;
    std::vector<std::uint8_t> direction;  // per cell: 0..7 (lattice.hpp), kRoot, kOutside
    std::vector<std::int32_t> order;      // all cells with data, every receiver before its donors

    /// Index of the cell that `cell` drains to, or -1 for roots and outside cells.
    [[nodiscard]] std::int32_t receiver(std::int32_t cell) const;
};

/// Which cells drain out of the domain whatever their elevation. `roots` holds 1 for such cells.
/// Edge roots: all edge cells and all cells beside one without data (NaN in `elevation`).
Field<std::uint8_t> edge_roots(const Field<float>& elevation);

/// Direction of steepest descent for every cell: drop over distance along the lattice's links, ties to the
/// lowest direction. Roots (roots[cell] != 0) get kRoot, NaN cells kOutside, cells without a lower neighbour
/// kPit. O(cells), parallel over rows, same bits on any number of threads.
std::vector<std::uint8_t> steepest_directions(const Field<float>& elevation, const Lattice& lattice,
                                              const Field<std::uint8_t>& roots);

/// What breaching did.
struct BreachReport {
    std::int64_t pits = 0;           // cells without a lower neighbour that were found
    std::int64_t carved_cells = 0;   // cells whose direction was turned along a breach path
    std::int64_t isolated_pits = 0;  // pits from which no root can be reached; they became roots themselves
};

/// Turns directions so that every pit drains: from each pit, in ascending order of elevation, a flood finds
/// the lowest way to a strictly lower cell, a root, or a cell already carved, and directions along that way
/// are turned to it. Flats get a direction in the same pass. Elevations do not change. A pit that can reach
/// no root becomes one. Source: local form of the carving in Cordonnier, Bovy and Braun (2019), sec. 2.
/// O(cells + flooded cells log flooded cells); serial; polls `progress`.
BreachReport breach_directions(const Field<float>& elevation, const Lattice& lattice,
                               std::vector<std::uint8_t>& direction, Progress& progress);

/// Fills `tree.order` from `tree.direction`: every receiver before its donors. O(cells). A cycle is a broken
/// precondition (assertion).
void order_tree(FlowTree& tree, Progress& progress);

/// Receivers by steepest descent, depressions breached, ordered.
FlowTree build_flow_tree(const Field<float>& elevation, const Lattice& lattice,
                         const Field<std::uint8_t>& roots, Progress& progress);

/// Sum of `weight` over all cells that drain through each cell, itself included. `weight` may be any quantity
/// per cell (m^2, m^3/s); same bits on any number of threads. Cells outside get 0.
Field<double> accumulate(const FlowTree& tree, const Field<double>& weight, Progress& progress);

/// Drainage area, m^2: cells draining through each cell times the cell's area. Exact (counts are whole
/// numbers).
Field<double> drainage_area(const FlowTree& tree, Progress& progress);

}  // namespace thalweg
