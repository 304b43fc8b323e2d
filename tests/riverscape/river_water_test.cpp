#include "thalweg/riverscape/river_water.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/riverscape/river_beds.hpp"
#include "thalweg/water/water_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

struct Flowing {
    tests::Valley valley;
    BedCourses courses;
    BedTree bed;
};

Flowing flowing_in(RiverType type, std::uint64_t seed = 5) {
    QuietProgress progress;
    tests::Valley valley = tests::make_valley(tests::valley_forms()[static_cast<std::size_t>(type)]);
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    BedCourses courses = bed_courses(valley.network, stretches, valley.elevation, {}, seed, progress);
    BedTree bed(valley.elevation, courses, {}, seed);
    return {std::move(valley), std::move(courses), std::move(bed)};
}

/// The middle third of a valley.
Rectangle window_of(const Flowing& river) {
    const double length = river.valley.form.length;
    return {length / 3.0, -60.0, 2.0 * length / 3.0, 60.0};
}

RiverWaterTree water_in(const Rectangle& window, const Flowing& river,
                        const RiverWaterParameters& parameters = {}) {
    QuietProgress progress;
    return river_water(river.bed, river.courses, window, parameters, 5, progress);
}

RiverWaterTree water_of(const Flowing& river, const RiverWaterParameters& parameters = {}) {
    return water_in(window_of(river), river, parameters);
}

std::int64_t count_of(const RiverWaterTree& water, WaterKind kind) {
    return water.primitives[static_cast<std::size_t>(kind)];
}

TEST(RiverWater, leaves_no_hole_in_any_type_of_river) {
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const Flowing river = flowing_in(form.type);
        QuietProgress progress;
        const WaterSurface surface(water_of(river).tree, progress);
        EXPECT_EQ(coverage_holes(river.bed, river.courses, surface, window_of(river), 20000, 3), 0)
            << form_of(form.type).name;
    }
}

TEST(RiverWater, is_looked_for_where_it_is_wet) {
    const Flowing river = flowing_in(RiverType::C);
    QuietProgress progress;
    const WaterSurface none(BlendFlowTree({.origin = {0.0, 0.0}}), progress);
    EXPECT_GT(coverage_holes(river.bed, river.courses, none, window_of(river), 20000, 3), 12000);
    const Rectangle beside{-500.0, 5000.0, -400.0, 5100.0};
    EXPECT_EQ(coverage_holes(river.bed, river.courses, none, beside, 20000, 3), 0);
}

TEST(RiverWater, has_depths_over_beds_at_any_points_and_time) {
    const Flowing river = flowing_in(RiverType::B);
    QuietProgress progress;
    const WaterSurface surface(water_of(river).tree, progress);
    std::vector<Position> points;
    for (int i = 0; i < 3000; ++i) points.push_back({140.0 + 0.04 * i, -9.0 + 0.37 * (i % 50)});
    std::vector<float> depths(points.size(), -1.0F);
    water_depths(river.bed, surface, points, 3.25, depths);
    int wet = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const BedSample bed = river.bed.at(points[i]);
        const float over =
            std::isnan(bed.water)
                ? 0.0F
                : static_cast<float>(surface.water_at(points[i], 3.25).elevation) - bed.elevation;
        ASSERT_NEAR(depths[i], std::max(over, 0.0F), 1e-4F) << points[i].x << " " << points[i].y;
        wet += depths[i] > 0.0F ? 1 : 0;
    }
    EXPECT_GT(wet, 1000);
    EXPECT_LT(wet, 2900);
}

TEST(RiverWater, falls_in_torrents_and_is_calmer_in_meadows) {
    const RiverWaterTree torrent = water_of(flowing_in(RiverType::A));
    EXPECT_GT(count_of(torrent, WaterKind::Cascade), 3);
    const RiverWaterTree meadow = water_of(flowing_in(RiverType::E));
    EXPECT_EQ(count_of(meadow, WaterKind::Cascade), 0);
    const auto turbulent_share = [](const RiverWaterTree& water) {
        return static_cast<double>(count_of(water, WaterKind::Turbulent)) /
               static_cast<double>(water.tree.leaves());
    };
    EXPECT_GT(turbulent_share(torrent), 0.6);
    EXPECT_LT(turbulent_share(meadow), 0.55);
}

TEST(RiverWater, stands_at_the_level_of_its_bed_in_the_mean) {
    const Flowing river = flowing_in(RiverType::C);
    QuietProgress progress;
    const WaterSurface surface(water_of(river).tree, progress);
    const Rectangle window = window_of(river);
    double sum = 0.0, greatest = 0.0;
    int wet = 0;
    for (const BedCoursePoint& point : river.courses.courses.front().points) {
        if (point.x < window.west + 5.0 || point.x > window.east - 5.0) continue;
        double mean = 0.0;
        constexpr int kTimes = 16;
        for (int k = 0; k < kTimes; ++k)
            mean += surface.water_at({point.x, point.y}, 20.0 * k / kTimes).elevation / kTimes;
        sum += mean - point.water;
        greatest = std::max(greatest, std::abs(mean - point.water));
        ++wet;
    }
    ASSERT_GT(wet, 10);
    EXPECT_NEAR(sum / wet, 0.0, 0.01);
    EXPECT_LT(greatest, 0.15);
}

/// The mean over a loop, m.
double mean_level(const WaterSurface& surface, Position place) {
    constexpr int kTimes = 16;
    double mean = 0.0;
    for (int k = 0; k < kTimes; ++k)
        mean += surface.water_at(place, surface.setting().loop_period * k / kTimes).elevation / kTimes;
    return mean;
}

/// By how much the water is off the level of its course, and rises downstream, at most, m: on its way down
/// drops, where it curves, a quarter of their height is allowed. Below them is a dip of some centimetres.
struct LevelErrors {
    double off = 0.0;
    double rise = 0.0;
};

LevelErrors level_errors(const Flowing& river, const WaterSurface& surface, double side) {
    constexpr double kStep = 0.1;     // m along the course
    constexpr double kCurves = 0.25;  // of the height of drops
    const Rectangle window = window_of(river);
    const auto allowed = [&](double distance) {
        for (const BedFeature& drop : river.courses.features)
            if (drop.kind == BedFeatureKind::Drop &&
                std::abs(distance - drop.distance - 0.5 * drop.length) < 0.75 * drop.length)
                return kCurves * drop.height;
        return 0.0;
    };
    LevelErrors errors;
    double lowest = std::numeric_limits<double>::infinity();
    const std::vector<BedCoursePoint>& points = river.courses.courses.front().points;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const BedCoursePoint& a = points[i];
        const BedCoursePoint& b = points[i + 1];
        if (a.x < window.west + 5.0 || b.x > window.east - 5.0) continue;
        for (double t = 0.0; t < 1.0; t += kStep / (b.distance - a.distance)) {
            const double left = side * 0.5 * a.width / std::hypot(b.x - a.x, b.y - a.y);
            const Position place{a.x + t * (b.x - a.x) - left * (b.y - a.y),
                                 a.y + t * (b.y - a.y) + left * (b.x - a.x)};
            const double mean = mean_level(surface, place);
            const double off = std::abs(mean - (a.water + t * (b.water - a.water)));
            errors.off = std::max(errors.off, off - allowed(a.distance + t * (b.distance - a.distance)));
            errors.rise = std::max(errors.rise, mean - lowest);
            lowest = std::min(lowest, mean);
        }
    }
    return errors;
}

TEST(RiverWater, falls_with_its_course_and_rises_nowhere_downstream_in_the_mean) {
    for (const RiverType type : {RiverType::AaPlus, RiverType::A, RiverType::G})
        for (const std::uint64_t seed : {5U, 6U, 7U}) {
            const Flowing river = flowing_in(type, seed);
            const RiverWaterTree water = water_of(river);
            QuietProgress progress;
            const WaterSurface surface(water.tree, progress);
            for (const double side : {-0.4, 0.0, 0.4}) {  // half widths to the left
                const LevelErrors errors = level_errors(river, surface, side);
                EXPECT_LT(errors.off, 0.06) << form_of(type).name << " " << seed << " " << side;
                EXPECT_LT(errors.rise, 0.06) << form_of(type).name << " " << seed << " " << side;
            }
        }
}

TEST(RiverWater, is_the_same_in_windows_that_overlap) {
    const Flowing river = flowing_in(RiverType::B);
    QuietProgress progress;
    const WaterSurface west(water_in({80.0, -30.0, 160.3, 30.0}, river).tree, progress);
    const WaterSurface east(water_in({100.1, -40.0, 200.0, 50.0}, river).tree, progress);
    int wet = 0;
    for (double x = 110.0; x < 150.0; x += 0.7)
        for (double y = -20.0; y < 20.0; y += 0.7)
            for (const double time : {0.0, 3.7}) {
                const WaterSample a = west.water_at({x, y}, time);
                const WaterSample b = east.water_at({x, y}, time);
                ASSERT_EQ(a.weight > 0.0, b.weight > 0.0) << x << " " << y;
                if (!(a.weight > 0.0)) continue;
                ASSERT_NEAR(a.elevation, b.elevation, 1e-4) << x << " " << y;
                ASSERT_NEAR(a.velocity_x, b.velocity_x, 1e-4) << x << " " << y;
                ASSERT_NEAR(a.foam, b.foam, 1e-4) << x << " " << y;
                ++wet;
            }
    EXPECT_GT(wet, 500);
}

TEST(RiverWater, has_more_primitives_where_it_is_to_be_denser_and_lower_waves_where_it_is_calmer) {
    const Flowing river = flowing_in(RiverType::B);
    const RiverWaterTree plain = water_of(river);
    const RiverWaterTree dense = water_of(river, {.density = 4.0});
    EXPECT_GT(2 * dense.tree.leaves(), 3 * plain.tree.leaves());
    const RiverWaterTree still = water_of(river, {.agitation = 0.0});
    for (const WaterNode node : still.tree.below(kWaterRoot))
        if (still.tree.operation(node) == WaterOperation::Leaf) {
            EXPECT_EQ(still.tree.primitive(node).amplitude, 0.0);
        }
}

TEST(RiverWater, has_the_same_primitives_on_any_number_of_threads) {
    const Flowing river = flowing_in(RiverType::A);
    const auto primitives_on = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return water_of(river).tree.table().primitive;
    };
    const auto alone = primitives_on(1);
    EXPECT_EQ(primitives_on(2), alone);
    EXPECT_EQ(primitives_on(8), alone);
}

TEST(RiverBeds, near_a_window_have_the_samples_of_all) {
    const Flowing river = flowing_in(RiverType::D);
    RiverBeds beds = {
        .terrain = river.valley.elevation, .courses = river.courses, .parameters = {}, .seed = 5};
    const Rectangle window = window_of(river);
    const BedTree near = beds_near(beds, window);
    for (double x = window.west; x < window.east; x += 3.7)
        for (double y = -50.0; y < 50.0; y += 4.3)
            EXPECT_EQ(near.at({x, y}).elevation, river.bed.at({x, y}).elevation);
    // Other rivers before this one change nothing of it.
    RiverBeds more = beds;
    more.courses.valleys.insert(more.courses.valleys.begin(), river.courses.valleys.front());
    for (ValleyPoint& point : more.courses.valleys.front().points) point.y += 1e4;
    more.courses.courses.insert(more.courses.courses.begin(), river.courses.courses.front());
    for (BedCoursePoint& point : more.courses.courses.front().points) point.y += 1e4;
    for (std::size_t c = 1; c < more.courses.courses.size(); ++c) ++more.courses.courses[c].valley;
    for (BedFeature& feature : more.courses.features) ++feature.course;
    for (BedRock& rock : more.courses.rocks) ++rock.course;
    more.courses.rocks.insert(more.courses.rocks.begin(), {.x = 1e3, .y = 1e4, .radius = 0.5, .height = 0.4});
    const BedTree all(more.terrain, more.courses, {}, 5);
    const BedTree part = beds_near(more, window);
    EXPECT_EQ(part.counts().all(), near.counts().all());
    ASSERT_GT(river.courses.rocks.size(), 5U);
    for (const BedRock& rock : river.courses.rocks) {
        const Position beside{rock.x + 0.6 * rock.radius, rock.y};
        EXPECT_EQ(part.at(beside).elevation, all.at(beside).elevation);
    }
    // The tree that is there is taken, but where it holds more than is near.
    beds.tree = river.bed;
    EXPECT_EQ(&beds_near(beds, window).parts(), &river.bed.parts());
    EXPECT_EQ(beds_near(beds, {1e5, 1e5, 2e5, 2e5}).counts().all(), 0);
    const BedCourses none = courses_near(river.courses, {1e5, 1e5, 2e5, 2e5}, 100.0);
    EXPECT_TRUE(none.courses.empty() && none.features.empty() && none.rocks.empty());
}

}  // namespace
}  // namespace thalweg
