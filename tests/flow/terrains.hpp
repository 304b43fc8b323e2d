// Small terrains for the tests of flow and river.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace thalweg::tests {

/// A field with the given values by rows from the north-west.
inline Field<float> terrain_of(int columns, int rows, std::initializer_list<float> heights,
                               double cell_size = 1.0) {
    Field<float> z(Grid{.columns = columns, .rows = rows, .cell_size = cell_size});
    std::int64_t cell = 0;
    for (const float height : heights) z[cell++] = height;
    return z;
}

/// White noise of 0 to 100 m in cells of 10 m; with `levels`, whole numbers below it, which make many flats.
inline Field<float> white_terrain(int columns, int rows, std::uint64_t seed, int levels = 0) {
    Field<float> z(Grid{.columns = columns, .rows = rows, .cell_size = 10.0});
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const std::uint64_t bits = random_bits(seed, Stream::SeedTerrain, static_cast<std::uint64_t>(cell));
        z[cell] = levels > 0 ? static_cast<float>(bits % static_cast<std::uint64_t>(levels))
                             : 100.0F * unit_float(bits);
    }
    return z;
}

/// Puts a rectangle of cells without data into a terrain.
inline void cut_out(Field<float>& z, int first_column, int first_row, int last_column, int last_row) {
    for (int row = first_row; row <= last_row; ++row)
        for (int column = first_column; column <= last_column; ++column) z(column, row) = kNoData;
}

/// Terrains on which much can go wrong: rough ground, flats of few levels, single rows, columns and cells,
/// and gaps without data.
inline std::vector<Field<float>> difficult_terrains() {
    std::vector<Field<float>> terrains;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) terrains.push_back(white_terrain(37, 29, seed));
    for (const int levels : {1, 2, 5, 40}) terrains.push_back(white_terrain(31, 40, 7, levels));
    terrains.push_back(white_terrain(300, 250, 8));
    for (const int levels : {4, 6}) terrains.push_back(white_terrain(200, 250, 8, levels));
    terrains.push_back(white_terrain(1, 30, 3));
    terrains.push_back(white_terrain(30, 1, 3));
    terrains.push_back(white_terrain(1, 1, 3));
    terrains.push_back(white_terrain(30, 30, 4));
    cut_out(terrains.back(), 8, 9, 15, 12);
    terrains.push_back(white_terrain(60, 60, 4));
    cut_out(terrains.back(), 8, 9, 15, 12);
    cut_out(terrains.back(), 40, 30, 40, 30);
    return terrains;
}

/// Calls visit(neighbour) for each of the up to 8 neighbours of a cell inside the grid.
template <class Visit>
void for_each_neighbour(const Grid& grid, std::int64_t cell, const Visit& visit) {
    for (std::size_t d = 0; d < 8; ++d) {
        const int column = grid.column_of(cell) + kColumnStep[d];
        const int row = grid.row_of(cell) + kRowStep[d];
        if (grid.contains(column, row)) visit(grid.index(column, row));
    }
}

}  // namespace thalweg::tests
