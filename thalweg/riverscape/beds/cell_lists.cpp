#include "thalweg/riverscape/beds/cell_lists.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

/// Square of the distance of (x, y) from the middle line of a capsule, m^2.
float square_distance(const Capsule& capsule, float x, float y) {
    const float dx = capsule.bx - capsule.ax;
    const float dy = capsule.by - capsule.ay;
    const float square = dx * dx + dy * dy;
    const float t = square > 0.0F
                        ? std::clamp(((x - capsule.ax) * dx + (y - capsule.ay) * dy) / square, 0.0F, 1.0F)
                        : 0.0F;
    const float ex = x - (capsule.ax + t * dx);
    const float ey = y - (capsule.ay + t * dy);
    return ex * ex + ey * ey;
}

/// Sorts numbers, and keeps one of equal ones. Numbers of what lies near each other mostly do so too.
void sort_once_each(std::vector<std::uint32_t>& numbers) {
    constexpr std::size_t kBits = 1U << 14;
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    const std::uint32_t from = *least;
    if (*most - from >= kBits) {
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        return;
    }
    std::array<std::uint64_t, kBits / 64> bits;
    const std::size_t words = (*most - from) / 64 + 1;
    std::fill_n(bits.begin(), words, 0);
    for (const std::uint32_t number : numbers)
        bits[(number - from) / 64] |= std::uint64_t{1} << (number - from) % 64;
    numbers.clear();
    for (std::size_t word = 0; word < words; ++word)
        for (std::uint64_t left = bits[word]; left != 0; left &= left - 1)
            numbers.push_back(from + static_cast<std::uint32_t>(64 * word) +
                              static_cast<std::uint32_t>(std::countr_zero(left)));
}

}  // namespace

CellLists::CellLists(std::span<const Capsule> capsules, float cell_size) : per_cell_(1.0F / cell_size) {
    float east = std::numeric_limits<float>::lowest();
    float north = east;
    west_ = -east;
    south_ = -east;
    for (const Capsule& c : capsules) {
        if (c.radius < 0.0F) continue;
        west_ = std::min(west_, std::min(c.ax, c.bx) - c.radius);
        south_ = std::min(south_, std::min(c.ay, c.by) - c.radius);
        east = std::max(east, std::max(c.ax, c.bx) + c.radius);
        north = std::max(north, std::max(c.ay, c.by) + c.radius);
    }
    if (east < west_) return;
    columns_ = static_cast<int>((east - west_) * per_cell_) / kTileCells + 1;
    rows_ = static_cast<int>((north - south_) * per_cell_) / kTileCells + 1;
    tile_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), -1);

    // Visits each cell that a capsule may reach: half a diagonal more than its radius from the cell's middle.
    const float slack = 0.71F * cell_size;
    const int last_column = columns_ * kTileCells - 1;
    const int last_row = rows_ * kTileCells - 1;
    const auto for_each_cell = [&](const Capsule& c, const auto& body) {
        const auto cell_along = [&](float value, int last) {
            return std::clamp(static_cast<int>(std::floor(value * per_cell_)), 0, last);
        };
        const int left = cell_along(std::min(c.ax, c.bx) - c.radius - west_, last_column);
        const int right = cell_along(std::max(c.ax, c.bx) + c.radius - west_, last_column);
        const int low = cell_along(std::min(c.ay, c.by) - c.radius - south_, last_row);
        const int high = cell_along(std::max(c.ay, c.by) + c.radius - south_, last_row);
        const float reach = (c.radius + slack) * (c.radius + slack);
        for (int row = low; row <= high; ++row)
            for (int column = left; column <= right; ++column)
                if (square_distance(c, west_ + (static_cast<float>(column) + 0.5F) * cell_size,
                                    south_ + (static_cast<float>(row) + 0.5F) * cell_size) <= reach)
                    body(column, row);
    };
    constexpr auto kCellsOfTile = static_cast<std::size_t>(kTileCells) * kTileCells;
    const auto slot = [&](int column, int row) -> std::size_t {
        const std::size_t tile =
            static_cast<std::size_t>(row / kTileCells) * static_cast<std::size_t>(columns_) +
            static_cast<std::size_t>(column / kTileCells);
        if (tile_[tile] < 0) {
            tile_[tile] = static_cast<std::int32_t>(first_.size() / kCellsOfTile);
            first_.resize(first_.size() + kCellsOfTile, 0);
        }
        return static_cast<std::size_t>(tile_[tile]) * kTileCells * kTileCells +
               static_cast<std::size_t>(row % kTileCells) * kTileCells +
               static_cast<std::size_t>(column % kTileCells);
    };
    // Count, sum up, fill.
    for (const Capsule& c : capsules)
        if (c.radius >= 0.0F) for_each_cell(c, [&](int column, int row) { ++first_[slot(column, row)]; });
    first_.push_back(0);
    std::uint32_t sum = 0;
    for (std::uint32_t& first : first_) {
        const std::uint32_t count = first;
        first = sum;
        sum += count;
    }
    numbers_.resize(sum);
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < capsules.size(); ++i)
        if (capsules[i].radius >= 0.0F)
            for_each_cell(capsules[i], [&](int column, int row) {
                numbers_[next[slot(column, row)]++] = static_cast<std::uint32_t>(i);
            });
}

std::span<const std::uint32_t> CellLists::at(float x, float y) const {
    const float column = (x - west_) * per_cell_;
    const float row = (y - south_) * per_cell_;
    if (!(column >= 0.0F && row >= 0.0F)) return {};
    if (column >= static_cast<float>(columns_ * kTileCells) || row >= static_cast<float>(rows_ * kTileCells))
        return {};
    const int c = static_cast<int>(column);
    const int r = static_cast<int>(row);
    const std::int32_t tile =
        tile_[static_cast<std::size_t>(r / kTileCells) * static_cast<std::size_t>(columns_) +
              static_cast<std::size_t>(c / kTileCells)];
    if (tile < 0) return {};
    return in_cell((static_cast<std::int64_t>(tile) * kTileCells + r % kTileCells) * kTileCells +
                   c % kTileCells);
}

bool CellLists::may_list_within(float west, float south, float east, float north) const {
    const auto tile_along = [&](float offset, int tiles) {
        return static_cast<int>(
            std::clamp(std::floor(offset * per_cell_ / kTileCells), -1.0F, static_cast<float>(tiles)));
    };
    const int last_column = std::min(tile_along(east - west_, columns_), columns_ - 1);
    const int last_row = std::min(tile_along(north - south_, rows_), rows_ - 1);
    for (int row = std::max(tile_along(south - south_, rows_), 0); row <= last_row; ++row)
        for (int column = std::max(tile_along(west - west_, columns_), 0); column <= last_column; ++column)
            if (tile_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(column)] >= 0)
                return true;
    return false;
}

void CellLists::list_within(float west, float south, float east, float north,
                            std::vector<std::uint32_t>& numbers) const {
    numbers.clear();
    if (west == east && south == north) {
        const std::span<const std::uint32_t> listed = at(west, south);
        numbers.assign(listed.begin(), listed.end());
        return;
    }
    // The cells of its corners, and those between.
    const auto cell_along = [&](float offset, int tiles) {
        const float last = static_cast<float>(tiles * kTileCells) - 1.0F;
        return static_cast<int>(std::clamp(std::floor(offset * per_cell_), -1.0F, last + 1.0F));
    };
    const int last_column = cell_along(east - west_, columns_);
    const int last_row = cell_along(north - south_, rows_);
    int lists = 0;
    for (int row = std::max(cell_along(south - south_, rows_), 0);
         row <= std::min(last_row, rows_ * kTileCells - 1); ++row)
        for (int column = std::max(cell_along(west - west_, columns_), 0);
             column <= std::min(last_column, columns_ * kTileCells - 1); ++column) {
            const std::int32_t tile =
                tile_[static_cast<std::size_t>(row / kTileCells) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(column / kTileCells)];
            if (tile < 0) continue;
            const std::span<const std::uint32_t> listed =
                in_cell((static_cast<std::int64_t>(tile) * kTileCells + row % kTileCells) * kTileCells +
                        column % kTileCells);
            numbers.insert(numbers.end(), listed.begin(), listed.end());
            lists += listed.empty() ? 0 : 1;
        }
    if (lists > 1) sort_once_each(numbers);
}

std::span<const std::uint32_t> CellLists::in_cell(std::int64_t cell) const {
    const auto place = static_cast<std::size_t>(cell);
    return std::span(numbers_).subspan(first_[place], first_[place + 1] - first_[place]);
}

std::int64_t CellLists::bytes() const {
    return static_cast<std::int64_t>(tile_.size() * sizeof(std::int32_t) +
                                     (first_.size() + numbers_.size()) * sizeof(std::uint32_t));
}

}  // namespace thalweg
