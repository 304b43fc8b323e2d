#include "thalweg/riverscape/flow/water_sites.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr double kRadiusChange = 0.5;  // m/m

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

WaterSites::WaterSites(const BedCourses& beds, const Rectangle& extent)
    : beds_(beds), origin_{0.5 * (extent.west + extent.east), 0.5 * (extent.south + extent.north)} {
    std::vector<Capsule> capsules;
    for (std::size_t c = 0; c < beds.courses.size(); ++c) {
        const std::vector<BedCoursePoint>& points = beds.courses[c].points;
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            const double reach = kWettedHalf * std::max(points[i].width, points[i + 1].width) + kReach;
            if (!reaches_into(extent, points[i], points[i + 1], reach)) continue;
            pieces_.push_back({static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(i)});
            capsules.push_back({static_cast<float>(points[i].x - origin_.x),
                                static_cast<float>(points[i].y - origin_.y),
                                static_cast<float>(points[i + 1].x - origin_.x),
                                static_cast<float>(points[i + 1].y - origin_.y), static_cast<float>(reach)});
        }
    }
    constexpr float kCell = 8.0F;  // m
    lists_ = CellLists(capsules, kCell);
}

double WaterSites::distance_to_water(Position p) const {
    double least = kReach;
    for (const std::uint32_t number : near(p)) {
        double share = 0.0;
        const Piece& piece = pieces_[number];
        const double distance = distance_to(piece, p, share);
        const double half = kWettedHalf * std::max(begin_of(piece).width, end_of(piece).width);
        least = std::min(least, std::max(0.0, distance - half));
    }
    return least;
}

double WaterSites::radius(Position p, double density) const {
    double least = kLargestWaterRadius;
    for (const std::uint32_t number : near(p)) {
        double share = 0.0;
        const Piece& piece = pieces_[number];
        const double distance = distance_to(piece, p, share);
        least = std::min(least,
                         wanted_radius(begin_of(piece), end_of(piece), density) + kRadiusChange * distance);
    }
    return least;
}

bool WaterSites::nearest(Position p, WaterSite& site) const {
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t number : near(p)) {
        double share = 0.0;
        const Piece& piece = pieces_[number];
        const BedCoursePoint& a = begin_of(piece);
        const BedCoursePoint& b = end_of(piece);
        const double distance = distance_to(piece, p, share);
        const double weighed = distance / std::max(a.width, 1e-9);
        if (!(weighed < least)) continue;
        least = weighed;
        const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-9);
        const auto between = [&](double from, double to) { return from + share * (to - from); };
        site = {.distance = distance,
                .course = piece.course,
                .point = piece.point,
                .along = between(a.distance, b.distance),
                .direction_x = (b.x - a.x) / length,
                .direction_y = (b.y - a.y) / length,
                .width = between(a.width, b.width),
                .depth = between(a.depth, b.depth),
                .velocity = between(a.velocity, b.velocity),
                .level = between(a.water, b.water),
                .slope = std::max(0.0, a.water - b.water) / length};
    }
    return std::isfinite(least);
}

const BedCoursePoint& WaterSites::begin_of(const Piece& piece) const {
    return beds_.courses[piece.course].points[piece.point];
}

const BedCoursePoint& WaterSites::end_of(const Piece& piece) const {
    return beds_.courses[piece.course].points[piece.point + 1];
}

double WaterSites::distance_to(const Piece& piece, Position p, double& share) const {
    const BedCoursePoint& a = begin_of(piece);
    const BedCoursePoint& b = end_of(piece);
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double square = dx * dx + dy * dy;
    share = square > 0.0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0.0;
    return std::hypot(p.x - a.x - share * dx, p.y - a.y - share * dy);
}

std::span<const std::uint32_t> WaterSites::near(Position p) const {
    return lists_.at(static_cast<float>(p.x - origin_.x), static_cast<float>(p.y - origin_.y));
}

}  // namespace thalweg
