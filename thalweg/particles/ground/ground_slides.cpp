// Slides of ParticleGround, where droplets have made it steep.
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/particles/ground/particle_ground.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <span>
#include <utility>

namespace thalweg {
namespace {

/// A bit for the row of a tile that lies at `row` of the grid where `is_so`, else 0.
std::uint32_t row_bit(int row, bool is_so) {
    return is_so ? GroundTiles::bit_of(row) : 0U;
}

}  // namespace

/// Marks rows of tiles in which droplets have made ground too steep; where there are materials, whose slopes
/// change by themselves, all of the tiles at hand.
void ParticleGround::mark_steep(const Field<std::int32_t>& elevation, const GroundSlides& slides_by) {
    const AvalancheLaw& law = slides_by.law.sediment;
    parallel_for(0, std::ssize(tiles_at_hand_), kTilesPerTask, [&](std::int64_t first, std::int64_t last) {
        PendingChange steep;
        for (std::int64_t i = first; i < last; ++i) {
            UnsettledRows& unsettled = unsettled_[at(tiles_at_hand_[at(i)])];
            if (slides_by.bedrock_rise != nullptr) {
                unsettled = {kAllRows, kAllRows, kAllRows};
                continue;
            }
            for (std::int64_t next = first_at_hand_[at(i)]; next < first_at_hand_[at(i + 1)];) {
                next = list_changed(next, first_at_hand_[at(i + 1)], steep);
                in_lanes([&](auto lanes) {
                    find_steep_cells<lanes()>(elevation.data(), grid_.columns, law.steepest_straight,
                                              law.steepest_diagonal, steep);
                });
                for (int cell = 0; cell < steep.count; ++cell) {
                    if (steep.change[cell] == 0) continue;
                    const int row = steep.cell[cell] / grid_.columns;
                    const std::uint32_t bit = GroundTiles::bit_of(steep.cell[cell] - row * grid_.columns);
                    unsettled.all |= GroundTiles::bit_of(row);
                    unsettled.west |= row_bit(row, bit == 1U);
                    unsettled.east |= row_bit(row, bit == 1U << 31);
                }
            }
        }
    });
    tiles_at_hand_.clear();
}

/// Lists cells at hand that have changed, from the `first` on; returns the next to look at.
std::int64_t ParticleGround::list_changed(std::int64_t first, std::int64_t last, PendingChange& of) const {
    of.count = 0;
    for (; first < last && of.count < PendingChange::kMost; ++first)
        if (change_at_hand_[at(first)] != 0) of.cell[of.count++] = cells_at_hand_[at(first)].cell;
    std::fill_n(of.cell + of.count, kWidestVector, grid_.columns + 1);
    return first;
}

/// The rows of a tile that are not settled, or have such cells beside them; `is_coarse`: all rows of such
/// tiles.
std::uint32_t ParticleGround::rows_to_slide(int column, int row, bool is_coarse) const {
    const auto rows_of = [&](int y) {
        std::uint32_t rows = 0;
        if (y < 0 || y >= tiles_.rows()) return rows;
        const UnsettledRows* of = unsettled_.data() + std::int64_t{y} * tiles_.columns() + column;
        rows = of->all;
        if (column > 0) rows |= is_coarse ? of[-1].all : of[-1].east;
        if (column < tiles_.columns() - 1) rows |= is_coarse ? of[1].all : of[1].west;
        return rows;
    };
    const std::uint32_t north = rows_of(row - 1);
    const std::uint32_t here = rows_of(row);
    const std::uint32_t south = rows_of(row + 1);
    if (is_coarse) return (north | here | south) != 0 ? kAllRows : 0U;
    return here | here << 1 | here >> 1 | north >> 31 | south << 31;
}

/// Lists the rows of tiles that may slide, and takes all to be settled.
void ParticleGround::list_rows_to_slide(bool is_coarse) {
    rows_at_hand_.clear();
    std::int64_t count = 0;
    for (int row = 0; row < tiles_.rows(); ++row)
        for (int column = 0; column < tiles_.columns(); ++column)
            if (const std::uint32_t rows = rows_to_slide(column, row, is_coarse); rows != 0) {
                rows_at_hand_.push_back(
                    {.tile = std::int64_t{row} * tiles_.columns() + column, .rows = rows, .first = count});
                count += std::popcount(rows);
            }
    std::ranges::fill(unsettled_, UnsettledRows{});
    // Vectors write beyond short rows.
    change_.resize(at(count * kMostInSlice + kWidestVector));
}

/// `change` for cells of a row that has slid, from `cell` on.
void ParticleGround::change_row(GroundLayers layers, std::int64_t cell,
                                std::span<const std::int32_t> changes) const {
    if (layers.soil != nullptr) {
        for (std::int64_t i = 0; i < std::ssize(changes); ++i) change(layers, cell + i, changes[at(i)]);
        return;
    }
    std::int32_t* const elevation = layers.elevation.data() + cell;
    std::int32_t* const loose = layers.loose.data() + cell;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        elevation[i] += changes[i];
        loose[i] = std::max(loose[i] + changes[i], 0);
    }
}

void ParticleGround::unsettle() {
    std::ranges::fill(unsettled_, UnsettledRows{kAllRows, kAllRows, kAllRows});
}

/// Finds what slides in rows of a tile, and which of them have to be looked at again.
SlidOut ParticleGround::find_slides(GroundLayers layers, const GroundSlides& slides_by,
                                    const GroundPigments* pigments, const TileRows& at_hand) {
    SlidOut out;
    UnsettledRows unsettled;
    std::int32_t* to = change_.data() + at_hand.first * kMostInSlice;
    tiles_.for_each_row(at_hand.tile, at_hand.rows, [&](int number, std::int64_t cell, int count) {
        RowSlice row = {.elevation = layers.elevation.data() + cell,
                        .places = places_.data() + cell,
                        .columns = grid_.columns,
                        .count = count,
                        .has_fixed = has_fixed_[at(at_hand.tile)] != 0};
        if (slides_by.bedrock_rise != nullptr) {
            row.loose = layers.loose.data() + cell;
            row.bedrock_rise = slides_by.bedrock_rise + cell;
            row.held = slides_by.held == nullptr ? nullptr : slides_by.held + cell;
        }
        RowChange change = {.all = to};
        if (layers.soil != nullptr) {
            row.soil = layers.soil->data() + cell;
            change.soil = soil_change_.data() + cell;
        }
        for (std::int64_t p = 0; pigments != nullptr && p < std::ssize(pigments->surface); ++p) {
            row.pigments[p] = pigments->surface[at(p)].data() + cell;
            change.pigments[p] = new_pigments_[at(p)].data() + cell;
        }
        const std::uint32_t slides =
            in_lanes([&](auto lanes) { return slide_in_lanes<lanes()>(row, slides_by.law, change, out); });
        unsettled.all |= row_bit(number, slides != 0);
        unsettled.west |= row_bit(number, (slides & 1U) != 0);
        unsettled.east |= row_bit(number, (slides >> (count - 1) & 1U) != 0);
        to += kMostInSlice;
    });
    unsettled_[at(at_hand.tile)] = unsettled;
    return out;
}

SlidOut ParticleGround::avalanche(GroundLayers layers, const GroundSlides& slides_by,
                                  const GroundPigments* pigments) {
    const std::int64_t pigment_count = pigments == nullptr ? 0 : std::ssize(pigments->surface);
    if (layers.soil != nullptr) soil_change_.resize(at(grid_.cells()));
    for (std::int64_t p = 0; p < pigment_count; ++p) new_pigments_[at(p)].resize(at(grid_.cells()));
    mark_steep(layers.elevation, slides_by);
    list_rows_to_slide(slides_by.bedrock_rise != nullptr);
    const auto slide_in = [&](std::int64_t first, std::int64_t last) {
        SlidOut out;
        for (std::int64_t i = first; i < last; ++i)
            out = out + find_slides(layers, slides_by, pigments, rows_at_hand_[at(i)]);
        return out;
    };
    const SlidOut out =
        parallel_reduce(0, std::ssize(rows_at_hand_), kTilesPerTask, SlidOut{}, slide_in, std::plus<>{});
    parallel_for(0, std::ssize(rows_at_hand_), kTilesPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const TileRows& at_hand = rows_at_hand_[at(i)];
            const std::uint32_t slid = unsettled_[at(at_hand.tile)].all;
            if (slid == 0) continue;
            const std::int32_t* of_row = change_.data() + at_hand.first * kMostInSlice;
            tiles_.for_each_row(at_hand.tile, at_hand.rows, [&](int number, std::int64_t cell, int count) {
                const std::span changes(std::exchange(of_row, of_row + kMostInSlice), at(count));
                if ((slid & GroundTiles::bit_of(number)) == 0) return;
                change_row(layers, cell, changes);
                for (std::int64_t p = 0; p < pigment_count; ++p)
                    for (int c = 0; c < count; ++c) {
                        const bool is_bare = layers.loose[cell + c] == 0;
                        pigments->surface[at(p)][cell + c] =
                            is_bare ? pigments->bedrock[at(p)][cell + c] : new_pigments_[at(p)][at(cell + c)];
                    }
            });
        }
    });
    // Where all ground has been looked at, as at first, much of it slides: later it is a hundredth.
    if (4 * std::ssize(change_) > grid_.cells()) change_ = std::vector<std::int32_t>();
    return out;
}

}  // namespace thalweg
