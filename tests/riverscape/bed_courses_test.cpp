#include "thalweg/core/execution.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/riverscape/beds/bed_tree_parts.hpp"
#include "thalweg/riverscape/courses/plan_line.hpp"
#include "thalweg/riverscape/courses/rocks.hpp"
#include "thalweg/riverscape/cross_section.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "tests/riverscape/valleys.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

BedCourses courses_in(const tests::Valley& valley, const BedCourseParameters& parameters = {}) {
    QuietProgress progress;
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    return bed_courses(valley.network, stretches, valley.elevation, parameters, 5, progress);
}

/// Two brooks that meet and flow on as one, on a plane that falls to the east.
tests::Valley confluence() {
    tests::Valley valley =
        tests::make_valley({.flow = 20.0, .slope = 0.01, .floor_width = 200.0, .length = 800.0});
    const auto reach = [&](std::int64_t id, std::int64_t from, std::int64_t to, RiverPoint first,
                           RiverPoint last, double flow) {
        const ChannelFlow channel = channel_flow(flow, 0.01, {});
        Reach made{.id = id, .next_down = id == 3 ? -1 : 3, .from_node = from, .to_node = to};
        for (int i = 0; i <= 10; ++i)
            made.points.push_back({first.x + 0.1 * i * (last.x - first.x),
                                   first.y + 0.1 * i * (last.y - first.y),
                                   first.z + 0.1 * i * (last.z - first.z)});
        made.points.back() = last;
        made.length = std::hypot(last.x - first.x, last.y - first.y);
        made.width = channel.width;
        made.depth = channel.depth;
        made.velocity = channel.velocity;
        made.bankfull_discharge = flow;
        return made;
    };
    const RiverPoint node{400.0, 0.0, 496.0};
    valley.network.reaches = {reach(1, 1, 3, {0.0, 80.0, 500.0}, node, 5.0),
                              reach(2, 2, 3, {0.0, -60.0, 500.0}, node, 15.0),
                              reach(3, 3, 4, node, {800.0, 0.0, 492.0}, 20.0)};
    return valley;
}

TEST(BedCourses, tell_where_they_are_cut_deep_into_the_ground) {
    tests::Valley valley = tests::make_valley(tests::valley_forms()[static_cast<std::size_t>(RiverType::B)]);
    EXPECT_EQ(deep_cut_note(courses_in(valley), valley.elevation), "");
    // A dam of 40 m across the valley.
    Field<float> dammed = valley.elevation;
    for (int row = 0; row < dammed.rows(); ++row)
        for (int column = 0; column < dammed.columns(); ++column)
            if (std::abs(dammed.grid().centre(column, row).x - 200.0) < 12.0) dammed(column, row) += 40.0F;
    const std::string note = deep_cut_note(courses_in(valley), dammed);
    EXPECT_THAT(note, testing::HasSubstr("beds are cut up to 4"));
    EXPECT_THAT(note, testing::HasSubstr("in reach 7"));
}

TEST(BedCourses, water_never_rises_downstream_and_falls_sum_to_the_fall_of_the_course) {
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const BedCourses beds = courses_in(tests::make_valley(form));
        std::vector<double> fall(beds.courses.size(), 0.0);
        for (const BedFeature& feature : beds.features) fall[feature.course] += feature.height;
        for (std::size_t c = 0; c < beds.courses.size(); ++c) {
            const std::vector<BedCoursePoint>& points = beds.courses[c].points;
            double lowest = std::numeric_limits<double>::infinity();
            for (std::size_t i = 1; i < points.size(); ++i) {
                ASSERT_LE(points[i].water, points[i - 1].water) << form_of(form.type).name;
                ASSERT_LT(points[i].bed, points[i].water);
                ASSERT_GT(points[i].distance, points[i - 1].distance);
                if (!points[i].is_fall) continue;
                ASSERT_LE(points[i].bed, lowest + 1e-12);
                lowest = points[i].bed;
            }
            EXPECT_NEAR(fall[c], points.front().water - points.back().water, 1e-9) << form_of(form.type).name;
            EXPECT_GT(fall[c], 0.0);
        }
    }
}

TEST(BedCourses, steep_rivers_have_drops_and_gentle_ones_riffles_as_far_apart_as_the_type_has_them) {
    const std::map<RiverType, std::pair<double, double>> spacing = {
        {RiverType::AaPlus, {1.0, 2.2}}, {RiverType::A, {2.0, 4.0}}, {RiverType::C, {5.0, 7.0}}};
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        if (!spacing.contains(form.type)) continue;
        const BedCourses beds = courses_in(tests::make_valley(form));
        const double width = channel_flow(form.flow, form.slope, {}).width;
        int falls = 0;
        for (const BedFeature& feature : beds.features) {
            if (feature.kind == BedFeatureKind::Pool) continue;
            ++falls;
            EXPECT_EQ(feature.kind,
                      form.type == RiverType::C ? BedFeatureKind::Riffle : BedFeatureKind::Drop);
        }
        const double mean = beds.courses.front().points.back().distance / falls / width;
        EXPECT_GT(mean, spacing.at(form.type).first) << form_of(form.type).name;
        EXPECT_LT(mean, 1.1 * spacing.at(form.type).second) << form_of(form.type).name;
    }
}

TEST(BedCourses, a_coarse_network_gets_the_bends_of_the_type_and_a_fine_one_keeps_its_own) {
    tests::ValleyForm form = tests::valley_forms()[3];  // C
    const tests::Valley fine = tests::make_valley(form);
    const double own = fine.network.reaches.front().length;
    EXPECT_NEAR(courses_in(fine).courses.front().points.back().distance, own, 0.01 * own);
    form.bends = 0.0;
    form.spacing = 50.0;
    form.length = 1500.0;
    const tests::Valley coarse = tests::make_valley(form);
    const BedCourses beds = courses_in(coarse);
    const std::vector<BedCoursePoint>& points = beds.courses.front().points;
    EXPECT_GT(points.back().distance, 1.2 * 1500.0);
    EXPECT_LT(points.back().distance, 1.6 * 1500.0);
    EXPECT_NEAR(points.front().x, 0.0, 1e-9);
    EXPECT_NEAR(points.back().x, 1500.0, 1e-9);
    EXPECT_NEAR(points.back().y, 0.0, 1e-9);
    // Bends stay on the ground that floods reach.
    for (const BedCoursePoint& point : points) EXPECT_LT(std::abs(point.y), 0.5 * form.floor_width);
    const BedCourses straight = courses_in(coarse, {.sinuosity_factor = 0.0});
    EXPECT_NEAR(straight.courses.front().points.back().distance, 1500.0, 1e-6);
}

/// A line that goes to the north-east and turns by `turn`, rad, at its middle.
PlanLine corner(double turn) {
    PlanLine line;
    for (int i = -50; i <= 50; ++i) {
        const double direction = i <= 0 ? 0.7 : 0.7 + turn;
        line.x.push_back(1.0 * i * std::cos(direction));
        line.y.push_back(1.0 * i * std::sin(direction));
        line.place.push_back(50.0 + i);
    }
    return line;
}

/// The least radius of circles through three points of a line, `chord` steps apart.
double least_radius_of(const PlanLine& line, std::size_t chord) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = chord; i + chord < line.x.size(); ++i) {
        const double ax = line.x[i] - line.x[i - chord];
        const double ay = line.y[i] - line.y[i - chord];
        const double bx = line.x[i + chord] - line.x[i];
        const double by = line.y[i + chord] - line.y[i];
        const double twice_area = std::abs(ax * by - ay * bx);
        const double sides = std::hypot(ax, ay) * std::hypot(bx, by) * std::hypot(ax + bx, ay + by);
        least = std::min(least, sides / std::max(2.0 * twice_area, 1e-12));
    }
    return least;
}

TEST(PlanLine, rounded_turns_no_more_tightly_than_its_least_radius_and_keeps_its_ends) {
    constexpr double kRadius = 8.0;  // m
    for (const double turn : {0.9, -1.7, 2.3}) {
        const PlanLine sharp = corner(turn);
        ASSERT_LT(least_radius_of(sharp, 4), 0.8 * kRadius);
        const PlanLine line = rounded_line(sharp, 1.0, kRadius);
        EXPECT_GT(least_radius_of(line, 4), 0.95 * kRadius) << turn;
        EXPECT_EQ(line.x.front(), sharp.x.front());
        EXPECT_EQ(line.y.back(), sharp.y.back());
        EXPECT_TRUE(std::ranges::is_sorted(line.place));
        // What lies away from the corner stays.
        for (std::size_t i = 0; i < 10; ++i) {
            EXPECT_EQ(line.x[i], sharp.x[i]) << turn;
            EXPECT_EQ(line.y[i], sharp.y[i]) << turn;
        }
    }
}

TEST(PlanLine, rounded_leaves_the_sides_of_a_hairpin_and_bends_far_from_it) {
    PlanLine line;
    const auto add = [&](double x, double y) {
        line.place.push_back(static_cast<double>(line.x.size()));
        line.x.push_back(x);
        line.y.push_back(y);
    };
    for (int i = 0; i < 200; ++i) add(1.0 * i, 3.0 * std::sin(0.1 * i));
    for (int i = 0; i < 8; ++i) add(200.0, 1.0 * i);
    for (int i = 0; i < 200; ++i) add(200.0 - i, 8.0);
    const PlanLine rounded = rounded_line(line, 1.0, 6.0);
    EXPECT_GT(std::ranges::max(rounded.x), 200.0 - 3.0 * 6.0);
    for (std::size_t i = 0; i < 150; ++i) ASSERT_EQ(rounded.y[i], line.y[i]);
}

TEST(PlanLine, rounded_stays_to_the_bit_where_no_place_is_too_tight) {
    PlanLine arc;
    for (int i = 0; i <= 40; ++i) {
        arc.x.push_back(9.0 * std::sin(i / 9.0));
        arc.y.push_back(9.0 * std::cos(i / 9.0));
        arc.place.push_back(i);
    }
    const PlanLine line = rounded_line(arc, 1.0, 8.0);
    EXPECT_EQ(line.x, arc.x);
    EXPECT_EQ(line.y, arc.y);
    EXPECT_EQ(line.place, arc.place);
    EXPECT_NE(rounded_line(arc, 1.0, 10.0).x, arc.x);
}

TEST(BedCourses, a_drawn_river_with_sharp_corners_carries_its_discharge_around_them) {
    tests::Valley valley = tests::make_valley(tests::valley_forms()[3]);  // C
    Reach& reach = valley.network.reaches[0];
    const double first = reach.points.front().z;
    reach.points = {{.x = 10.0, .y = -30.0, .z = first}};
    for (int i = 1; i <= 80; ++i) {
        constexpr double kSpacing = 5.0;  // m, less than a width
        const double direction = i / 15 % 2 == 0 ? 0.95 : -0.95;
        const RiverPoint& last = reach.points.back();
        reach.points.push_back({.x = last.x + kSpacing * std::cos(direction),
                                .y = last.y + kSpacing * std::sin(direction),
                                .z = last.z - kSpacing * reach.slope});
    }
    reach.length = 400.0;
    ASSERT_GT(reach.width, 10.0);
    const BedCourses beds = courses_in(valley);
    const FlowErrors errors = BedTree(valley.elevation, beds, {}, 5).flow_errors(beds);
    EXPECT_GT(errors.sections, 60);
    EXPECT_LT(errors.largest, 0.01);
}

TEST(BedCourses, the_inner_channels_of_a_braid_go_around_a_sharp_bend_without_a_kink) {
    for (const std::size_t place : {4U, 5U}) {
        tests::Valley valley = tests::make_valley(
            {.flow = 5.0, .slope = tests::valley_forms()[place].slope, .floor_width = 500.0});
        Reach& reach = valley.network.reaches[0];
        const auto count = static_cast<int>(reach.points.size());
        for (int i = 0; i < count; ++i) {
            RiverPoint& point = reach.points[static_cast<std::size_t>(i)];
            const double beyond = std::max(0.0, point.x - 200.0);  // m, behind the bend
            point.x -= beyond;
            point.y -= beyond;
        }
        std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
        stretches.resize(1);
        stretches[0].to = reach.length;
        stretches[0].type = tests::valley_forms()[place].type;
        stretches[0].channels = 5.0;
        stretches[0].flood_prone_width = 200.0;
        QuietProgress progress;
        const BedCourses beds = bed_courses(valley.network, stretches, valley.elevation, {}, 5, progress);
        ASSERT_EQ(beds.courses.size(), 5U);
        for (const BedCourse& course : beds.courses)
            for (std::size_t i = 1; i + 1 < course.points.size(); ++i) {
                const BedCoursePoint& a = course.points[i - 1];
                const BedCoursePoint& b = course.points[i];
                const BedCoursePoint& c = course.points[i + 1];
                EXPECT_GT((b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y),
                          0.5 * std::hypot(b.x - a.x, b.y - a.y) * std::hypot(c.x - b.x, c.y - b.y))
                    << b.x << ' ' << b.y;
            }
        const FlowErrors errors = BedTree(valley.elevation, beds, {}, 5).flow_errors(beds);
        EXPECT_GT(errors.sections, 60);
        EXPECT_LT(errors.largest, 0.01);
    }
}

TEST(BedCourses, channels_of_a_short_braid_part_no_more_steeply_than_those_of_a_long_one) {
    const tests::ValleyForm form = tests::valley_forms()[static_cast<std::size_t>(RiverType::D)];
    const tests::Valley valley = tests::make_valley(
        {.flow = 5.0, .slope = form.slope, .floor_width = 500.0, .wall_slope = form.wall_slope});
    const RiverStretch whole = classify_reaches(valley.network, valley.elevation, {}).front();
    const auto steepest = [&](double length) {
        std::vector<RiverStretch> stretches(3, whole);
        stretches[0].to = stretches[1].from = 200.0;
        stretches[1].to = stretches[2].from = 200.0 + length;
        stretches[2].to = valley.network.reaches.front().length;
        for (RiverStretch& stretch : stretches) stretch.type = RiverType::C;
        stretches[1].type = RiverType::D;
        stretches[1].channels = 4.0;
        stretches[1].flood_prone_width = 200.0;
        stretches[0].channels = stretches[2].channels = 1.0;
        QuietProgress progress;
        const BedCourses beds =
            bed_courses(valley.network, stretches, valley.elevation, {.sinuosity_factor = 0.0}, 5, progress);
        EXPECT_EQ(beds.courses.size(), 6U);
        double most = 0.0;
        for (const BedCourse& course : beds.courses)
            for (std::size_t i = 1; i < course.points.size(); ++i)
                most = std::max(most, std::abs((course.points[i].y - course.points[i - 1].y) /
                                               (course.points[i].x - course.points[i - 1].x)));
        const FlowErrors errors = BedTree(valley.elevation, beds, {}, 5).flow_errors(beds);
        EXPECT_LT(errors.largest, 0.01) << length;
        return most;
    };
    const double of_long = steepest(180.0);
    EXPECT_GT(of_long, 0.1);
    for (const double length : {8.0, 15.0, 30.0}) EXPECT_LT(steepest(length), 1.5 * of_long) << length;
}

TEST(BedCourses, channels_of_a_braid_share_its_water_and_meet_at_both_ends) {
    for (const std::size_t place : {4U, 5U}) {
        const BedCourses beds = courses_in(tests::make_valley(tests::valley_forms()[place]));
        ASSERT_GE(beds.courses.size(), 2U);
        double shares = 0.0, discharge = 0.0;
        const auto& first = beds.courses.front().points;
        for (const BedCourse& course : beds.courses) {
            shares += course.share;
            discharge += course.points[course.points.size() / 2].discharge;
            ASSERT_EQ(course.points.size(), first.size());
            EXPECT_NEAR(course.points.front().x, first.front().x, 1e-9);
            EXPECT_NEAR(course.points.back().y, first.back().y, 1e-9);
            EXPECT_NEAR(course.points.back().water, first.back().water, 1e-9);
        }
        EXPECT_NEAR(shares, 1.0, 1e-12);
        EXPECT_NEAR(discharge, beds.valleys.front().points.front().discharge, 1e-9);
    }
}

TEST(BedCourses, rivers_meet_at_one_place_and_level) {
    const tests::Valley valley = confluence();
    const RiverNetwork before = valley.network;
    const BedCourses beds = courses_in(valley);
    ASSERT_EQ(beds.courses.size(), 3U);
    const BedCoursePoint& below = beds.courses[2].points.front();
    for (const std::size_t c : {0U, 1U}) {
        const BedCoursePoint& end = beds.courses[c].points.back();
        EXPECT_NEAR(end.x, below.x, 1e-9);
        EXPECT_NEAR(end.y, below.y, 1e-9);
        EXPECT_NEAR(end.water, below.water, 1e-9);
    }
    EXPECT_EQ(valley.network, before);
}

TEST(BedCourses, water_is_level_where_rivers_that_meet_stand_on_each_other) {
    const tests::Valley valley = confluence();
    const BedCourses beds = courses_in(valley);
    const double level = beds.courses[2].points.front().water;
    const double widest = valley.network.reaches[2].width;
    for (const BedCourse& course : beds.courses)
        for (const BedCoursePoint& point : course.points)
            if (std::hypot(point.x - 400.0, point.y) < 1.4 * widest) {
                EXPECT_NEAR(point.water, level, 1e-9);
                EXPECT_FALSE(point.is_fall);
            }
}

TEST(BedCourses, no_rock_lies_in_the_water_of_another_river_at_a_confluence) {
    const BedCourses beds = courses_in(confluence(), {.rock_density = 8.0});
    int near = 0;
    for (const BedRock& rock : beds.rocks) {
        near += std::hypot(rock.x - 400.0, rock.y) < 40.0 ? 1 : 0;
        for (std::size_t c = 0; c < beds.courses.size(); ++c)
            for (const BedCoursePoint& point : beds.courses[c].points)
                if (c != rock.course) {
                    ASSERT_GT(std::hypot(rock.x - point.x, rock.y - point.y), 0.5 * point.width);
                }
    }
    EXPECT_GT(near, 10);
}

TEST(BedTree, banks_of_a_brook_end_in_the_wider_river_that_it_runs_into) {
    const tests::Valley valley = confluence();
    const BedTree tree(valley.elevation, courses_in(valley), {}, 5);
    const BedPrimitives& primitives = tree.parts().primitives;
    int at_node = 0;
    for (const BankNode& bank : primitives.banks)
        at_node +=
            std::hypot(bank.x + primitives.origin.x - 400.0, bank.y + primitives.origin.y) < 0.1 ? 1 : 0;
    EXPECT_EQ(at_node, 2);  // of the wider one of the brooks, and of the river below
}

TEST(BedCourses, types_change_over_no_less_than_half_a_step) {
    tests::Valley valley = tests::make_valley(
        {.flow = 20.0, .slope = 0.005, .floor_width = 60.0, .length = 2000.0, .cell_size = 10.0});
    int changes = 0;
    for (const double where : {801.0, 802.0, 803.0, 804.0, 805.0, 806.0}) {
        std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
        stretches.resize(1, stretches.front());
        stretches.push_back(stretches.front());
        stretches[0].to = where;
        stretches[1].from = where;
        stretches[1].to = valley.network.reaches.front().length;
        stretches[1].type = RiverType::F;
        QuietProgress progress;
        const BedCourses beds =
            bed_courses(valley.network, stretches, valley.elevation, {.sinuosity_factor = 0.0}, 5, progress);
        const std::vector<BedCoursePoint>& points = beds.courses.front().points;
        const double step = points.back().distance / static_cast<double>(points.size() - 1);
        for (std::size_t i = 1; i < points.size(); ++i) {
            changes += points[i].type != points[i - 1].type ? 1 : 0;
            EXPECT_GT(points[i].distance - points[i - 1].distance, 0.45 * step) << where;
        }
    }
    EXPECT_EQ(changes, 6);
}

TEST(BedTree, banks_are_of_what_the_type_beside_them_has) {
    tests::Valley valley = tests::make_valley(
        {.flow = 20.0, .slope = 0.005, .floor_width = 60.0, .length = 2000.0, .cell_size = 10.0});
    for (RiverPoint& point : valley.network.reaches.front().points)
        point.z = 500.0 - (point.x < 800.0 ? 0.05 * point.x : 40.0 + 0.005 * (point.x - 800.0));
    const BedTree tree(valley.elevation, courses_in(valley), {}, 5);  // A, then F
    const BedPrimitives& primitives = tree.parts().primitives;
    for (const BankNode& bank : primitives.banks) {
        const double x = bank.x + primitives.origin.x;
        if (x < 750.0 || x > 850.0) {
            EXPECT_EQ(bank.material > 0.0F, x < 800.0) << x;
        }
    }
}

TEST(BedCourses, channels_of_a_braid_fall_together) {
    for (const std::size_t place : {4U, 5U}) {
        const BedCourses beds = courses_in(tests::make_valley(tests::valley_forms()[place]));
        const auto& first = beds.courses.front().points;
        double highest = 0.0;  // m, fall
        for (const BedFeature& feature : beds.features) highest = std::max(highest, feature.height);
        for (const BedCourse& course : beds.courses)
            for (std::size_t i = 0; i < first.size(); ++i)
                EXPECT_NEAR(course.points[i].water, first[i].water, 0.05 * highest);
    }
}

TEST(BedCourses, no_rock_covers_the_thalweg_nor_stands_higher_than_half_its_width) {
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const BedCourses beds = courses_in(tests::make_valley(form));
        if (form.slope > 0.02) EXPECT_GT(beds.rocks.size(), 20U);
        for (const BedRock& rock : beds.rocks) {
            EXPECT_LT(rock.height, rock.radius);  // lower than wide
            const std::vector<BedCoursePoint>& points = beds.courses[rock.course].points;
            for (std::size_t i = 0; i + 1 < points.size(); ++i) {
                const BedCoursePoint& at = points[i];
                if (std::abs(at.distance - rock.distance) > 1e-9) continue;
                const double half = 0.5 * at.width;
                const double thalweg = half * section_form(at.type, at.curvature * at.width).thalweg;
                const double aside =
                    (rock.y - at.y) * rock.direction_x - (rock.x - at.x) * rock.direction_y - thalweg;
                EXPECT_GT(std::abs(aside), std::min(1.3 * rock.radius + 0.19 * half, 0.89 * half));
            }
        }
        EXPECT_TRUE(courses_in(tests::make_valley(form), {.rock_density = 0.0}).rocks.empty());
    }
}

TEST(BedCourses, a_reach_shorter_than_its_width_is_told_of_and_runs_straight) {
    const BedCourses beds = courses_in(tests::make_valley(
        {.flow = 20.0, .slope = 0.01, .floor_width = 60.0, .spacing = 5.0, .length = 5.0}));
    ASSERT_EQ(beds.notes.size(), 1U);
    EXPECT_THAT(beds.notes.front(), testing::HasSubstr("reach 7 is 5 m long and"));
    EXPECT_NEAR(beds.courses.front().points.back().distance, 5.0, 1e-9);
    EXPECT_GT(resolution_needed(beds), 0.0);
    EXPECT_EQ(resolution_needed({}), 0.0);
}

TEST(BedCourses, are_the_same_on_any_number_of_threads) {
    const tests::Valley valley = confluence();
    std::vector<BedCourses> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope scope({.threads = threads});
        found.push_back(courses_in(valley));
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
}

}  // namespace
}  // namespace thalweg
