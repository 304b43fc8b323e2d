// When ground was last part of a channel.
#pragma once

#include <cstdint>
#include <vector>

namespace thalweg {

/// kTileCells x kTileCells cells of OccupiedGround, by the place of the tile.
struct OccupiedTile {
    std::int32_t column = 0;
    std::int32_t row = 0;
    std::vector<float> year = {};  // of each cell, row by row from the south-west; -inf where never

    bool operator==(const OccupiedTile&) const = default;
};

/// The year in which ground was last within a channel, on square cells in tiles that are there where channels
/// have been, 4 bytes a cell: a plain needs no end. The corner of tile (0, 0) lies at (0, 0).
///
/// Example:
///     OccupiedGround ground{.cell_size = 20.0};
///     ground.occupy(1000.0, 500.0, 40.0, 12.0);
///     const float year = ground.year_at(1010.0, 505.0);
struct OccupiedGround {
    static constexpr std::int32_t kTileCells = 32;

    double cell_size = 0.0;                // m; 0: nothing is kept
    std::vector<OccupiedTile> tiles = {};  // by row and column, ascending

    bool operator==(const OccupiedGround&) const = default;

    /// Sets the year of all cells whose centres are within `radius` (m) of a place. O(cells log tiles).
    void occupy(double x, double y, double radius, double year);

    /// -inf where there was never a channel. O(log tiles).
    [[nodiscard]] float year_at(double x, double y) const;
};

}  // namespace thalweg
