#include "thalweg/riverscape/flow/water_sites.hpp"

#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace thalweg {
namespace {

constexpr float kCell = 8.0F;                                  // m
constexpr int kParts = 4;                                      // a side, of each cell
constexpr double kPart = static_cast<double>(kCell) / kParts;  // m

/// How far from its line a piece may decide the radius of primitives, m: beyond, that is the largest anyhow.
constexpr double kRadiusReach = (kLargestWaterRadius - kLeastWaterRadius) / kRadiusChange;

/// The radius of primitives on a piece: a share of the width, smaller where water is fast and steep.
double wanted_radius(const BedCoursePoint& a, const BedCoursePoint& b, double density) {
    constexpr double kWidthShare = 0.16;
    const double length = std::max(b.distance - a.distance, 1e-9);
    const double steepness = std::clamp((a.water - b.water) / length, 0.0, 0.3);
    const double fast = a.velocity / (a.velocity + 1.5);
    const double radius = kWidthShare * a.width * (1.4 - fast) / (1.0 + 6.0 * steepness);
    return std::clamp(radius / std::sqrt(density), kLeastWaterRadius, kLargestWaterRadius);
}

bool reaches_into(const Rectangle& extent, const BedCoursePoint& a, const BedCoursePoint& b, double reach) {
    return std::max(a.x, b.x) + reach >= extent.west && std::min(a.x, b.x) - reach <= extent.east &&
           std::max(a.y, b.y) + reach >= extent.south && std::min(a.y, b.y) - reach <= extent.north;
}

}  // namespace

WaterSites::WaterSites(const BedCourses& beds, const Rectangle& extent, double density)
    : beds_(beds), origin_{0.5 * (extent.west + extent.east), 0.5 * (extent.south + extent.north)} {
    std::vector<Capsule> capsules;
    for (std::size_t c = 0; c < beds.courses.size(); ++c) {
        const std::vector<BedCoursePoint>& points = beds.courses[c].points;
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            const BedCoursePoint& a = points[i];
            const BedCoursePoint& b = points[i + 1];
            const double half = kWettedHalf * std::max(a.width, b.width);
            const double reach = half + std::max(kReach, kRadiusReach);
            if (!reaches_into(extent, a, b, reach)) continue;
            const double square = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
            pieces_.push_back({.x = a.x,
                               .y = a.y,
                               .along_x = b.x - a.x,
                               .along_y = b.y - a.y,
                               .per_square = square > 0.0 ? 1.0 / square : 0.0,
                               .half = half,
                               .radius = wanted_radius(a, b, density),
                               .per_width = 1.0 / std::max(a.width, 1e-9),
                               .course = static_cast<std::uint32_t>(c),
                               .point = static_cast<std::uint32_t>(i)});
            capsules.push_back({static_cast<float>(a.x - origin_.x), static_cast<float>(a.y - origin_.y),
                                static_cast<float>(b.x - origin_.x), static_cast<float>(b.y - origin_.y),
                                static_cast<float>(reach)});
        }
    }
    cells_ = CellLists(capsules, kCell);
    shorten_lists();
}

void WaterSites::shorten_lists() {
    const std::vector<ListedCell> cells = cells_.listed();
    struct Lists {
        std::vector<std::uint32_t> sizes;
        std::vector<std::uint32_t> numbers;
    };
    constexpr std::int64_t kBlock = 256;  // cells
    std::vector<Lists> blocks((cells.size() + kBlock - 1) / kBlock);
    parallel_for(0, std::ssize(cells), kBlock, [&](std::int64_t first, std::int64_t last) {
        Lists& lists = blocks[static_cast<std::size_t>(first / kBlock)];
        for (std::int64_t i = first; i < last; ++i) {
            const ListedCell& cell = cells[static_cast<std::size_t>(i)];
            for (int part = 0; part < kParts * kParts; ++part) {
                const int column = part % kParts;
                const int row = part / kParts;
                const auto before = lists.numbers.size();
                append_deciding({origin_.x + cell.west + (column + 0.5) * kPart,
                                 origin_.y + cell.south + (row + 0.5) * kPart},
                                cells_.in_cell(cell.cell), lists.numbers);
                lists.sizes.push_back(static_cast<std::uint32_t>(lists.numbers.size() - before));
            }
        }
    });
    // Join the blocks.
    std::uint32_t next = 0;
    parts_.resize(static_cast<std::size_t>(cells_.cells()) * kParts * kParts);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Lists& lists = blocks[i / kBlock];
        const std::size_t in_block = i % kBlock * kParts * kParts;
        for (std::size_t part = 0; part < std::size_t{kParts} * kParts; ++part) {
            auto& [first, size] = parts_[static_cast<std::size_t>(cells[i].cell) * kParts * kParts + part];
            first = next;
            size = lists.sizes[in_block + part];
            next += size;
        }
    }
    for (const Lists& lists : blocks)
        numbers_.insert(numbers_.end(), lists.numbers.begin(), lists.numbers.end());
}

/// A piece is left out where others are nearer than its water, by width, and have smaller primitives, all
/// over the square.
void WaterSites::append_deciding(Position middle, std::span<const std::uint32_t> pieces,
                                 std::vector<std::uint32_t>& found) const {
    constexpr double kHalf =
        0.5 * std::numbers::sqrt2 * kPart + 0.01;  // m, with what float places are off by
    constexpr double kFar = std::numeric_limits<double>::infinity();
    double edge = kFar;
    double radius = kFar;
    double weighed = kFar;
    for (const std::uint32_t number : pieces) {
        const Piece& piece = pieces_[number];
        const double distance = piece.distance(middle);
        edge = std::min(edge, distance - piece.half);
        radius = std::min(radius, piece.radius + kRadiusChange * distance);
        weighed = std::min(weighed, (distance + kHalf) * piece.per_width);
    }
    if (edge > kReach + kHalf) return;
    for (const std::uint32_t number : pieces) {
        const Piece& piece = pieces_[number];
        const double distance = piece.distance(middle);
        if (distance - piece.half <= edge + 2.0 * kHalf ||
            piece.radius + kRadiusChange * distance <= radius + 2.0 * kRadiusChange * kHalf ||
            (distance - kHalf) * piece.per_width <= weighed)
            found.push_back(number);
    }
}

double WaterSites::distance_to_water(Position p) const {
    double least = kReach;
    for (const std::uint32_t number : near(p)) {
        const Piece& piece = pieces_[number];
        least = std::min(least, piece.distance(p) - piece.half);
    }
    return std::max(0.0, least);
}

double WaterSites::radius(Position p) const {
    double least = kLargestWaterRadius;
    for (const std::uint32_t number : near(p)) {
        const Piece& piece = pieces_[number];
        least = std::min(least, piece.radius + kRadiusChange * piece.distance(p));
    }
    return least;
}

bool WaterSites::nearest(Position p, WaterSite& site) const {
    double least = std::numeric_limits<double>::infinity();
    const Piece* found = nullptr;
    for (const std::uint32_t number : near(p)) {
        const Piece& piece = pieces_[number];
        const double weighed = piece.distance(p) * piece.per_width;
        if (!(weighed < least)) continue;
        least = weighed;
        found = &piece;
    }
    if (found == nullptr) return false;
    const BedCoursePoint& a = beds_.courses[found->course].points[found->point];
    const BedCoursePoint& b = beds_.courses[found->course].points[found->point + 1];
    const double share = found->share(p);
    const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-9);
    const auto between = [&](double from, double to) { return from + share * (to - from); };
    site = {.distance = found->distance(p),
            .course = found->course,
            .point = found->point,
            .along = between(a.distance, b.distance),
            .direction_x = (b.x - a.x) / length,
            .direction_y = (b.y - a.y) / length,
            .width = between(a.width, b.width),
            .depth = between(a.depth, b.depth),
            .velocity = between(a.velocity, b.velocity),
            .level = between(a.water, b.water),
            .slope = std::max(0.0, a.water - b.water) / length};
    return true;
}

double WaterSites::Piece::share(Position p) const {
    return std::clamp(((p.x - x) * along_x + (p.y - y) * along_y) * per_square, 0.0, 1.0);
}

double WaterSites::Piece::distance(Position p) const {
    const double t = share(p);
    const double off_x = p.x - x - t * along_x;
    const double off_y = p.y - y - t * along_y;
    return std::sqrt(off_x * off_x + off_y * off_y);
}

std::span<const std::uint32_t> WaterSites::near(Position p) const {
    const CellPlace place =
        cells_.place_of(static_cast<float>(p.x - origin_.x), static_cast<float>(p.y - origin_.y));
    if (place.cell < 0) return {};
    const auto part = static_cast<int>(place.up * kParts) * kParts + static_cast<int>(place.across * kParts);
    const auto& [first, size] = parts_[static_cast<std::size_t>(place.cell * kParts * kParts + part)];
    return std::span(numbers_).subspan(first, size);
}

}  // namespace thalweg
