#include "thalweg/riverscape/river_beds.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace thalweg {
namespace {

constexpr std::size_t kLeftOut = std::numeric_limits<std::size_t>::max();

/// How far beds change the terrain at most beyond their water, m.
constexpr double kBankReach = 300.0;

bool comes_near(const BedValley& valley, const Rectangle& extent, double reach) {
    return std::ranges::any_of(valley.points, [&](const ValleyPoint& point) {
        return extent.contains({point.x, point.y}, reach + point.half_span);
    });
}

}  // namespace

BedCourses courses_near(const BedCourses& courses, const Rectangle& extent, double reach) {
    BedCourses near;
    std::vector<std::size_t> valley_place(courses.valleys.size(), kLeftOut);
    for (std::size_t v = 0; v < courses.valleys.size(); ++v) {
        if (!comes_near(courses.valleys[v], extent, reach)) continue;
        valley_place[v] = near.valleys.size();
        near.valleys.push_back(courses.valleys[v]);
    }
    std::vector<std::size_t> course_place(courses.courses.size(), kLeftOut);
    for (std::size_t c = 0; c < courses.courses.size(); ++c) {
        const std::size_t valley = valley_place[courses.courses[c].valley];
        if (valley == kLeftOut) continue;
        course_place[c] = near.courses.size();
        near.courses.push_back(courses.courses[c]);
        near.courses.back().valley = valley;
    }
    const auto keep = [&](const auto& from, auto& to) {
        for (const auto& one : from) {
            if (course_place[one.course] == kLeftOut) continue;
            to.push_back(one);
            to.back().course = course_place[one.course];
        }
    };
    keep(courses.features, near.features);
    keep(courses.rocks, near.rocks);
    return near;
}

BedTree beds_near(const RiverBeds& beds, const Rectangle& extent) {
    const auto is_near = [&](const BedValley& valley) { return comes_near(valley, extent, kBankReach); };
    if (beds.tree && std::ranges::all_of(beds.courses.valleys, is_near)) return *beds.tree;
    return {beds.terrain, courses_near(beds.courses, extent, kBankReach), beds.parameters, beds.seed};
}

}  // namespace thalweg
