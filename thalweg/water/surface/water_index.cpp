#include "thalweg/water/surface/water_index.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/sorted_by_key.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/water/primitives/half_float.hpp"
#include "thalweg/water/surface/water_layering.hpp"
#include "thalweg/water/surface/water_record.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kRadiiPerTile = 6.0;             // mean ones (empirical: least time of all)
constexpr double kCellsPerRadius = 2.0;           // the same
constexpr double kTilesPerLargest = 128.0;        // radii of the largest: it must not make endless lists
constexpr std::uint32_t kMostCells = 32;          // a side of a tile
constexpr std::uint32_t kMostInTile = kPushSums;  // primitives: codes are 16 bits
constexpr std::int64_t kMostRecords = std::int64_t{1} << 30;
constexpr std::int64_t kTileBlock = 256;  // tiles of one piece of work
constexpr int kMortonBits = 21;           // of a coordinate

/// A disc's centre [m from the origin] and radius.
struct WaterDisc {
    double x;
    double y;
    double radius;
};

WaterDisc disc_of(const WaterRecord& record) {
    return {record.x, record.y, float_of(record.radius)};
}

/// The square of how far a coordinate lies off [from, from + size], m^2.
double square_off(double coordinate, double from, double size) {
    const double off = coordinate - std::clamp(coordinate, from, from + size);
    return off * off;
}

/// Whether a disc reaches into the square of side `size` whose south-west corner is (x, y).
bool reaches_into(const WaterDisc& disc, double x, double y, double size) {
    return square_off(disc.x, x, size) + square_off(disc.y, y, size) < disc.radius * disc.radius;
}

Rectangle joined(const Rectangle& a, const Rectangle& b) {
    return {std::min(a.west, b.west), std::min(a.south, b.south), std::max(a.east, b.east),
            std::max(a.north, b.north)};
}

/// Leaves as records in Morton order, with their groups.
struct SortedLeaves {
    std::vector<WaterRecord> records;
    std::vector<std::uint32_t> groups;
};

SortedLeaves sorted_leaves(const BlendFlowTree& tree, const WaterLayering& layering) {
    const std::vector<WaterLayering::GroupedLeaf>& leaves = layering.leaves();
    if (std::ssize(leaves) > kMostRecords)
        throw Error::input(
            fmt::format("{} primitives of water are too many: at most {}", leaves.size(), kMostRecords));
    const std::size_t count = leaves.size();
    const auto for_each_leaf = [&](const auto& body) {
        parallel_for(
            0, static_cast<std::int64_t>(count), 1 << 14, [&](std::int64_t first, std::int64_t last) {
                for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
                    body(i);
            });
    };
    std::vector<Position> centres(count);
    std::vector<WaterRecord> records(count);
    for_each_leaf([&](std::size_t i) {
        const WaterPrimitive& p = tree.primitive(leaves[i].leaf);
        centres[i] = {p.x, p.y};
        records[i] = record_of(p, tree.kinds()[static_cast<std::size_t>(p.kind)], tree.setting());
    });
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    Rectangle bounds{kInfinite, kInfinite, -kInfinite, -kInfinite};
    for (const Position& p : centres) bounds = joined(bounds, {p.x, p.y, p.x, p.y});
    const double extent = std::max({1e-3, bounds.east - bounds.west, bounds.north - bounds.south});
    const double steps = static_cast<double>((1 << kMortonBits) - 1) / extent;
    std::vector<std::uint64_t> keys(count);
    for_each_leaf([&](std::size_t i) {
        keys[i] = morton_code(static_cast<std::uint32_t>((centres[i].x - bounds.west) * steps),
                              static_cast<std::uint32_t>((centres[i].y - bounds.south) * steps));
    });
    const std::vector<std::uint32_t> order = order_of_keys(keys);
    SortedLeaves sorted{std::vector<WaterRecord>(count), std::vector<std::uint32_t>(count)};
    for_each_leaf([&](std::size_t i) {
        sorted.records[i] = records[order[i]];
        sorted.groups[i] = leaves[order[i]].group;
    });
    return sorted;
}

/// A power of two, m.
double tile_size_for(std::span<const WaterRecord> records) {
    double sum = 0.0;
    double largest = 0.0;
    for (const WaterRecord& record : records) {
        const auto radius = static_cast<double>(float_of(record.radius));
        sum += radius;
        largest = std::max(largest, radius);
    }
    const double mean = records.empty() ? 1.0 : sum / static_cast<double>(records.size());
    const double wanted = std::max(kRadiiPerTile * mean, largest / kTilesPerLargest);
    double size = 1.0;
    while (size < wanted) size *= 2.0;
    while (size > 2.0 * wanted) size *= 0.5;
    return size;
}

/// Calls `visit(column, row)` for every tile that the disc reaches into.
template <class Visit>
void for_each_tile(const WaterDisc& disc, double size, const Visit& visit) {
    const std::int64_t end_row = tile_of(disc.y + disc.radius, size) + 1;
    const std::int64_t end_column = tile_of(disc.x + disc.radius, size) + 1;
    for (std::int64_t row = tile_of(disc.y - disc.radius, size); row < end_row; ++row)
        for (std::int64_t column = tile_of(disc.x - disc.radius, size); column < end_column; ++column)
            if (reaches_into(disc, static_cast<double>(column) * size, static_cast<double>(row) * size, size))
                visit(column, row);
}

/// Where tiles lie: the first ones that any disc comes near, and how many columns from there on.
struct TileRange {
    std::int64_t first_column;
    std::int64_t first_row;
    std::int64_t columns;
};

TileRange tiles_of(const WaterBuffers& buffers) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const Rectangle bounds = parallel_reduce(
        0, std::ssize(buffers.records), 1 << 14, Rectangle{kInfinite, kInfinite, -kInfinite, -kInfinite},
        [&](std::int64_t first, std::int64_t last) {
            Rectangle part{kInfinite, kInfinite, -kInfinite, -kInfinite};
            for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
                const auto [x, y, radius] = disc_of(buffers.records[i]);
                part = joined(part, {x - radius, y - radius, x + radius, y + radius});
            }
            return part;
        },
        joined);
    const std::int64_t first_column = tile_of(bounds.west, buffers.tile_size);
    return {first_column, tile_of(bounds.south, buffers.tile_size),
            tile_of(bounds.east, buffers.tile_size) - first_column + 1};
}

/// Tiles with their lists of primitives, which rise.
void list_tiles(WaterBuffers& buffers) {
    if (buffers.records.empty()) return;
    struct TilePair {
        std::uint64_t tile;
        std::uint32_t record;
    };
    const TileRange range = tiles_of(buffers);
    const std::vector<TilePair> pairs = parallel_gather<TilePair>(
        0, std::ssize(buffers.records), 1 << 14, [&](std::int64_t i, std::vector<TilePair>& found) {
            const WaterDisc disc = disc_of(buffers.records[static_cast<std::size_t>(i)]);
            for_each_tile(disc, buffers.tile_size, [&](std::int64_t column, std::int64_t row) {
                found.push_back({static_cast<std::uint64_t>((row - range.first_row) * range.columns + column -
                                                            range.first_column),
                                 static_cast<std::uint32_t>(i)});
            });
        });
    const auto for_each_pair = [&](const auto& body) {
        parallel_for(0, std::ssize(pairs), 1 << 15, [&](std::int64_t first, std::int64_t last) {
            for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) body(i);
        });
    };
    std::vector<std::uint64_t> tiles(pairs.size());
    for_each_pair([&](std::size_t i) { tiles[i] = pairs[i].tile; });
    const std::vector<std::uint32_t> order = order_of_keys(tiles);
    buffers.tile_primitives.resize(pairs.size());
    for_each_pair([&](std::size_t i) {
        tiles[i] = pairs[order[i]].tile;
        buffers.tile_primitives[i] = pairs[order[i]].record;
    });
    const auto columns = static_cast<std::uint64_t>(range.columns);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        if (i == 0 || tiles[i] != tiles[i - 1])
            buffers.tiles.push_back({.column = static_cast<std::int32_t>(
                                         range.first_column + static_cast<std::int64_t>(tiles[i] % columns)),
                                     .row = static_cast<std::int32_t>(
                                         range.first_row + static_cast<std::int64_t>(tiles[i] / columns)),
                                     .first_primitive = static_cast<std::uint32_t>(i)});
        WaterTile& tile = buffers.tiles.back();
        if (++tile.primitives > kMostInTile)
            throw Error::input(
                fmt::format("more than {} primitives of water lie within {} m: give fewer, or no much larger "
                            "ones elsewhere",
                            kMostInTile, buffers.tile_size));
    }
}

/// What a piece of tiles adds to the buffers.
struct TilePiece {
    std::vector<std::uint32_t> starts;  // in `programs` of this piece
    std::vector<std::uint16_t> programs;
};

/// Cells of a tile, and which of its primitives reach into each.
class TileCells {
  public:
    TileCells(const WaterBuffers& buffers, const std::vector<std::uint32_t>& groups)
        : buffers_(buffers), groups_(groups) {}

    /// Sets the tile's cells and datum, and writes its programs.
    void write(WaterTile& tile, const WaterLayering& layering, TilePiece& piece) {
        gather(tile);
        choose_cells(tile);
        list_cells(tile);
        const auto cells = static_cast<std::size_t>(tile.cells) * tile.cells;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            piece.starts.push_back(static_cast<std::uint32_t>(piece.programs.size()));
            const std::span<const GroupedPrimitive> in_cell(listed_.data() + starts_[cell],
                                                            starts_[cell + 1] - starts_[cell]);
            layering.write_program(in_cell, piece.programs);
        }
        piece.starts.push_back(static_cast<std::uint32_t>(piece.programs.size()));
    }

  private:
    /// The tile's primitives in the order of their groups, and in Morton order within each.
    void gather(const WaterTile& tile) {
        primitives_.resize(tile.primitives);
        for (std::uint32_t i = 0; i < tile.primitives; ++i)
            primitives_[i] = {groups_[record_number(tile, i)], static_cast<std::uint16_t>(i)};
        std::stable_sort(
            primitives_.begin(), primitives_.end(),
            [](const GroupedPrimitive& a, const GroupedPrimitive& b) { return a.group < b.group; });
    }

    /// As wide as half a mean radius of the tile, or wider.
    void choose_cells(WaterTile& tile) const {
        double sum = 0.0;
        for (std::uint32_t i = 0; i < tile.primitives; ++i)
            sum += disc_of(buffers_.records[record_number(tile, i)]).radius;
        const double mean = sum / static_cast<double>(tile.primitives);
        tile.cells = 1;
        while (tile.cells < kMostCells && buffers_.tile_size * kCellsPerRadius > 1.5 * tile.cells * mean)
            tile.cells *= 2;
        tile.datum = buffers_.records[buffers_.tile_primitives[tile.first_primitive]].elevation;
    }

    void list_cells(const WaterTile& tile) {
        reached_.clear();
        starts_.assign(static_cast<std::size_t>(tile.cells) * tile.cells + 1, 0);
        for (const GroupedPrimitive& primitive : primitives_) {
            const std::size_t before = reached_.size();
            append_reached(tile, disc_of(buffers_.records[record_number(tile, primitive.number)]));
            for (std::size_t i = before; i < reached_.size(); ++i) ++starts_[reached_[i] + 1];
            reached_.push_back(kEnd);
        }
        for (std::size_t cell = 1; cell < starts_.size(); ++cell) starts_[cell] += starts_[cell - 1];
        listed_.resize(starts_.back());
        next_ = starts_;
        auto primitive = primitives_.begin();
        for (const std::uint32_t cell : reached_) {
            if (cell == kEnd) {
                ++primitive;
            } else {
                listed_[next_[cell]++] = *primitive;
            }
        }
    }

    /// The cells of a tile that a disc reaches into, row by row.
    void append_reached(const WaterTile& tile, const WaterDisc& disc) {
        const double size = buffers_.tile_size / tile.cells;
        const double west = tile.column * buffers_.tile_size;
        const double south = tile.row * buffers_.tile_size;
        const auto last = static_cast<std::int64_t>(tile.cells) - 1;
        // Below 0, where it is rounded up, it is the first cell in any case.
        const auto cell_of = [&](double offset) {
            return std::clamp<std::int64_t>(static_cast<std::int64_t>(offset / size), 0, last);
        };
        const std::int64_t last_row = cell_of(disc.y + disc.radius - south);
        const std::int64_t last_column = cell_of(disc.x + disc.radius - west);
        const std::int64_t first_column = cell_of(disc.x - disc.radius - west);
        const double square = disc.radius * disc.radius;
        off_squares_.clear();
        for (std::int64_t column = first_column; column <= last_column; ++column)
            off_squares_.push_back(square_off(disc.x, west + static_cast<double>(column) * size, size));
        for (std::int64_t row = cell_of(disc.y - disc.radius - south); row <= last_row; ++row) {
            const double off = square_off(disc.y, south + static_cast<double>(row) * size, size);
            for (std::int64_t column = first_column; column <= last_column; ++column)
                if (off_squares_[static_cast<std::size_t>(column - first_column)] + off < square)
                    reached_.push_back(static_cast<std::uint32_t>(row * tile.cells + column));
        }
    }

    [[nodiscard]] std::uint32_t record_number(const WaterTile& tile, std::uint32_t i) const {
        return buffers_.tile_primitives[tile.first_primitive + i];
    }

    const WaterBuffers& buffers_;
    const std::vector<std::uint32_t>& groups_;
    std::vector<GroupedPrimitive> primitives_ = {};
    std::vector<std::uint32_t> starts_ = {};
    std::vector<std::uint32_t> next_ = {};
    static constexpr std::uint32_t kEnd = 0xffffffffU;
    std::vector<std::uint32_t> reached_ =
        {};                                 // cells of one primitive after the other, each with kEnd behind
    std::vector<double> off_squares_ = {};  // m^2, of a disc's centre off columns
    std::vector<GroupedPrimitive> listed_ = {};
};

void write_programs(const WaterLayering& layering, const std::vector<std::uint32_t>& groups,
                    WaterBuffers& buffers, Progress& progress) {
    const std::int64_t tiles = std::ssize(buffers.tiles);
    std::vector<TilePiece> pieces(static_cast<std::size_t>((tiles + kTileBlock - 1) / kTileBlock));
    parallel_for(0, tiles, kTileBlock, [&](std::int64_t first, std::int64_t last) {
        TileCells cells(buffers, groups);
        for (std::int64_t i = first; i < last; ++i) {
            progress.poll();
            cells.write(buffers.tiles[static_cast<std::size_t>(i)], layering,
                        pieces[static_cast<std::size_t>(first / kTileBlock)]);
        }
    });
    // Join the pieces.
    std::size_t starts = 0;
    std::size_t codes = 0;
    for (const TilePiece& piece : pieces) {
        starts += piece.starts.size();
        codes += piece.programs.size();
    }
    if (codes > std::numeric_limits<std::uint32_t>::max())
        throw Error::input("the programs of water take more than 8 GiB: give fewer primitives that overlap");
    buffers.cell_starts.reserve(starts);
    buffers.programs.reserve(codes);
    for (TilePiece& piece : pieces) {
        const auto before = static_cast<std::uint32_t>(buffers.programs.size());
        for (const std::uint32_t start : piece.starts) buffers.cell_starts.push_back(before + start);
        buffers.programs.insert(buffers.programs.end(), piece.programs.begin(), piece.programs.end());
        piece = {};
    }
    std::uint32_t next = 0;
    for (WaterTile& tile : buffers.tiles) {
        tile.first_start = next;
        next += tile.cells * tile.cells + 1;
    }
}

}  // namespace

std::int64_t tile_of(double coordinate, double tile_size) {
    return static_cast<std::int64_t>(std::floor(coordinate / tile_size));
}

WaterBuffers compiled(const BlendFlowTree& tree, Progress& progress) {
    progress.report(0.0, "compiling the water");
    const WaterLayering layering(tree);
    SortedLeaves leaves = sorted_leaves(tree, layering);
    WaterBuffers buffers{.tile_size = tile_size_for(leaves.records)};
    buffers.records = std::move(leaves.records);
    progress.report(0.3, "compiling the water");
    list_tiles(buffers);
    progress.report(0.5, "compiling the water");
    write_programs(layering, leaves.groups, buffers, progress);
    progress.report(1.0, "compiling the water");
    return buffers;
}

std::int64_t WaterBuffers::bytes() const {
    const auto of = [](const auto& column) {
        return std::ssize(column) * static_cast<std::int64_t>(sizeof(column[0]));
    };
    return of(records) + of(tiles) + of(tile_primitives) + of(cell_starts) + of(programs);
}

}  // namespace thalweg
