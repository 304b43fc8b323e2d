#include "thalweg/riverscape/bed_tree.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// A reach in a straight line, in steps of about 10 m.
Reach straight_reach(std::int64_t id, std::int64_t to_node, RiverPoint from, RiverPoint to, double flow) {
    Reach reach{.id = id, .from_node = id, .to_node = to_node};
    reach.length = std::hypot(to.x - from.x, to.y - from.y);
    reach.slope = (from.z - to.z) / reach.length;
    const ChannelFlow channel = channel_flow(flow, reach.slope, {});
    reach.width = channel.width;
    reach.depth = channel.depth;
    reach.velocity = channel.velocity;
    reach.bankfull_discharge = flow;
    reach.upland_area = 1e6;
    const int steps = static_cast<int>(std::ceil(reach.length / 10.0));
    for (int i = 0; i <= steps; ++i) {
        const double t = static_cast<double>(i) / steps;
        reach.points.push_back({.x = from.x + t * (to.x - from.x),
                                .y = from.y + t * (to.y - from.y),
                                .z = from.z + t * (to.z - from.z)});
    }
    return reach;
}

/// A brook that comes to a river in its valley.
tests::Valley confluence() {
    tests::ValleyForm form = tests::valley_forms()[3];  // C
    form.bends = 0.0;
    tests::Valley valley = tests::make_valley(form);
    const auto on_floor = [&](double x, double y) {
        return RiverPoint{.x = x, .y = y, .z = 500.0 - form.slope * x};
    };
    RiverNetwork& network = valley.network;
    network.nodes.clear();
    network.reaches = {straight_reach(1, 3, on_floor(0.0, 0.0), on_floor(200.0, 0.0), 15.0),
                       straight_reach(2, 3, on_floor(80.0, 60.0), on_floor(200.0, 0.0), 5.0),
                       straight_reach(3, 4, on_floor(200.0, 0.0), on_floor(400.0, 0.0), 20.0)};
    for (std::int64_t id = 1; id <= 4; ++id) {
        const Reach& reach = network.reaches[static_cast<std::size_t>(std::min<std::int64_t>(id, 3) - 1)];
        network.nodes.push_back({.id = id,
                                 .kind = id == 4   ? NodeKind::Outlet
                                         : id == 3 ? NodeKind::Confluence
                                                   : NodeKind::Source,
                                 .point = id == 4 ? reach.points.back() : reach.points.front()});
    }
    for (Reach& reach : network.reaches) reach.next_down = reach.id == 3 ? -1 : 3;
    return valley;
}

/// The greatest step between neighbouring cells, and the greatest depth.
struct Steepness {
    double step = 0.0;   // m
    double depth = 0.0;  // m
};

Steepness steepness_of(const Field<float>& elevation, const Field<float>& depth) {
    Steepness found;
    for (int row = 1; row < elevation.rows(); ++row)
        for (int column = 1; column < elevation.columns(); ++column) {
            const double here = elevation(column, row);
            found.step = std::max({found.step, std::abs(here - elevation(column - 1, row)),
                                   std::abs(here - elevation(column, row - 1))});
            found.depth = std::max(found.depth, static_cast<double>(depth(column, row)));
        }
    return found;
}

TEST(BedEnds, have_no_slots_where_rivers_begin_meet_and_end) {
    QuietProgress progress;
    const tests::Valley valley = confluence();
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    const BedCourses beds =
        bed_courses(valley.network, stretches, valley.elevation, {.rock_density = 0.0}, 5, progress);
    ASSERT_EQ(beds.courses.size(), 3U);
    const BedTree tree(valley.elevation, beds, {}, 5);
    constexpr double kHalf = 10.0;          // m, of windows
    constexpr double kCell = 0.05;          // m
    constexpr double kGreatestStep = 0.15;  // m: cut banks rise by a tenth of a metre on a cell
    for (const BedCourse& course : beds.courses)
        for (const BedCoursePoint& end : {course.points.front(), course.points.back()}) {
            Grid window = make_grid(2.0 * kHalf, 2.0 * kHalf, static_cast<int>(2.0 * kHalf / kCell));
            window.west = end.x - kHalf;
            window.north = end.y + kHalf;
            const CarvedWindow carved = tree.carve(window, progress);
            double channel = 0.0;
            for (const BedCourse& other : beds.courses)
                for (const BedCoursePoint& point : other.points)
                    if (std::hypot(point.x - end.x, point.y - end.y) < 1.5 * kHalf)
                        channel = std::max(channel, point.water - point.bed);
            const Steepness found = steepness_of(carved.elevation, carved.water_depth);
            EXPECT_LT(found.step, kGreatestStep) << course.reach << " at " << end.x;
            EXPECT_LT(found.depth, 1.5 * channel) << course.reach << " at " << end.x;
            EXPECT_GT(found.depth, 0.5 * channel);
        }
}

}  // namespace
}  // namespace thalweg
