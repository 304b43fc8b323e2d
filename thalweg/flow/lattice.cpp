#include "thalweg/flow/lattice.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"

#include <cmath>

namespace thalweg {
namespace {

constexpr std::int64_t kRowsPerTask = 16;

/// A node's place in units of cells, y to the south.
struct NodePosition {
    double x;
    double y;
};

NodePosition node_position(const Lattice& lattice, int column, int row) {
    const std::size_t cell = at(lattice.grid.index(column, row));
    return {column + static_cast<double>(lattice.offset_x[cell]),
            row + static_cast<double>(lattice.offset_y[cell])};
}

/// Whether the two angles at b and d of the quad a, b, c, d (in order around it) sum to less than 180
/// degrees: then a-c is its Delaunay diagonal, also when the quad is not convex.
bool first_diagonal_is_delaunay(NodePosition a, NodePosition b, NodePosition c, NodePosition d) {
    const auto cross = [](NodePosition o, NodePosition p, NodePosition q) {
        return (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
    };
    const auto dot = [](NodePosition o, NodePosition p, NodePosition q) {
        return (p.x - o.x) * (q.x - o.x) + (p.y - o.y) * (q.y - o.y);
    };
    // The sine of the sum of both angles, up to a positive factor.
    return cross(b, c, a) * dot(d, a, c) + dot(b, c, a) * cross(d, a, c) > 0.0;
}

void displace_nodes(Lattice& lattice, std::uint64_t seed, double jitter, Progress& progress) {
    const Grid& grid = lattice.grid;
    const std::size_t cells = static_cast<std::size_t>(grid.cells());
    lattice.offset_x.assign(cells, 0.0F);
    lattice.offset_y.assign(cells, 0.0F);
    const std::uint64_t level =
        static_cast<std::uint64_t>(grid.columns) << 32 | static_cast<std::uint64_t>(grid.rows);
    parallel_for(1, grid.rows - 1, kRowsPerTask, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        for (std::int64_t row = first; row < last; ++row) {
            for (int column = 1; column < grid.columns - 1; ++column) {
                const std::size_t cell = at(grid.index(column, static_cast<int>(row)));
                const std::uint64_t draw = random_bits(seed, Stream::NodeJitter, level, cell);
                const float reach = static_cast<float>(2.0 * jitter);
                lattice.offset_x[cell] = reach * (unit_float(draw) - 0.5F);
                lattice.offset_y[cell] = reach * (unit_float(mix64(draw)) - 0.5F);
            }
        }
    });
}

/// Whether quad (column, row), with that cell at its north-west corner, is cut from north-west to south-east.
bool falls_to_south_east(const Lattice& lattice, int column, int row) {
    return first_diagonal_is_delaunay(
        node_position(lattice, column, row), node_position(lattice, column + 1, row),
        node_position(lattice, column + 1, row + 1), node_position(lattice, column, row + 1));
}

std::uint8_t mesh_links(const Lattice& lattice, const std::vector<std::uint8_t>& south_east, int column,
                        int row) {
    const Grid& grid = lattice.grid;
    const auto cut = [&](int c, int r) { return south_east[at(grid.index(c, r))] != 0; };
    std::uint8_t links = kAxes;
    const bool west = column > 0, north = row > 0, east = column + 1 < grid.columns,
               south = row + 1 < grid.rows;
    if (east && south && cut(column, row)) links |= 1U << 1;
    if (west && south && !cut(column - 1, row)) links |= 1U << 3;
    if (west && north && cut(column - 1, row - 1)) links |= 1U << 5;
    if (east && north && !cut(column, row - 1)) links |= 1U << 7;
    return links;
}

Lattice plain_lattice(const Grid& grid, std::uint8_t links) {
    Lattice lattice;
    lattice.grid = grid;
    lattice.common_links = links;
    return lattice;
}

}  // namespace

std::array<std::int32_t, 8> Lattice::index_steps() const {
    std::array<std::int32_t, 8> steps{};
    for (std::size_t d = 0; d < 8; ++d) steps[d] = kRowStep[d] * grid.columns + kColumnStep[d];
    return steps;
}

std::uint8_t Lattice::links_at_edge(int column, int row, std::uint8_t all) const {
    std::uint8_t inside = 0;
    for (std::size_t d = 0; d < 8; ++d)
        if ((all >> d & 1) != 0 && grid.contains(column + kColumnStep[d], row + kRowStep[d]))
            inside = static_cast<std::uint8_t>(inside | 1U << d);
    return inside;
}

double Lattice::distance(std::int64_t cell, int direction) const {
    const std::size_t d = at(direction);
    const Link way = link(cell, cell + kRowStep[d] * grid.columns + kColumnStep[d], d);
    const double x = static_cast<double>(way.x), y = static_cast<double>(way.y);
    return grid.cell_size * std::sqrt(x * x + y * y);
}

Lattice four_neighbours(const Grid& grid) {
    return plain_lattice(grid, kAxes);
}

Lattice eight_neighbours(const Grid& grid) {
    return plain_lattice(grid, kAllEight);
}

Lattice jittered_mesh(const Grid& grid, std::uint64_t seed, double jitter, Progress& progress) {
    Lattice lattice = plain_lattice(grid, kAxes);
    displace_nodes(lattice, seed, jitter, progress);
    const std::size_t cells = static_cast<std::size_t>(grid.cells());
    std::vector<std::uint8_t> south_east(cells, 0);
    parallel_for(0, grid.rows - 1, kRowsPerTask, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        for (int row = static_cast<int>(first); row < last; ++row)
            for (int column = 0; column + 1 < grid.columns; ++column)
                south_east[at(grid.index(column, row))] = falls_to_south_east(lattice, column, row) ? 1 : 0;
    });
    lattice.links.assign(cells, kAxes);
    parallel_for(0, grid.rows, kRowsPerTask, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        for (int row = static_cast<int>(first); row < last; ++row)
            for (int column = 0; column < grid.columns; ++column)
                lattice.links[at(grid.index(column, row))] = mesh_links(lattice, south_east, column, row);
    });
    return lattice;
}

}  // namespace thalweg
