#include "thalweg/flow/basins.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// The basin of every cell, each way followed to its end.
std::vector<std::int32_t> followed(const Grid& grid, const std::vector<std::uint8_t>& direction) {
    const std::array<std::int32_t, 8> steps = eight_neighbours(grid).index_steps();
    std::vector<std::int32_t> number(direction.size(), 0), basins(direction.size());
    std::int32_t pits = 0;
    for (std::size_t cell = 0; cell < direction.size(); ++cell)
        if (direction[cell] == kPit) number[cell] = ++pits;
    for (std::size_t start = 0; start < direction.size(); ++start) {
        std::int64_t cell = static_cast<std::int64_t>(start);
        while (direction[at(cell)] < kRoot) cell += steps[direction[at(cell)]];
        basins[start] = direction[at(cell)] == kOutside ? kNoBasin : number[at(cell)];
    }
    return basins;
}

void expect_basins(const Grid& grid, const std::vector<std::uint8_t>& direction,
                   const std::vector<std::int32_t>& expected) {
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_EQ(find_basins(grid, direction, progress).of_cell, expected);
    }
}

TEST(Basins, hold_the_cells_whose_ways_end_in_their_pits_on_any_number_of_threads) {
    const std::pair<int, int> sizes[] = {{1, 1}, {1, 40}, {40, 1}, {37, 29}, {700, 400}, {40000, 65}};
    for (const auto& [columns, rows] : sizes)
        for (const int levels : {0, 3}) {
            Field<float> z = tests::white_terrain(columns, rows, 6, levels);
            if (rows > 20 && columns > 20) tests::cut_out(z, 8, 9, 15, 12);
            const Lattice lattice = eight_neighbours(z.grid());
            std::vector<std::uint8_t> direction = steepest_directions(z, lattice, edge_roots(z));
            resolve_flats(z, lattice, direction, progress);
            expect_basins(z.grid(), direction, followed(z.grid(), direction));
        }
}

TEST(Basins, are_found_along_ways_that_wind_through_all_strips) {
    // Down one column and up the next, from the north-west to a pit in the last column.
    const Grid grid{.columns = 300, .rows = 400};
    std::vector<std::uint8_t> direction(at(grid.cells()));
    for (int column = 0; column < grid.columns; ++column)
        for (int row = 0; row < grid.rows; ++row) {
            const bool runs_south = column % 2 == 0;
            const bool turns = row == (runs_south ? grid.rows - 1 : 0);
            direction[at(grid.index(column, row))] = turns ? 0 : runs_south ? 2 : 6;
        }
    direction[at(grid.index(grid.columns - 1, 0))] = kPit;
    expect_basins(grid, direction, std::vector<std::int32_t>(direction.size(), 1));
}

}  // namespace
}  // namespace thalweg
