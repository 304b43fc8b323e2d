// FlowTree: every cell's single receiver, in an order that follows the water.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Drainage area from elsewhere that enters at a node.
struct NodeSource {
    std::int32_t node;
    double area;  // m^2

    friend bool operator==(const NodeSource&, const NodeSource&) = default;
};

/// A forest over the cells of a grid: each cell drains to one neighbour, or is a root (it drains out), or is
/// outside.
struct FlowTree {
    Grid grid;
    bool wraps = false;  // whether the first and last columns are neighbours (descent.hpp alone makes such)
    std::vector<std::uint8_t> direction;  // per cell: 0..7 (lattice.hpp), kRoot, kOutside
    std::vector<std::int32_t> order;      // all cells with data, every receiver before its donors

    // Where runs of `order` begin, and its end. What stands before the first run is the trunk; once it has
    // been visited, the runs do not depend on each other.
    std::vector<std::int64_t> run_starts;

    // Cells outside the trunk whose receivers lie in the trunk, but among the rows of another run.
    std::vector<std::int32_t> crossing;

    std::vector<std::uint32_t>
        upstream_cells;  // per cell: how many drain through it, itself included; 0 outside

    std::vector<NodeSource> sources = {};  // beside the cells

    /// Index of the cell that `cell` drains to, or -1 for roots, pits and outside cells.
    [[nodiscard]] std::int32_t receiver(std::int32_t cell) const {
        const std::uint8_t d = direction[at(cell)];
        if (d >= 8) return -1;
        const std::int32_t neighbour = cell + kRowStep[d] * grid.columns + kColumnStep[d];
        return wraps ? on_the_grid(neighbour, grid.column_of(cell) + kColumnStep[d]) : neighbour;
    }

  private:
    /// The index of a neighbour whose column may lie beyond the edge.
    [[nodiscard]] std::int32_t on_the_grid(std::int32_t neighbour, int column) const {
        if (column < 0) return neighbour + grid.columns;
        return column == grid.columns ? neighbour - grid.columns : neighbour;
    }
};

/// Cells that drain out of the domain whatever their elevation: 1, else 0. Edge roots are all edge cells and
/// all cells beside one without data (NaN in `elevation`), gap roots the latter alone. O(cells).
Field<std::uint8_t> edge_roots(const Field<float>& elevation);
Field<std::uint8_t> gap_roots(const Field<float>& elevation);

/// Direction of steepest descent for every cell: drop over distance along the lattice's links, ties to the
/// lowest direction. Roots (roots[cell] != 0) get kRoot, NaN cells kOutside, cells without a lower neighbour
/// kPit. O(cells), parallel over rows, same bits on any number of threads.
std::vector<std::uint8_t> steepest_directions(const Field<float>& elevation, const Lattice& lattice,
                                              const Field<std::uint8_t>& roots);

/// The same into `direction`, whose memory is used again.
void steepest_directions(const Field<float>& elevation, const Lattice& lattice,
                         const Field<std::uint8_t>& roots, std::vector<std::uint8_t>& direction);

/// Fills `tree.order`, `tree.run_starts`, `tree.crossing` and `tree.upstream_cells` from `tree.grid` and
/// `tree.direction`. A cycle is a broken precondition (assertion), and so is a direction off the grid.
/// O(cells); the same on any number of threads; polls `progress`. Throws Error::input on more than 268
/// million cells.
void order_tree(FlowTree& tree, Progress& progress);

/// Sum of `weight` over all cells that drain through each cell, itself included. `weight` may be any
/// quantity per cell (m^2, m^3/s), on the tree's grid. Cells outside get 0. O(cells); same bits on any
/// number of threads; polls `progress`.
///
/// Example:
///     const Field<double> runoff(grid, 0.3 * grid.cell_area());  // m^3/yr from each cell
///     const Field<double> discharge = accumulate(flow.tree, runoff, progress);
Field<double> accumulate(const FlowTree& tree, Field<double> weight, Progress& progress);

/// Drainage area of an ordered tree, m^2: cells draining through each cell times the cell's area, which is
/// exact (counts are whole numbers), and what comes from the tree's sources. O(cells + cells below sources).
Field<double> drainage_area(const FlowTree& tree);

/// Adds the area of every source of the tree to the cells of its way, from its node to the root. area: m^2,
/// on the tree's grid. O(cells of the ways).
void add_source_areas(const FlowTree& tree, Field<double>& area);

}  // namespace thalweg
