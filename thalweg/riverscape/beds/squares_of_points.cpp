#include "thalweg/riverscape/beds/squares_of_points.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

/// Parts of a square, a side: their points are worked on as vectors.
constexpr int kPartsOfSquare = 4;

struct Extent {
    Position low;
    Position high;

    void add(const Position& p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
};

Extent extent_of(std::span<const Position> positions) {
    Extent extent{positions.front(), positions.front()};
    for (const Position& p : positions) extent.add(p);
    return extent;
}

}  // namespace

void SquaresOfPoints::sort(std::span<const Position> positions) {
    order_.clear();
    ends_.clear();
    if (!positions.empty()) sort_part(positions, 0, positions.size());
}

void SquaresOfPoints::sort_part(std::span<const Position> positions, std::size_t first, std::size_t last) {
    constexpr std::size_t kFew = 16;
    constexpr double kSparse = 4.0;  // squares for a point
    const std::size_t count = last - first;
    const auto [low, high] = extent_of(positions.subspan(first, count));
    const double columns = std::floor((high.x - low.x) / side_) + 1.0;
    const double rows = std::floor((high.y - low.y) / side_) + 1.0;
    if (count <= kFew && columns * rows > 1.0) return append_runs(positions, first, last);
    if (!(columns * rows <= kSparse * static_cast<double>(count))) {
        const std::size_t middle = first + count / 2;
        sort_part(positions, first, middle);
        sort_part(positions, middle, last);
        return;
    }
    // Count, sum up, fill.
    const double parts_per_metre = static_cast<double>(kPartsOfSquare) / side_;
    const auto across = static_cast<int>(columns);
    const auto last_row = static_cast<int>(rows) - 1;
    constexpr std::size_t kParts = std::size_t{kPartsOfSquare} * kPartsOfSquare;
    starts_.assign(static_cast<std::size_t>(columns * rows) * kParts + 1, 0);
    parts_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto [x, y] = positions[first + i];
        const auto column = static_cast<int>((x - low.x) * parts_per_metre);
        const auto row = static_cast<int>((y - low.y) * parts_per_metre);
        const int square =
            std::min(row / kPartsOfSquare, last_row) * across + std::min(column / kPartsOfSquare, across - 1);
        parts_[i] = static_cast<std::uint32_t>(
            (square * kPartsOfSquare + row % kPartsOfSquare) * kPartsOfSquare + column % kPartsOfSquare);
        ++starts_[parts_[i] + 1];
    }
    for (std::size_t part = 1; part < starts_.size(); ++part) starts_[part] += starts_[part - 1];
    const std::size_t before = order_.size();
    order_.resize(before + count);
    for (std::size_t part = kParts; part < starts_.size(); part += kParts)
        if (starts_[part] > starts_[part - kParts]) ends_.push_back(before + starts_[part]);
    for (std::size_t i = 0; i < count; ++i)
        order_[before + starts_[parts_[i]]++] = static_cast<std::uint32_t>(first + i);
}

/// Points that follow each other, as long as they lie in a square.
void SquaresOfPoints::append_runs(std::span<const Position> positions, std::size_t first, std::size_t last) {
    for (std::size_t begin = first; begin < last;) {
        Extent extent{positions[begin], positions[begin]};
        std::size_t end = begin;
        for (; end < last; ++end) {
            Extent more = extent;
            more.add(positions[end]);
            if (more.high.x - more.low.x > side_ || more.high.y - more.low.y > side_) break;
            extent = more;
            order_.push_back(static_cast<std::uint32_t>(end));
        }
        ends_.push_back(order_.size());
        begin = end;
    }
}

}  // namespace thalweg
