#include "thalweg/meander/occupied_ground.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

/// A cell by the place of its tile and its place in that.
struct TiledCell {
    std::int32_t tile_column = 0;
    std::int32_t tile_row = 0;
    std::size_t cell = 0;
};

TiledCell tiled_cell(std::int64_t column, std::int64_t row) {
    constexpr std::int64_t kSide = OccupiedGround::kTileCells;
    const auto tile_of = [](std::int64_t at) { return (at >= 0 ? at : at - kSide + 1) / kSide; };
    const std::int64_t tile_column = tile_of(column);
    const std::int64_t tile_row = tile_of(row);
    return {
        .tile_column = static_cast<std::int32_t>(tile_column),
        .tile_row = static_cast<std::int32_t>(tile_row),
        .cell = static_cast<std::size_t>((row - tile_row * kSide) * kSide + column - tile_column * kSide)};
}

template <class Tiles>
auto tile_at(Tiles& tiles, const TiledCell& place) {
    return std::ranges::lower_bound(
        tiles, std::pair(place.tile_row, place.tile_column), {},
        [](const OccupiedTile& tile) { return std::pair(tile.row, tile.column); });
}

bool is_at(const OccupiedTile& tile, const TiledCell& place) {
    return tile.column == place.tile_column && tile.row == place.tile_row;
}

std::int64_t cell_at(double place, double cell_size) {
    return static_cast<std::int64_t>(std::floor(place / cell_size));
}

}  // namespace

void OccupiedGround::occupy(double x, double y, double radius, double year) {
    if (!(cell_size > 0.0)) return;
    constexpr std::size_t kCells = std::size_t{kTileCells} * kTileCells;
    for (std::int64_t row = cell_at(y - radius, cell_size); row <= cell_at(y + radius, cell_size); ++row)
        for (std::int64_t column = cell_at(x - radius, cell_size); column <= cell_at(x + radius, cell_size);
             ++column) {
            const double dx = (static_cast<double>(column) + 0.5) * cell_size - x;
            const double dy = (static_cast<double>(row) + 0.5) * cell_size - y;
            if (dx * dx + dy * dy > radius * radius) continue;
            const TiledCell place = tiled_cell(column, row);
            auto tile = tile_at(tiles, place);
            if (tile == tiles.end() || !is_at(*tile, place))
                tile = tiles.insert(
                    tile, {.column = place.tile_column,
                           .row = place.tile_row,
                           .year = std::vector<float>(kCells, -std::numeric_limits<float>::infinity())});
            tile->year[place.cell] = static_cast<float>(year);
        }
}

float OccupiedGround::year_at(double x, double y) const {
    constexpr float kNever = -std::numeric_limits<float>::infinity();
    if (!(cell_size > 0.0)) return kNever;
    const TiledCell place = tiled_cell(cell_at(x, cell_size), cell_at(y, cell_size));
    const auto tile = tile_at(tiles, place);
    return tile == tiles.end() || !is_at(*tile, place) ? kNever : tile->year[place.cell];
}

}  // namespace thalweg
