#include "thalweg/water/surface/tile_grid.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace thalweg {
namespace {

constexpr std::int64_t kBlockColumns = 256;
constexpr std::int64_t kBlockPoints = 8192;  // their sums stay in the second cache
constexpr double kManyPoints = 4.0;          // in a cell: from here on it is quicker by primitives

/// The part of a program before its first operator: primitives that are added to nothing.
std::span<const std::uint16_t> first_part(std::span<const std::uint16_t> program) {
    const auto end = std::ranges::find_if(program, [](std::uint16_t code) { return code >= kPushSums; });
    return {program.begin(), end};
}

/// A primitive's reach, m from the tile's corner.
bool reaches(const PreparedPrimitive& p, const BlockPoints& block) {
    const float west = block.x[0] - p.x;
    const float east = p.x - block.x[block.columns - 1];
    const float north = p.y - block.y[0];
    const float south = block.y[block.rows - 1] - p.y;
    const float off_x = std::max({west, east, 0.0F});
    const float off_y = std::max({north, south, 0.0F});
    return (off_x * off_x + off_y * off_y) * p.per_square <= 1.0F;
}

}  // namespace

std::vector<TileGrid::Run> TileGrid::runs_of(std::span<const double> coordinates) const {
    std::vector<Run> runs;
    for (std::int64_t i = 0; i < std::ssize(coordinates); ++i) {
        const std::int64_t cell = water_.cell_of(coordinates[at(i)]);
        if (runs.empty() || runs.back().cell != cell) runs.push_back({i, i, cell});
        runs.back().end = i + 1;
    }
    return runs;
}

/// Makes all primitives ready, and tells those that are added first; false where one is added behind an
/// operator in another cell: the order of the tile is not that of all cells then.
bool TileGrid::list_primitives() {
    is_first_.assign(water_.tile().primitives, 0);
    is_inner_.assign(water_.tile().primitives, 0);
    for (const Run& down : down_)
        for (const Run& across : across_) {
            const std::span<const std::uint16_t> program = water_.program(across.cell, down.cell);
            water_.prepare(program);
            const std::span<const std::uint16_t> first = first_part(program);
            for (const std::uint16_t code : first) is_first_[code] = 1;
            for (const std::uint16_t code : program.subspan(first.size()))
                if (code < kPushSums) is_inner_[code] = 1;
        }
    for (std::size_t i = 0; i < is_first_.size(); ++i)
        if (is_first_[i] != 0 && is_inner_[i] != 0) return false;
    return true;
}

void TileGrid::evaluate(std::span<const double> x, std::span<const double> y, std::int64_t first,
                        std::int64_t stride, const WaterColumns& columns) {
    x_ = x;
    y_ = y;
    first_ = first;
    stride_ = stride;
    columns_ = columns;
    across_ = runs_of(x);
    down_ = runs_of(y);
    const auto cells = static_cast<double>(across_.size() * down_.size());
    if (static_cast<double>(x.size() * y.size()) < kManyPoints * cells || !list_primitives()) {
        for (const Run& down : down_)
            for (const Run& across : across_) evaluate_cell(across, down);
        return;
    }
    const std::int64_t width = std::min<std::int64_t>(std::ssize(x), kBlockColumns);
    const std::int64_t height = std::max<std::int64_t>(1, kBlockPoints / width);
    for (std::int64_t top = 0; top < std::ssize(y); top += height)
        for (std::int64_t left = 0; left < std::ssize(x); left += width)
            evaluate_block(
                {left, std::min(left + width, std::ssize(x)), top, std::min(top + height, std::ssize(y))});
}

void TileGrid::evaluate_cell(const Run& across, const Run& down) {
    if (water_.program(across.cell, down.cell).empty()) return;
    water_.clear_points();
    for (std::int64_t row = down.first; row < down.end; ++row)
        for (std::int64_t column = across.first; column < across.end; ++column)
            water_.add_point(x_[at(column)], y_[at(row)]);
    water_.evaluate(across.cell, down.cell);
    std::int64_t point = 0;
    for (std::int64_t row = down.first; row < down.end; ++row)
        for (std::int64_t column = across.first; column < across.end; ++column) {
            const TileWater::Water water = water_.water(point++);
            const std::size_t place = at(first_ + row * stride_ + column);
            columns_.elevation[place] = water.elevation;
            columns_.velocity_x[place] = water.velocity_x;
            columns_.velocity_y[place] = water.velocity_y;
            columns_.foam[place] = water.foam;
        }
}

void TileGrid::evaluate_block(const Block& block) {
    block_x_.clear();
    block_y_.clear();
    for (std::int64_t i = block.left; i < block.right; ++i) block_x_.push_back(static_cast<float>(x_[at(i)]));
    for (std::int64_t i = block.top; i < block.bottom; ++i) block_y_.push_back(static_cast<float>(y_[at(i)]));
    const std::size_t width = block_x_.size();
    block_x_.resize(width + kWidestVector, block_x_.back());
    const double spacing =
        width < 2 ? 1.0 : (x_[at(block.right - 1)] - x_[at(block.left)]) / static_cast<double>(width - 1);
    const BlockPoints points{block_x_.data(),
                             block_y_.data(),
                             static_cast<int>(width),
                             static_cast<int>(block_y_.size()),
                             static_cast<int>(block_x_.size()),
                             static_cast<float>(1.0 / spacing)};
    const std::size_t places = block_x_.size() * block_y_.size();
    sums_.clear(places);
    in_lanes([&](auto lanes) {
        for (std::size_t i = 0; i < is_first_.size(); ++i)
            if (is_first_[i] != 0 && reaches(water_.primitives()[i], points))
                add_in_lanes<lanes()>(water_.primitives()[i], static_cast<std::uint16_t>(i), water_.others(),
                                      points, sums_.sums());
    });
    go_on(block);
    in_lanes([&](auto lanes) {
        finish_in_lanes<lanes()>(water_.base(), static_cast<std::int64_t>(places), sums_.sums());
    });
    put(block);
}

/// What cells do behind their first parts.
void TileGrid::go_on(const Block& block) {
    const std::int64_t stride = std::ssize(block_x_);
    for (const Run& down : down_) {
        const std::int64_t top = std::max(down.first, block.top);
        const std::int64_t bottom = std::min(down.end, block.bottom);
        if (top >= bottom) continue;
        for (const Run& across : across_) {
            const std::int64_t left = std::max(across.first, block.left);
            const std::int64_t right = std::min(across.end, block.right);
            if (left >= right) continue;
            const std::span<const std::uint16_t> program = water_.program(across.cell, down.cell);
            const std::size_t done = first_part(program).size();
            if (done == program.size()) continue;
            // Take the cell's points out, and put them back.
            const auto count = static_cast<std::size_t>((bottom - top) * (right - left));
            const std::size_t padded = (count + kWidestVector - 1) / kWidestVector * kWidestVector;
            cell_sums_.clear(padded);
            cell_x_.assign(padded, block_x_[at(left - block.left)]);
            cell_y_.assign(padded, block_y_[at(top - block.top)]);
            const auto for_each = [&](const auto& body) {
                std::size_t point = 0;
                for (std::int64_t row = top; row < bottom; ++row)
                    for (std::int64_t column = left; column < right; ++column, ++point)
                        body(point, at((row - block.top) * stride + column - block.left));
            };
            for_each([&](std::size_t point, std::size_t place) {
                cell_x_[point] = block_x_[place % at(stride)];
                cell_y_[point] = block_y_[place / at(stride)];
            });
            const auto copy = [&](SumColumns& from, SumColumns& to, bool is_back) {
                for (const auto member :
                     {&SumColumns::weight, &SumColumns::elevation, &SumColumns::velocity_x,
                      &SumColumns::velocity_y, &SumColumns::foam})
                    for_each([&](std::size_t point, std::size_t place) {
                        (to.*member)[is_back ? place : point] = (from.*member)[is_back ? point : place];
                    });
            };
            copy(sums_, cell_sums_, false);
            in_lanes([&](auto lanes) {
                run_in_lanes<lanes()>({water_.primitives().data(), program.data() + done,
                                       std::ssize(program) - static_cast<std::int64_t>(done)},
                                      water_.others(),
                                      {cell_x_.data(), cell_y_.data(), static_cast<std::int64_t>(padded)},
                                      cell_sums_.sums());
            });
            copy(cell_sums_, sums_, true);
        }
    }
}

/// Writes the water of a block, but for cells without primitives.
void TileGrid::put(const Block& block) {
    const std::int64_t stride = std::ssize(block_x_);
    for (const Run& down : down_) {
        const std::int64_t top = std::max(down.first, block.top);
        const std::int64_t bottom = std::min(down.end, block.bottom);
        if (top >= bottom) continue;
        for (std::size_t k = 0; k < across_.size(); ++k) {
            if (water_.program(across_[k].cell, down.cell).empty()) continue;
            // Cells beside each other together.
            const std::int64_t left = std::max(across_[k].first, block.left);
            while (k + 1 < across_.size() && !water_.program(across_[k + 1].cell, down.cell).empty()) ++k;
            const std::int64_t right = std::min(across_[k].end, block.right);
            if (left >= right) continue;
            for (std::int64_t row = top; row < bottom; ++row) {
                const std::size_t from = at((row - block.top) * stride + left - block.left);
                const std::size_t to = at(first_ + row * stride_ + left);
                const std::size_t count = at(right - left);
                for (std::size_t i = 0; i < count; ++i)
                    columns_.elevation[to + i] = water_.elevation_of(sums_.elevation[from + i]);
                std::copy_n(&sums_.velocity_x[from], count, &columns_.velocity_x[to]);
                std::copy_n(&sums_.velocity_y[from], count, &columns_.velocity_y[to]);
                std::copy_n(&sums_.foam[from], count, &columns_.foam[to]);
            }
        }
    }
}

}  // namespace thalweg
