#include "thalweg/project/parts/tiled_work.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/limits.hpp"

#include <algorithm>
#include <cstddef>

namespace thalweg {
namespace {

constexpr std::int64_t kBytesPerCell = sizeof(float);
constexpr std::int64_t kCellsAtOnce = 1 << 18;  // of the terrain, read by one thread

// Kinds of parts besides TilePart.
constexpr std::uint8_t kTerrain = 128;  // a range of the terrain: its place and the checksum of its cells
constexpr std::uint8_t kArea = 129;     // the drainage area of a tile: the checksum of its cells

std::uint64_t checksum_of(std::span<const float> values) {
    Checksum checksum;
    checksum.add(std::as_bytes(values));
    return checksum.value();
}

}  // namespace

TiledWork::TiledWork(const std::filesystem::path& folder, const Grid& grid, int tile_side,
                     const std::string& purpose)
    : grid_(grid), map_(grid, tile_side), parts_(folder / "parts", purpose), cells_(folder / "cells") {
    if (parts_.state() == StoreState::GoesOn && !are_sound()) parts_.drop();
}

/// Whether the cells that the next passes will use are those that were written. Where all tiles have told of
/// their water, that is what of the drainage area is there; before, it is the terrain.
bool TiledWork::are_sound() const {
    bool is_drained = true;
    for (std::int64_t tile = 0; is_drained && tile < map_.tiles(); ++tile)
        is_drained = parts_.has(static_cast<std::uint8_t>(TilePart::Water), tile);
    const std::uint8_t kind = is_drained ? kArea : kTerrain;
    const std::vector<std::int64_t> numbers = parts_.numbers(kind);
    return std::all_of(numbers.begin(), numbers.end(),
                       [&](std::int64_t number) { return is_sound(kind, number); });
}

bool TiledWork::is_sound(std::uint8_t kind, std::int64_t number) const {
    const CellsPart part = cells_part(kind, number);
    const CellRange& range = part.range;
    const bool is_in_grid = range.first_column >= 0 && range.first_row >= 0 && !range.empty() &&
                            range.end_column <= grid_.columns && range.end_row <= grid_.rows;
    const std::int64_t end = grid_.index(range.end_column, range.end_row - 1);
    if (!is_in_grid || cells_.size() < end * kBytesPerCell) return false;
    std::vector<float> values(at(std::int64_t{range.columns()} * range.rows()));
    read_cells(range, values);
    return checksum_of(values) == part.checksum;
}

TiledWork::CellsPart TiledWork::cells_part(std::uint8_t kind, std::int64_t number) const {
    CellsPart part;
    parts_.read(kind, number, 0, std::as_writable_bytes(std::span(&part, 1)));
    return part;
}

void TiledWork::set_cells(std::uint8_t kind, std::int64_t number, const CellRange& range,
                          std::span<const float> values) {
    const std::size_t columns = at(range.columns());
    if (range.columns() == grid_.columns) {
        cells_.write(grid_.index(0, range.first_row) * kBytesPerCell, std::as_bytes(values));
    } else {
        for (int row = range.first_row; row < range.end_row; ++row)
            cells_.write(grid_.index(range.first_column, row) * kBytesPerCell,
                         std::as_bytes(values.subspan(at(row - range.first_row) * columns, columns)));
    }
    const CellsPart part = {.range = range, .checksum = checksum_of(values)};
    parts_.keep(kind, number, std::as_bytes(std::span(&part, 1)));
}

void TiledWork::read_cells(const CellRange& range, std::span<float> into) const {
    const std::size_t columns = at(range.columns());
    if (range.columns() == grid_.columns)
        return cells_.read(grid_.index(0, range.first_row) * kBytesPerCell, std::as_writable_bytes(into));
    for (int row = range.first_row; row < range.end_row; ++row)
        cells_.read(grid_.index(range.first_column, row) * kBytesPerCell,
                    std::as_writable_bytes(into.subspan(at(row - range.first_row) * columns, columns)));
}

std::vector<float> TiledWork::area(const CellRange& range) const {
    std::vector<float> values(at(std::int64_t{range.columns()} * range.rows()));
    read_cells(range, values);
    return values;
}

void TiledWork::copy_terrain(RasterReader& raster, Progress& progress) {
    const std::vector<CellRange> ranges = raster.whole_blocks(kCellsAtOnce);
    parallel_for(0, static_cast<std::int64_t>(ranges.size()), 1, [&](std::int64_t i, std::int64_t) {
        progress.poll();
        if (parts_.has(kTerrain, i)) return;
        const Field<float> elevation = raster.read(ranges[at(i)]);
        check_elevation(elevation, raster.name());
        set_cells(kTerrain, i, ranges[at(i)], elevation.values());
    });
}

TiledTerrain TiledWork::terrain(double sea_level) const {
    return {.grid = grid_,
            .read =
                [this](const CellRange& range) {
                    Field<float> part(part_of(grid_, range));
                    read_cells(range, {part.data(), at(part.size())});
                    return part;
                },
            .sea_level = sea_level};
}

TiledResults TiledWork::results() {
    return {.keep =
                [this](TilePart part, std::int64_t tile, std::span<const std::byte> bytes) {
                    parts_.keep(static_cast<std::uint8_t>(part), tile, bytes);
                },
            .kept = [this](TilePart part,
                           std::int64_t tile) { return parts_.kept(static_cast<std::uint8_t>(part), tile); },
            .write =
                [this](std::int64_t tile, const CellRange& range, const Field<double>& drainage_area) {
                    std::vector<float> values(at(drainage_area.size()));
                    std::transform(
                        drainage_area.begin(), drainage_area.end(), values.begin(),
                        [](double area) { return area > 0.0 ? static_cast<float>(area) : kNoData; });
                    set_cells(kArea, tile, range, values);
                },
            .is_written = [this](std::int64_t tile) { return parts_.has(kArea, tile); }};
}

std::vector<std::uint8_t> TiledWork::directions(const CellRange& range) const {
    std::vector<std::uint8_t> directions(at(std::int64_t{range.columns()} * range.rows()));
    for (int row = range.first_row; row < range.end_row; ++row)
        for (int column = range.first_column; column < range.end_column;) {
            const TileCell first = map_.place(column, row);
            const int count = std::min(map_.range(first.tile).end_column, range.end_column) - column;
            const std::int64_t place =
                std::int64_t{row - range.first_row} * range.columns() + column - range.first_column;
            parts_.read(static_cast<std::uint8_t>(TilePart::Drained), first.tile, first.cell,
                        std::as_writable_bytes(std::span(directions).subspan(at(place), at(count))));
            column += count;
        }
    return directions;
}

}  // namespace thalweg
