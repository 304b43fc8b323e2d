#include "thalweg/riverscape/beds/squares_of_points.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

/// Parts of a square, a side: their points are worked on as vectors.
constexpr int kPartsOfSquare = 4;
constexpr std::size_t kParts = std::size_t{kPartsOfSquare} * kPartsOfSquare;

constexpr double kWidest = 4.0;  // sides: of squares that hold few points (empirical)

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

/// Whether most points lie farther than `near` m from the next ones.
bool are_scattered(std::span<const Position> positions, double near) {
    std::size_t far = 0;
    for (std::size_t i = 1; i < positions.size(); ++i) {
        const double x = std::abs(positions[i].x - positions[i - 1].x);
        const double y = std::abs(positions[i].y - positions[i - 1].y);
        far += std::max(x, y) > near ? 1 : 0;
    }
    return 2 * far > positions.size();
}

}  // namespace

void SquaresOfPoints::sort(std::span<const Position> positions) {
    order_.clear();
    ends_.clear();
    if (!positions.empty()) sort_part(positions, 0, positions.size());
}

void SquaresOfPoints::sort_part(std::span<const Position> positions, std::size_t first, std::size_t last) {
    constexpr std::size_t kFew = 16;
    constexpr std::size_t kFull = 12;  // points of a square: fewer leave lanes of vectors at rest
    constexpr double kSparse = 4.0;    // squares for a point
    const std::span<const Position> part = positions.subspan(first, last - first);
    const auto [low, high] = extent_of(part);
    const auto squares = [&](double side) {
        return (std::floor((high.x - low.x) / side) + 1.0) * (std::floor((high.y - low.y) / side) + 1.0);
    };
    const double most = kSparse * static_cast<double>(part.size());
    const double widest = kWidest * side_;
    double side = side_;
    while (squares(side) > most && side < widest) side *= 2.0;
    if (!(squares(side) <= most)) {
        if (part.size() <= kFew || are_scattered(part, widest)) return append_runs(positions, first, last);
        const std::size_t middle = first + part.size() / 2;
        sort_part(positions, first, middle);
        sort_part(positions, middle, last);
        return;
    }
    while (count_parts(part, low, high, side) * kFull > part.size() && side < widest) side *= 2.0;
    // Sum up, fill.
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    const std::size_t before = order_.size();
    order_.resize(before + part.size());
    for (std::size_t i = kParts; i < starts_.size(); i += kParts)
        if (starts_[i] > starts_[i - kParts]) ends_.push_back(before + starts_[i]);
    for (std::size_t i = 0; i < part.size(); ++i)
        order_[before + starts_[parts_[i]]++] = static_cast<std::uint32_t>(first + i);
}

/// Finds the parts of squares that points lie in, and counts the points of each; returns how many squares
/// have points.
std::size_t SquaresOfPoints::count_parts(std::span<const Position> positions, Position low, Position high,
                                         double side) {
    const double parts_per_metre = static_cast<double>(kPartsOfSquare) / side;
    const auto across = static_cast<int>((high.x - low.x) * parts_per_metre) / kPartsOfSquare + 1;
    const auto up = static_cast<int>((high.y - low.y) * parts_per_metre) / kPartsOfSquare + 1;
    starts_.assign(static_cast<std::size_t>(across) * static_cast<std::size_t>(up) * kParts + 1, 0);
    parts_.resize(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const auto column = static_cast<int>((positions[i].x - low.x) * parts_per_metre);
        const auto row = static_cast<int>((positions[i].y - low.y) * parts_per_metre);
        const int square = row / kPartsOfSquare * across + column / kPartsOfSquare;
        parts_[i] = static_cast<std::uint32_t>(
            (square * kPartsOfSquare + row % kPartsOfSquare) * kPartsOfSquare + column % kPartsOfSquare);
        ++starts_[parts_[i] + 1];
    }
    std::size_t with_points = 0;
    for (std::size_t square = 1; square < starts_.size(); square += kParts) {
        const auto begin = starts_.begin() + static_cast<std::ptrdiff_t>(square);
        with_points +=
            std::any_of(begin, begin + kParts, [](std::uint32_t count) { return count > 0; }) ? 1 : 0;
    }
    return with_points;
}

/// Points that follow each other, as long as they lie in a square.
void SquaresOfPoints::append_runs(std::span<const Position> positions, std::size_t first, std::size_t last) {
    const double widest = kWidest * side_;
    for (std::size_t begin = first; begin < last;) {
        Extent extent{positions[begin], positions[begin]};
        std::size_t end = begin;
        for (; end < last; ++end) {
            Extent more = extent;
            more.add(positions[end]);
            if (more.high.x - more.low.x > widest || more.high.y - more.low.y > widest) break;
            extent = more;
            order_.push_back(static_cast<std::uint32_t>(end));
        }
        ends_.push_back(order_.size());
        begin = end;
    }
}

}  // namespace thalweg
