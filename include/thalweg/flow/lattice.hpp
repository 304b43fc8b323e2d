// Lattice: which neighbours of each cell water may flow to, and where the nodes that stand for the cells lie.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/grid/field.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace thalweg {

/// The straight way from a node to a neighbour's.
struct Link {
    float x;  // cells, to the east
    float y;  // cells, to the south

    [[nodiscard]] float length() const { return std::sqrt(x * x + y * y); }  // cells
};

/// One node per cell. On a plain lattice nodes are cell centres and every cell has the same links. On a mesh
/// nodes are displaced and every quad of four cells has one diagonal, so that links never cross.
struct Lattice {
    Grid grid;
    std::uint8_t common_links = kAllEight;  // links of every cell when `links` is empty
    std::vector<std::uint8_t> links;        // per cell, bit d set when the neighbour in direction d is joined
    std::vector<float> offset_x;  // per cell, displacement of the node to the east, in cells; empty: none
    std::vector<float> offset_y;  // per cell, displacement of the node to the south, in cells

    [[nodiscard]] std::uint8_t links_of(std::int64_t cell) const {
        return links.empty() ? common_links : links[at(cell)];
    }
    [[nodiscard]] bool displaced() const { return !offset_x.empty(); }

    /// The links of a cell that do not leave the grid.
    [[nodiscard]] std::uint8_t links_inside(int column, int row) const {
        const std::uint8_t all = links_of(grid.index(column, row));
        return grid.on_edge(column, row) ? links_at_edge(column, row, all) : all;
    }

    /// Change of the row-major index for a step in each direction.
    [[nodiscard]] std::array<std::int32_t, 8> index_steps() const;

    /// The way from a cell's node to that of `neighbour`, which lies in direction d.
    [[nodiscard]] Link link(std::int64_t cell, std::int64_t neighbour, std::size_t d) const {
        Link way = {static_cast<float>(kColumnStep[d]), static_cast<float>(kRowStep[d])};
        if (displaced()) {
            way.x += offset_x[at(neighbour)] - offset_x[at(cell)];
            way.y += offset_y[at(neighbour)] - offset_y[at(cell)];
        }
        return way;
    }

    /// Its length, cells.
    [[nodiscard]] float link_length(std::int64_t cell, std::int64_t neighbour, std::size_t d) const {
        if (displaced()) return link(cell, neighbour, d).length();
        return d % 2 == 0 ? 1.0F : std::numbers::sqrt2_v<float>;
    }

    /// Slope of the way to `neighbour` for a drop of so many m, m per cell.
    [[nodiscard]] float slope(float drop, std::int64_t cell, std::int64_t neighbour, std::size_t d) const {
        if (displaced()) return drop / link(cell, neighbour, d).length();
        return d % 2 == 0 ? drop : drop * kInverseDiagonal;
    }

    /// Distance from a cell's node to its neighbour's in direction d, m.
    [[nodiscard]] double distance(std::int64_t cell, int direction) const {
        const std::size_t d = at(direction);
        const std::int64_t columns = grid.columns;
        const Link way = link(cell, cell + kRowStep[d] * columns + kColumnStep[d], d);
        const double x = static_cast<double>(way.x), y = static_cast<double>(way.y);
        return grid.cell_size * std::sqrt(x * x + y * y);
    }

  private:
    [[nodiscard]] std::uint8_t links_at_edge(int column, int row, std::uint8_t all) const;
};

/// Direction of the step from a cell to a neighbour. The difference of their indices does not tell it on
/// grids of one or two columns. O(1).
std::uint8_t direction_between(const Grid& grid, std::int64_t cell, std::int64_t neighbour);

/// Cell centres, each joined to its 4 (or 8) neighbours. O(1), whatever the grid.
Lattice four_neighbours(const Grid& grid);
Lattice eight_neighbours(const Grid& grid);

/// Nodes displaced by up to +-`jitter` cells in both directions, keyed by (seed, columns, rows, cell), and
/// in every quad the Delaunay diagonal. Edge cells keep their centres. jitter: 0 to 0.45, which hides the
/// grid best. O(cells), 9 bytes a cell; same bits on any number of threads; polls `progress`.
///
/// Example:
///     const Lattice mesh = jittered_mesh(grid, seed, 0.45, progress);
///     const double metres = mesh.distance(grid.index(3, 4), direction_of_step(1, 0));
Lattice jittered_mesh(const Grid& grid, std::uint64_t seed, double jitter, Progress& progress);

}  // namespace thalweg
