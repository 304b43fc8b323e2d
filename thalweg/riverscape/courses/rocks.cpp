#include "thalweg/riverscape/courses/rocks.hpp"

#include "thalweg/riverscape/courses/type_habits.hpp"
#include "thalweg/riverscape/cross_section.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kSmallestRock = 0.08;  // m, radius (empirical: smaller ones are the bed's roughness)
constexpr double kLargestRock = 2.0;    // m, radius (empirical)
constexpr double kOntoBanks = 1.25;     // half widths from the middle, as far as rocks lie

/// The draws for one rock.
struct RockDraws {
    const ReachDraws& draws;
    BedDraw purpose;
    std::uint64_t place;
    std::uint64_t first;

    [[nodiscard]] double unit(std::uint64_t number) const {
        return draws.unit(purpose, place, first + number);
    }
};

/// A rock `side` half widths to the left of the line at a point, moved off the thalweg; radius 0 where there
/// is no room.
BedRock rock_beside(const std::vector<BedCoursePoint>& points, std::size_t at, double side, double radius,
                    double height) {
    constexpr double kClear = 0.12;  // half widths beside the thalweg
    const BedCoursePoint& point = points[at];
    const BedCoursePoint& next = points[at + 1];
    const double length = std::max(std::hypot(next.x - point.x, next.y - point.y), 1e-12);
    const double half = 0.5 * point.width;
    const double thalweg = section_form(point.type, point.curvature * point.width).thalweg;
    const double clear = std::min(1.3 * radius / half + kClear, 0.9);
    if (std::abs(side - thalweg) < clear) side = side < thalweg ? thalweg - clear : thalweg + clear;
    const double offset = half * side;
    const double dx = (next.x - point.x) / length;
    const double dy = (next.y - point.y) / length;
    return {.distance = point.distance,
            .x = point.x - offset * dy,
            .y = point.y + offset * dx,
            .direction_x = dx,
            .direction_y = dy,
            .radius = std::abs(side) > kOntoBanks + 0.2 ? 0.0 : radius,
            .height = height};
}

/// Sizes are mostly small: the square of a uniform draw.
double radius_of(double largest, double draw) {
    const double radius = largest * (0.3 + 0.7 * draw * draw);
    return std::min(radius, kLargestRock);
}

/// About as high as the water is deep, and lower than wide, m.
double rock_height(const BedCoursePoint& point, double radius, double draw) {
    return std::min((0.5 + 0.9 * draw) * (point.water - point.bed), 0.85 * radius);
}

void add_rock(BedRock rock, std::size_t course, std::vector<BedRock>& rocks) {
    if (rock.radius < kSmallestRock) return;
    rock.course = course;
    rocks.push_back(rock);
}

/// Rocks along the crest of a drop, from bank to bank.
void add_crest_rocks(const std::vector<BedCoursePoint>& points, std::size_t at, const BedFeature& drop,
                     const ReachDraws& draws, std::vector<BedRock>& rocks) {
    constexpr int kRocks = 7;
    for (int k = 0; k < kRocks; ++k) {
        const RockDraws draw{draws, BedDraw::CrestRock, drop.course, 0};
        const auto key = static_cast<std::uint64_t>(at) * 64 + static_cast<std::uint64_t>(k) * 4;
        const auto unit = [&](std::uint64_t number) { return draw.unit(key + number); };
        const double side = -1.1 + 2.2 * (k + unit(0)) / kRocks;
        const double radius = std::min(kLargestRock, drop.width * (0.05 + 0.08 * unit(1)));
        const auto shifted = static_cast<std::size_t>(unit(3) * 2.0);
        const std::size_t place = std::min(at + shifted, points.size() - 2);
        add_rock(rock_beside(points, place, side, radius, rock_height(points[place], radius, unit(2))),
                 drop.course, rocks);
    }
}

/// A point of a thalweg.
struct ThalwegPlace {
    double x = 0.0;      // m
    double y = 0.0;      // m
    double clear = 0.0;  // m, beside rocks
    std::size_t course = 0;
};

/// Thalwegs near the ends of courses, from west to east.
std::vector<ThalwegPlace> thalwegs_at_ends(const std::vector<BedCourse>& courses) {
    constexpr double kWidths = 4.0;
    constexpr double kClear = 0.12;  // half widths
    std::vector<ThalwegPlace> places;
    for (std::size_t c = 0; c < courses.size(); ++c) {
        const std::vector<BedCoursePoint>& points = courses[c].points;
        for (std::size_t i = 1; i < points.size(); ++i) {
            const BedCoursePoint& before = points[i - 1];
            const BedCoursePoint& point = points[i];
            const double to_end =
                std::min(point.distance - points.front().distance, points.back().distance - point.distance);
            if (to_end > kWidths * point.width) continue;
            const double length = std::max(std::hypot(point.x - before.x, point.y - before.y), 1e-12);
            const double half = 0.5 * point.width;
            const double off =
                half * section_form(point.type, point.curvature * point.width).thalweg / length;
            places.push_back({.x = point.x - off * (point.y - before.y),
                              .y = point.y + off * (point.x - before.x),
                              .clear = kClear * half + 0.5 * length,
                              .course = c});
        }
    }
    std::ranges::sort(places, {}, &ThalwegPlace::x);
    return places;
}

}  // namespace

void clear_confluences(BedCourses& courses) {
    constexpr double kOutline = 1.3;  // radii
    const std::vector<ThalwegPlace> places = thalwegs_at_ends(courses.courses);
    double widest = 0.0;
    for (const ThalwegPlace& place : places) widest = std::max(widest, place.clear);
    std::erase_if(courses.rocks, [&](const BedRock& rock) {
        const double reach = kOutline * rock.radius;
        auto place = std::ranges::lower_bound(places, rock.x - reach - widest, {}, &ThalwegPlace::x);
        for (; place != places.end() && place->x < rock.x + reach + widest; ++place)
            if (place->course != rock.course &&
                std::hypot(place->x - rock.x, place->y - rock.y) < reach + place->clear)
                return true;
        return false;
    });
}

std::vector<BedRock> rocks_along(const std::vector<BedCoursePoint>& points,
                                 std::span<const BedFeature> features, std::size_t course, double density,
                                 const ReachDraws& draws) {
    std::vector<BedRock> rocks;
    std::size_t feature = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const BedCoursePoint& point = points[i];
        const TypeHabits& habits = habits_of(point.type);
        // The whole part of the expected count, and one more by chance.
        const double expected =
            density * habits.rocks * (points[i + 1].distance - point.distance) / point.width;
        const RockDraws draw{draws, BedDraw::Rock, course, 64 * static_cast<std::uint64_t>(i)};
        const auto count = static_cast<std::uint64_t>(std::min(expected + draw.unit(0), 15.0));
        for (std::uint64_t k = 0; k < count; ++k) {
            const auto unit = [&](std::uint64_t number) { return draw.unit(4 * k + number); };
            const double side = kOntoBanks * (2.0 * unit(1) - 1.0);
            const double radius = radius_of(habits.rock_radius * point.width, unit(2));
            add_rock(rock_beside(points, i, side, radius, rock_height(point, radius, unit(3))), course,
                     rocks);
        }
        while (feature < features.size() && features[feature].distance < points[i + 1].distance) {
            if (density > 0.0 && features[feature].kind == BedFeatureKind::Drop)
                add_crest_rocks(points, i, features[feature], draws, rocks);
            ++feature;
        }
    }
    return rocks;
}

}  // namespace thalweg
