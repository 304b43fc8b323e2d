#include "thalweg/riverscape/courses/rocks.hpp"

#include "thalweg/riverscape/courses/type_habits.hpp"
#include "thalweg/riverscape/cross_section.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

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
    constexpr double kClear = 0.2;  // half widths beside the thalweg
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

}  // namespace

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

namespace {

/// Courses that begin or end at one place.
using Meeting = std::vector<std::size_t>;

std::vector<Meeting> meetings_of(const std::vector<BedCourse>& courses) {
    using Key = std::pair<std::int64_t, std::int64_t>;
    constexpr double kPerMetre = 1000.0;
    std::map<Key, Meeting> at;
    for (std::size_t c = 0; c < courses.size(); ++c)
        for (const BedCoursePoint* const end : {&courses[c].points.front(), &courses[c].points.back()})
            at[{std::llround(kPerMetre * end->x), std::llround(kPerMetre * end->y)}].push_back(c);
    std::vector<Meeting> meetings;
    for (auto& [place, meeting] : at) {
        std::vector<std::size_t> valleys;
        for (const std::size_t c : meeting) valleys.push_back(courses[c].valley);
        std::ranges::sort(valleys);
        if (std::ranges::unique(valleys).begin() - valleys.begin() > 2)
            meetings.push_back(std::move(meeting));
    }
    return meetings;
}

/// Whether a rock reaches into the water of a course.
bool lies_in_water(const BedRock& rock, const BedCourse& course) {
    return std::ranges::any_of(course.points, [&](const BedCoursePoint& point) {
        const double reach = 0.5 * point.width + rock.radius;
        const double off_x = rock.x - point.x;
        const double off_y = rock.y - point.y;
        return off_x * off_x + off_y * off_y < reach * reach;
    });
}

}  // namespace

void clear_mouths(BedCourses& beds) {
    constexpr double kReach = 10.0;  // widths of the widest river there
    std::vector<std::size_t> first(beds.courses.size() + 1, 0);
    for (const BedRock& rock : beds.rocks) ++first[rock.course + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    for (const Meeting& meeting : meetings_of(beds.courses)) {
        double widest = 0.0;
        for (const std::size_t c : meeting)
            widest =
                std::max({widest, beds.courses[c].points.front().width, beds.courses[c].points.back().width});
        for (const std::size_t c : meeting) {
            const std::vector<BedCoursePoint>& points = beds.courses[c].points;
            for (std::size_t i = first[c]; i < first[c + 1]; ++i) {
                BedRock& rock = beds.rocks[i];
                if (rock.distance > kReach * widest &&
                    points.back().distance - rock.distance > kReach * widest)
                    continue;
                const bool is_in_way = std::ranges::any_of(meeting, [&](std::size_t other) {
                    return beds.courses[other].valley != beds.courses[c].valley &&
                           lies_in_water(rock, beds.courses[other]);
                });
                if (is_in_way) rock.radius = 0.0;
            }
        }
    }
    std::erase_if(beds.rocks, [](const BedRock& rock) { return rock.radius == 0.0; });
}

}  // namespace thalweg
