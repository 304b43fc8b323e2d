#include "thalweg/riverscape/flow/water_sites.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace thalweg {
namespace {

constexpr float kCell = 8.0F;            // m
constexpr std::size_t kPiecesOfRun = 8;  // (empirical)

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
    for (std::size_t c = 0; c < beds.courses.size(); ++c) add_pieces(c, extent, density);
    std::vector<Capsule> capsules;
    for (const auto& [around, off, first, end] : runs_) {
        const double reach = off + around.half + std::max(kReach, kRadiusReach);
        const double x = around.x - origin_.x;
        const double y = around.y - origin_.y;
        capsules.push_back({static_cast<float>(x), static_cast<float>(y),
                            static_cast<float>(x + around.along_x), static_cast<float>(y + around.along_y),
                            static_cast<float>(reach)});
    }
    cells_ = CellLists(capsules, kCell);
}

/// Adds the pieces of a course that reach into `extent`, and runs of those that follow each other.
void WaterSites::add_pieces(std::size_t course, const Rectangle& extent, double density) {
    const std::vector<BedCoursePoint>& points = beds_.courses[course].points;
    std::size_t first = pieces_.size();
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const BedCoursePoint& a = points[i];
        const BedCoursePoint& b = points[i + 1];
        const double half = kWettedHalf * std::max(a.width, b.width);
        if (!reaches_into(extent, a, b, half + std::max(kReach, kRadiusReach))) {
            add_run(first, pieces_.size());
            first = pieces_.size();
            continue;
        }
        const double square = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
        pieces_.push_back({.x = a.x,
                           .y = a.y,
                           .along_x = b.x - a.x,
                           .along_y = b.y - a.y,
                           .per_square = square > 0.0 ? 1.0 / square : 0.0,
                           .half = half,
                           .radius = wanted_radius(a, b, density),
                           .per_width = 1.0 / std::max(a.width, 1e-9),
                           .course = static_cast<std::uint32_t>(course),
                           .point = static_cast<std::uint32_t>(i)});
        if (pieces_.size() - first < kPiecesOfRun) continue;
        add_run(first, pieces_.size());
        first = pieces_.size();
    }
    add_run(first, pieces_.size());
}

void WaterSites::add_run(std::size_t first, std::size_t end) {
    if (first == end) return;
    const Piece& last = pieces_[end - 1];
    Run run{.around = pieces_[first],
            .first = static_cast<std::uint32_t>(first),
            .end = static_cast<std::uint32_t>(end)};
    Piece& around = run.around;
    around.along_x = last.x + last.along_x - around.x;
    around.along_y = last.y + last.along_y - around.y;
    const double square = around.along_x * around.along_x + around.along_y * around.along_y;
    around.per_square = square > 0.0 ? 1.0 / square : 0.0;
    constexpr double kRounding = 1e-6;  // m
    for (std::size_t i = first; i < end; ++i) {
        const Piece& piece = pieces_[i];
        around.half = std::max(around.half, piece.half);
        around.radius = std::min(around.radius, piece.radius);
        around.per_width = std::min(around.per_width, piece.per_width);
        run.off = std::max(run.off, around.distance({piece.x, piece.y}) + kRounding);
    }
    runs_.push_back(run);
}

bool WaterSites::may_reach(const Rectangle& rectangle) const {
    return cells_.may_list_within(
        static_cast<float>(rectangle.west - origin_.x), static_cast<float>(rectangle.south - origin_.y),
        static_cast<float>(rectangle.east - origin_.x), static_cast<float>(rectangle.north - origin_.y));
}

template <class Bound, class Limit, class Take>
void WaterSites::for_each_near(Position p, const Bound& bound, const Limit& limit, const Take& take) const {
    constexpr std::size_t kTogether = 64;
    std::array<double, kTogether> bounds;
    const auto take_run = [&](std::uint32_t number) {
        for (std::uint32_t i = runs_[number].first; i < runs_[number].end; ++i) take(pieces_[i]);
    };
    std::span<const std::uint32_t> near =
        cells_.at(static_cast<float>(p.x - origin_.x), static_cast<float>(p.y - origin_.y));
    while (!near.empty()) {
        const std::span<const std::uint32_t> part = near.first(std::min(near.size(), kTogether));
        near = near.subspan(part.size());
        // The one with the least bound first: most others are out then.
        std::size_t first = 0;
        for (std::size_t k = 0; k < part.size(); ++k) {
            const Run& run = runs_[part[k]];
            bounds[k] = bound(run.around, std::max(0.0, run.around.distance(p) - run.off));
            if (bounds[k] < bounds[first]) first = k;
        }
        if (bounds[first] <= limit()) take_run(part[first]);
        for (std::size_t k = 0; k < part.size(); ++k)
            if (k != first && bounds[k] <= limit()) take_run(part[k]);
    }
}

double WaterSites::distance_to_water(Position p) const {
    double least = kReach;
    for_each_near(
        p, [](const Piece& piece, double distance) { return distance - piece.half; }, [&] { return least; },
        [&](const Piece& piece) { least = std::min(least, piece.distance(p) - piece.half); });
    return least;
}

double WaterSites::radius(Position p) const {
    double least = kLargestWaterRadius;
    for_each_near(
        p, [](const Piece& piece, double distance) { return piece.radius + kRadiusChange * distance; },
        [&] { return least; },
        [&](const Piece& piece) {
            least = std::min(least, piece.radius + kRadiusChange * piece.distance(p));
        });
    return least;
}

bool WaterSites::nearest(Position p, WaterSite& site) const {
    double least = std::numeric_limits<double>::infinity();
    const Piece* found = nullptr;
    for_each_near(
        p, [](const Piece& piece, double distance) { return distance * piece.per_width; },
        [&] { return least; },
        [&](const Piece& piece) {
            const double weighed = piece.distance(p) * piece.per_width;
            if (weighed > least || (weighed == least && &piece > found)) return;
            least = weighed;
            found = &piece;
        });
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

}  // namespace thalweg
