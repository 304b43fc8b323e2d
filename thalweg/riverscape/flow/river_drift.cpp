#include "thalweg/riverscape/river_drift.hpp"

#include "thalweg/grid/distance.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace thalweg {
namespace {

constexpr float kDraught = 0.04F;  // m of still water in which leaves float, whatever its waves (empirical)
constexpr double kLongestDrift = 300.0;  // s
constexpr double kDriftStep = 0.2;       // s (empirical: water turns in a second or two)

/// How far it is to the nearest bank or rock at least, by interpolation between cells, m.
Field<float> shore_distances(const CarvedWindow& still) {
    const Grid& grid = still.water_depth.grid();
    Field<std::uint8_t> dry(grid, 0);
    for (std::int64_t cell = 0; cell < dry.size(); ++cell)
        dry[cell] = still.water_depth[cell] > kDraught ? 0 : 1;
    Field<float> distances = distance_to(dry);
    // To the corner of a dry cell, and for what lies between cells.
    const auto corners = static_cast<float>(std::sqrt(2.0) * grid.cell_size);
    const auto most = static_cast<float>(grid.width() + grid.height());
    for (float& distance : distances) distance = std::min(distance, most) - corners;
    return distances;
}

/// The line across a channel at one of its points.
DriftInflow inflow_across(const BedCourse& course, std::size_t point, double rate) {
    const BedCoursePoint& at = course.points[point];
    const BedCoursePoint& a = course.points[point > 0 ? point - 1 : 0];
    const BedCoursePoint& b = course.points[std::min(point + 1, course.points.size() - 1)];
    const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-9);
    const double half = 0.5 * at.width;
    const Position across{-(b.y - a.y) / length * half, (b.x - a.x) / length * half};
    return {.begin = {at.x - across.x, at.y - across.y},
            .end = {at.x + across.x, at.y + across.y},
            .rate = rate * course.share};
}

std::vector<DriftInflow> inflows_into(const Rectangle& extent, const BedCourses& beds, double rate) {
    std::vector<DriftInflow> inflows;
    for (const BedCourse& course : beds.courses) {
        bool was_inside = false;
        for (std::size_t i = 0; i < course.points.size(); ++i) {
            const bool is_inside = extent.contains({course.points[i].x, course.points[i].y});
            if (is_inside && !was_inside) inflows.push_back(inflow_across(course, i, rate));
            was_inside = is_inside;
        }
    }
    return inflows;
}

}  // namespace

Drift river_drift(const CarvedWindow& still, const BedCourses& beds, const WaterSurface& water, double rate,
                  std::uint64_t seed, Progress& progress) {
    const Field<float> distances = shore_distances(still);
    const Rectangle extent = extent_of(still.water_depth.grid());
    const DriftWater river{.extent = extent,
                           .velocity =
                               [&](Position p) {
                                   const WaterSample sample = water.water_at(p, 0.0);
                                   return WaterVelocity{sample.velocity_x, sample.velocity_y};
                               },
                           .distance_to_bank = [&](Position p) { return sample_bilinear(distances, p); }};
    return {river, inflows_into(extent, beds, rate),
            DriftParameters{.loop_period = water.setting().loop_period,
                            .time_step = kDriftStep,
                            .longest_age = kLongestDrift},
            seed, progress};
}

}  // namespace thalweg
