#include "thalweg/water/water_surface.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/sorted_by_key.hpp"
#include "thalweg/water/surface/tile_grid.hpp"
#include "thalweg/water/surface/tile_water.hpp"
#include "thalweg/water/surface/water_index.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace thalweg {
namespace {

constexpr double kBeyondAll = 1e8;              // m from the origin: no primitive reaches there
constexpr std::uint64_t kCellBits = 10;         // of a cell's number in its tile
constexpr std::int64_t kPointsPerPiece = 4096;  // of parallel work

/// The first tile at (column, row) or behind.
std::int64_t first_tile_from(const WaterBuffers& buffers, std::int64_t column, std::int64_t row) {
    return std::lower_bound(buffers.tiles.begin(), buffers.tiles.end(), std::pair(row, column),
                            [](const WaterTile& tile, const std::pair<std::int64_t, std::int64_t>& wanted) {
                                return std::pair<std::int64_t, std::int64_t>(tile.row, tile.column) < wanted;
                            }) -
           buffers.tiles.begin();
}

/// The number of the tile at (column, row), or -1.
std::int64_t tile_number(const WaterBuffers& buffers, std::int64_t column, std::int64_t row) {
    const std::int64_t number = first_tile_from(buffers, column, row);
    if (number == std::ssize(buffers.tiles)) return -1;
    const WaterTile& tile = buffers.tiles[at(number)];
    return tile.row == row && tile.column == column ? number : -1;
}

/// The tiles from (west, south) to (east, north), in their order.
std::vector<std::int64_t> tiles_between(const WaterBuffers& buffers, std::int64_t west, std::int64_t south,
                                        std::int64_t east, std::int64_t north) {
    std::vector<std::int64_t> found;
    const std::int64_t end = first_tile_from(buffers, east + 1, north);
    std::int64_t number = first_tile_from(buffers, west, south);
    while (number < end) {
        const WaterTile& tile = buffers.tiles[at(number)];
        if (tile.column >= west && tile.column <= east) {
            found.push_back(number++);
        } else {
            number = first_tile_from(buffers, west, tile.column < west ? tile.row : tile.row + 1);
        }
    }
    return found;
}

/// Tile and cell of a point, the largest number where there is no tile.
std::uint64_t cell_key(const WaterBuffers& buffers, double x, double y) {
    constexpr std::uint64_t kNowhere = std::uint64_t{1} << 42;
    if (!(std::abs(x) < kBeyondAll && std::abs(y) < kBeyondAll)) return kNowhere;
    const std::int64_t column = tile_of(x, buffers.tile_size);
    const std::int64_t row = tile_of(y, buffers.tile_size);
    const std::int64_t number = tile_number(buffers, column, row);
    if (number < 0) return kNowhere;
    const WaterTile& tile = buffers.tiles[at(number)];
    const double cell_size = buffers.tile_size / tile.cells;
    const auto cell_of = [&](double offset) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(offset / cell_size), 0, tile.cells - 1);
    };
    const std::int64_t cell = cell_of(y - static_cast<double>(row) * buffers.tile_size) * tile.cells +
                              cell_of(x - static_cast<double>(column) * buffers.tile_size);
    return (static_cast<std::uint64_t>(number) << kCellBits) | static_cast<std::uint64_t>(cell);
}

void put(const TileWater::Water& water, std::size_t i, const WaterColumns& columns) {
    if (!columns.elevation.empty()) columns.elevation[i] = water.elevation;
    if (!columns.velocity_x.empty()) columns.velocity_x[i] = water.velocity_x;
    if (!columns.velocity_y.empty()) columns.velocity_y[i] = water.velocity_y;
    if (!columns.foam.empty()) columns.foam[i] = water.foam;
}

/// Columns or rows of a grid that lie in one tile, and the cell of each.
struct TileSpan {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// Coordinates [m from the origin] of a grid's columns or rows, and their tiles.
struct GridAxis {
    std::vector<double> coordinates;
    std::vector<std::int64_t> tiles;

    /// Those in tile `number`; tiles rise or fall along the axis.
    [[nodiscard]] TileSpan span_of(std::int64_t number, bool falls) const {
        const auto before = [&](std::int64_t a, std::int64_t b) { return falls ? a > b : a < b; };
        const auto [first, end] = std::equal_range(tiles.begin(), tiles.end(), number, before);
        return {first - tiles.begin(), end - tiles.begin()};
    }
};

template <class CoordinateOf>
GridAxis grid_axis(std::int64_t count, double tile_size, const CoordinateOf& coordinate_of) {
    GridAxis axis;
    for (std::int64_t i = 0; i < count; ++i) {
        const double coordinate = std::clamp(coordinate_of(i), -kBeyondAll, kBeyondAll);
        axis.coordinates.push_back(coordinate);
        axis.tiles.push_back(tile_of(coordinate, tile_size));
    }
    return axis;
}

}  // namespace

WaterSurface::WaterSurface(const BlendFlowTree& tree, Progress& progress)
    : setting_(tree.setting()),
      kinds_(tree.kinds().begin(), tree.kinds().end()),
      base_level_(tree.base_level()),
      buffers_(compiled(tree, progress)) {
}

void WaterSurface::evaluate(std::span<const Position> points, double time,
                            const WaterColumns& columns) const {
    check_water_time(time);
    std::vector<std::uint64_t> keys(points.size());
    parallel_for(0, std::ssize(points), kPointsPerPiece, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i)
            keys[at(i)] =
                cell_key(buffers_, points[at(i)].x - setting_.origin.x, points[at(i)].y - setting_.origin.y);
    });
    const std::vector<std::uint32_t> order = order_of_keys(keys);
    parallel_for(0, std::ssize(points), kPointsPerPiece, [&](std::int64_t first, std::int64_t last) {
        TileWater work(*this, time);
        std::int64_t open = -1;
        while (first < last) {
            // Take the points of one cell together.
            const std::uint64_t key = keys[order[at(first)]];
            std::int64_t end = first + 1;
            while (end < last && keys[order[at(end)]] == key) ++end;
            const auto number = static_cast<std::int64_t>(key >> kCellBits);
            if (number >= std::ssize(buffers_.tiles)) {
                for (; first < end; ++first)
                    put({static_cast<float>(base_level_), 0.0F, 0.0F, 0.0F}, order[at(first)], columns);
                continue;
            }
            const WaterTile& tile = buffers_.tiles[at(number)];
            if (number != open) work.open(tile);
            open = number;
            work.clear_points();
            for (std::int64_t i = first; i < end; ++i) {
                const Position& point = points[order[at(i)]];
                work.add_point(point.x - setting_.origin.x - tile.column * buffers_.tile_size,
                               point.y - setting_.origin.y - tile.row * buffers_.tile_size);
            }
            const auto cell = static_cast<std::int64_t>(key & ((1U << kCellBits) - 1U));
            work.evaluate(cell % tile.cells, cell / tile.cells);
            for (std::int64_t i = first; i < end; ++i) put(work.water(i - first), order[at(i)], columns);
            first = end;
        }
    });
}

WaterSample WaterSurface::water_at(Position point, double time) const {
    float values[4] = {};
    evaluate({&point, 1}, time, {{values, 1}, {values + 1, 1}, {values + 2, 1}, {values + 3, 1}});
    return {values[0], values[1], values[2], values[3], std::isnan(values[0]) ? 0.0 : 1.0};
}

WaterLayers WaterSurface::on_grid(const Grid& grid, double time, Progress& progress) const {
    check_water_time(time);
    check_grid(grid);
    WaterLayers layers{Field<float>(grid, static_cast<float>(base_level_)), Field<float>(grid),
                       Field<float>(grid), Field<float>(grid)};
    const WaterColumns columns{{layers.elevation.data(), at(grid.cells())},
                               {layers.velocity_x.data(), at(grid.cells())},
                               {layers.velocity_y.data(), at(grid.cells())},
                               {layers.foam.data(), at(grid.cells())}};
    const double size = buffers_.tile_size;
    const GridAxis x_axis = grid_axis(grid.columns, size, [&](std::int64_t column) {
        return grid.x(static_cast<double>(column)) - setting_.origin.x;
    });
    const GridAxis y_axis = grid_axis(grid.rows, size, [&](std::int64_t row) {
        return grid.y(static_cast<double>(row)) - setting_.origin.y;
    });
    const std::vector<std::int64_t> tiles = tiles_between(buffers_, x_axis.tiles.front(), y_axis.tiles.back(),
                                                          x_axis.tiles.back(), y_axis.tiles.front());
    progress.poll();
    parallel_for(0, std::ssize(tiles), 4, [&](std::int64_t first, std::int64_t last) {
        TileWater work(*this, time);
        TileGrid in_tile(work);
        std::vector<double> x;  // m, from a tile's corner
        std::vector<double> y;
        for (std::int64_t number = first; number < last; ++number) {
            progress.poll();
            const WaterTile& tile = buffers_.tiles[at(tiles[at(number)])];
            const TileSpan across = x_axis.span_of(tile.column, false);
            const TileSpan down = y_axis.span_of(tile.row, true);
            if (across.first == across.end || down.first == down.end) continue;
            work.open(tile);
            x.clear();
            y.clear();
            for (std::int64_t i = across.first; i < across.end; ++i)
                x.push_back(x_axis.coordinates[at(i)] - tile.column * size);
            for (std::int64_t i = down.first; i < down.end; ++i)
                y.push_back(y_axis.coordinates[at(i)] - tile.row * size);
            in_tile.evaluate(x, y, down.first * grid.columns + across.first, grid.columns, columns);
        }
    });
    return layers;
}

}  // namespace thalweg
