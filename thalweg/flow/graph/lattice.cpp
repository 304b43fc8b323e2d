#include "thalweg/flow/lattice.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/graph/mesh_rows.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kRowsPerTask = 16;

void displace_row(std::uint64_t key, std::int64_t first_cell, std::int64_t count, float reach,
                  float* offset_x, float* offset_y) {
    const std::uint32_t first = static_cast<std::uint32_t>(first_cell);
    in_lanes(
        [&](auto lanes) { displace_row_in_lanes<lanes()>(key, first, count, reach, offset_x, offset_y); });
}

void cut_row(const NodeRows& rows, std::int64_t count, std::uint8_t* falls) {
    in_lanes([&](auto lanes) { cut_row_in_lanes<lanes()>(rows, count, falls); });
}

void displace_nodes(Lattice& lattice, std::uint64_t seed, double jitter, Progress& progress) {
    const Grid& grid = lattice.grid;
    lattice.offset_x.assign(at(grid.cells()), 0.0F);
    lattice.offset_y.assign(at(grid.cells()), 0.0F);
    if (grid.columns < 3) return;
    const std::uint64_t level =
        static_cast<std::uint64_t>(grid.columns) << 32 | static_cast<std::uint64_t>(grid.rows);
    const std::uint64_t key = random_bits(seed, Stream::NodeJitter, level);
    for_each_row(1, grid.rows - 1, grid.columns, [&](int row) {
        progress.poll();
        const std::int64_t first = grid.index(1, row);
        displace_row(key, first, grid.columns - 2, static_cast<float>(jitter),
                     lattice.offset_x.data() + first, lattice.offset_y.data() + first);
    });
}

/// The links of one row's nodes along the diagonals of the quads over it and below it. `above` and `below`
/// hold 1 for quads that are cut from north-west to south-east; the first of them stands for one before the
/// first column, and another behind the last.
void link_diagonals(const std::uint8_t* __restrict above, const std::uint8_t* __restrict below, int columns,
                    std::uint8_t* __restrict links) {
    for (int column = 0; column < columns; ++column)
        links[column] = static_cast<std::uint8_t>(kAxes | below[column + 1] << 1 | (below[column] ^ 1) << 3 |
                                                  above[column] << 5 | (above[column + 1] ^ 1) << 7);
}

/// Diagonals that would leave the grid.
std::uint8_t beyond_edges(bool first_row, bool last_row, bool first_column, bool last_column) {
    unsigned beyond = 0;
    if (first_row) beyond |= 1U << 5 | 1U << 7;
    if (last_row) beyond |= 1U << 1 | 1U << 3;
    if (first_column) beyond |= 1U << 3 | 1U << 5;
    if (last_column) beyond |= 1U << 1 | 1U << 7;
    return static_cast<std::uint8_t>(beyond);
}

/// Links rows [first_row, end_row), cutting every quad that touches them.
void link_rows(Lattice& lattice, int first_row, int end_row) {
    const Grid& grid = lattice.grid;
    std::vector<std::uint8_t> above(at(grid.columns) + 1), below(at(grid.columns) + 1);
    const auto cut_below = [&](int row) {
        const float* const x = lattice.offset_x.data() + grid.index(0, row);
        const float* const y = lattice.offset_y.data() + grid.index(0, row);
        cut_row({x, y, x + grid.columns, y + grid.columns}, grid.columns - 1, below.data() + 1);
    };
    if (first_row > 0) cut_below(first_row - 1);
    for (int row = first_row; row < end_row; ++row) {
        std::swap(above, below);
        const bool last = row + 1 == grid.rows;
        if (!last) cut_below(row);
        std::uint8_t* const links = lattice.links.data() + grid.index(0, row);
        link_diagonals(above.data(), below.data(), grid.columns, links);
        const int step = row == 0 || last ? 1 : std::max(1, grid.columns - 1);
        for (int column = 0; column < grid.columns; column += step)
            links[column] = static_cast<std::uint8_t>(
                links[column] & ~beyond_edges(row == 0, last, column == 0, column + 1 == grid.columns));
    }
}

Lattice plain_lattice(const Grid& grid, std::uint8_t links) {
    Lattice lattice;
    lattice.grid = grid;
    lattice.common_links = links;
    return lattice;
}

}  // namespace

std::array<std::int32_t, 8> Lattice::index_steps() const {
    return thalweg::index_steps(grid.columns);
}

std::uint8_t Lattice::links_at_edge(int column, int row, std::uint8_t all) const {
    std::uint8_t inside = 0;
    for (std::size_t d = 0; d < 8; ++d)
        if ((all >> d & 1) != 0 && grid.contains(column + kColumnStep[d], row + kRowStep[d]))
            inside = static_cast<std::uint8_t>(inside | 1U << d);
    return inside;
}

std::uint8_t direction_between(const Grid& grid, std::int64_t cell, std::int64_t neighbour) {
    return direction_of_step(grid.column_of(neighbour) - grid.column_of(cell),
                             grid.row_of(neighbour) - grid.row_of(cell));
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
    lattice.links.resize(at(grid.cells()));
    const std::int64_t rows_per_task = std::max<std::int64_t>(kRowsPerTask, kCellsPerPiece / grid.columns);
    parallel_for(0, grid.rows, rows_per_task, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        link_rows(lattice, static_cast<int>(first), static_cast<int>(last));
    });
    return lattice;
}

}  // namespace thalweg
