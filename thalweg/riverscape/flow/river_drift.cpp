#include "thalweg/riverscape/river_drift.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/grid/distance.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr float kDraught = 0.04F;  // m of still water in which leaves float, whatever its waves (empirical)
constexpr double kLongestDrift = 300.0;                   // s
constexpr std::uint64_t kFoamPlaces = ~std::uint64_t{0};  // no inflow has this number
constexpr double kDriftStep = 0.2;                        // s (empirical: water turns in a second or two)

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

/// Foam that stands where water makes it, over the foam that calm water has: the mean of some times.
Field<double> made_foam(const Field<float>& distances, const WaterSurface& water, Progress& progress) {
    constexpr int kTimes = 4;
    constexpr double kCarried = 0.2;  // empirical: calm water has less
    const Grid& grid = distances.grid();
    Field<double> foam(grid, 0.0);
    for (int i = 0; i < kTimes; ++i) {
        const WaterLayers layers = water.on_grid(grid, water.setting().loop_period * i / kTimes, progress);
        for (std::int64_t cell = 0; cell < foam.size(); ++cell)
            foam[cell] += static_cast<double>(layers.foam[cell]) / kTimes;
    }
    for (std::int64_t cell = 0; cell < foam.size(); ++cell)
        foam[cell] = distances[cell] > 0.0F ? std::max(0.0, foam[cell] - kCarried) / (1.0 - kCarried) : 0.0;
    return foam;
}

/// One inflow for each patch of foam that comes off in a loop, at a place that is drawn by `foam`.
std::vector<DriftInflow> foam_inflows(const Field<double>& foam, double rate, double loop_period,
                                      std::uint64_t seed) {
    constexpr double kMostPatches = 1e6;
    constexpr double kLifetime = 24.0;  // s (empirical: foam of rivers lasts for some tens of seconds)
    const Grid& grid = foam.grid();
    std::vector<double> sums;
    double sum = 0.0;
    for (const double value : foam) sums.push_back(sum += std::max(0.0, value));
    const double patches = std::floor(rate * sum * grid.cell_size * grid.cell_size * loop_period + 0.5);
    if (!(patches <= kMostPatches))
        throw Error::input(fmt::format(
            "{} patches of foam in a loop are not allowed: give foam_patches of which {} or fewer come",
            patches, kMostPatches));
    std::vector<DriftInflow> inflows;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(patches); ++i) {
        const std::uint64_t bits =
            random_bits(seed, Stream::Drift, kFoamPlaces, static_cast<std::uint64_t>(i));
        const auto above = std::ranges::upper_bound(sums, unit_double(bits) * sum);
        const std::int64_t cell = std::min(above - sums.begin(), foam.size() - 1);
        const Position middle = grid.centre(grid.column_of(cell), grid.row_of(cell));
        inflows.push_back({.begin = middle,
                           .end = middle,
                           .rate = 1.0 / loop_period,
                           .kind = DriftKind::Foam,
                           .lifetime = kLifetime});
    }
    return inflows;
}

}  // namespace

void RiverDriftRates::declare(Declaration<RiverDriftRates>& declaration) {
    declaration.number(
        "leaves", &RiverDriftRates::leaves,
        {.label = "Leaves",
         .group = "Drift",
         .unit = "1/s",
         .sentence = "Leaves that come in with each river, and drift on its water; 0 for none.",
         .minimum = 0.0,
         .maximum = 1e4,
         .usual = {0.0, 5.0}});
    declaration.number("foam_patches", &RiverDriftRates::foam_patches,
                       {.label = "Patches of foam",
                        .group = "Drift",
                        .unit = "1/(s m^2)",
                        .sentence = "Patches of foam that come off each second from a square metre of water "
                                    "that is all foam, drift and fade; 0 for none.",
                        .minimum = 0.0,
                        .maximum = 100.0,
                        .usual = {0.0, 2.0}});
}

Drift river_drift(const CarvedWindow& still, const BedCourses& beds, const WaterSurface& water,
                  const RiverDriftRates& rates, std::uint64_t seed, Progress& progress) {
    const Field<float> distances = shore_distances(still);
    const Rectangle extent = extent_of(still.water_depth.grid());
    std::vector<DriftInflow> inflows;
    if (rates.leaves > 0.0) inflows = inflows_into(extent, beds, rates.leaves);
    if (rates.foam_patches > 0.0) {
        const std::vector<DriftInflow> patches = foam_inflows(
            made_foam(distances, water, progress), rates.foam_patches, water.setting().loop_period, seed);
        inflows.insert(inflows.end(), patches.begin(), patches.end());
    }
    const DriftWater river{.extent = extent,
                           .velocity =
                               [&](Position p) {
                                   const WaterSample sample = water.water_at(p, 0.0);
                                   return WaterVelocity{sample.velocity_x, sample.velocity_y};
                               },
                           .distance_to_bank = [&](Position p) { return sample_bilinear(distances, p); }};
    return {river, inflows,
            DriftParameters{.loop_period = water.setting().loop_period,
                            .time_step = kDriftStep,
                            .longest_age = kLongestDrift},
            seed, progress};
}

}  // namespace thalweg
