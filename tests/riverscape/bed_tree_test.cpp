#include "thalweg/riverscape/bed_tree.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/riverscape/beds/bed_evaluator.hpp"
#include "thalweg/riverscape/beds/bed_samples.hpp"
#include "thalweg/riverscape/cross_section.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

struct Carved {
    tests::Valley valley;
    BedCourses beds;
    BedTree tree;
};

Carved carved_in(tests::Valley valley) {
    QuietProgress progress;
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    BedCourses beds = bed_courses(valley.network, stretches, valley.elevation, {}, 5, progress);
    BedTree tree(valley.elevation, beds, {}, 5);
    return {std::move(valley), std::move(beds), std::move(tree)};
}

Carved carved_in(const tests::ValleyForm& form) {
    return carved_in(tests::make_valley(form));
}

/// The number-th of random places on the terrain.
Position place_on(const Grid& grid, std::uint64_t number) {
    return {grid.west + grid.width() * unit_double(mix64(2 * number)),
            grid.north - grid.height() * unit_double(mix64(2 * number + 1))};
}

bool same_bits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

TEST(BedTree, an_index_gives_the_bits_of_all_primitives) {
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const Carved carved = carved_in(form);
        int changed = 0;
        for (std::uint64_t i = 0; i < 400; ++i) {
            const Position place = place_on(carved.valley.elevation.grid(), i);
            const BedSample found = carved.tree.at(place);
            const BedSample expected = carved.tree.at_by_all(place);
            ASSERT_TRUE(same_bits(found.elevation, expected.elevation)) << form_of(form.type).name;
            ASSERT_EQ(is_no_data(found.water), is_no_data(expected.water));
            ASSERT_EQ(found.velocity_x, expected.velocity_x);
            ASSERT_EQ(found.material, expected.material);
            changed += same_bits(found.elevation, sample_bicubic(carved.valley.elevation, place)) ? 0 : 1;
        }
        EXPECT_GT(changed, 5) << form_of(form.type).name;
    }
}

TEST(BedTree, terrain_far_from_rivers_keeps_its_bits_and_no_data_stays_that) {
    const tests::ValleyForm form = tests::valley_forms()[2];
    const Carved carved = carved_in(form);
    const Field<float>& terrain = carved.valley.elevation;
    const double north = terrain.grid().north - 1.0;
    for (double x = 0.0; x < form.length; x += 0.7)
        ASSERT_TRUE(same_bits(carved.tree.at({x, north}).elevation, sample_bicubic(terrain, {x, north})));
    Field<float> holed = terrain;
    for (int row = 0; row < holed.rows(); ++row) holed(10, row) = kNoData;
    const BedTree tree(holed, carved.beds, {}, 5);
    EXPECT_TRUE(is_no_data(tree.at(holed.grid().centre(10, holed.rows() / 2)).elevation));
    EXPECT_FALSE(is_no_data(tree.at(holed.grid().centre(20, holed.rows() / 2)).elevation));
}

TEST(BedTree, every_thalweg_lies_under_water) {
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const Carved carved = carved_in(form);
        std::size_t dry = 0, all = 0;
        for (const BedCourse& course : carved.beds.courses)
            for (std::size_t i = 1; i + 1 < course.points.size(); ++i) {
                const BedCoursePoint& a = course.points[i - 1];
                const BedCoursePoint& b = course.points[i];
                const SectionForm section = section_form(b.type, b.curvature * b.width);
                const double offset = 0.5 * b.width * section.thalweg / std::hypot(b.x - a.x, b.y - a.y);
                ++all;
                dry +=
                    is_no_data(carved.tree.at({b.x - offset * (b.y - a.y), b.y + offset * (b.x - a.x)}).water)
                        ? 1
                        : 0;
            }
        EXPECT_EQ(dry, 0U) << form_of(form.type).name << " of " << all;
    }
}

/// A torrent that falls 60 m at a slope of 2, in the middle of its valley of coarse cells.
Carved torrent_over_a_cliff() {
    tests::ValleyForm form = tests::valley_forms()[0];
    form.length = 300.0;
    form.cell_size = 10.0;
    form.spacing = 10.0;
    tests::Valley valley = tests::make_valley(form);
    const auto cliff = [](double x) { return 2.0 * std::clamp(x - 135.0, 0.0, 30.0); };
    Field<float>& elevation = valley.elevation;
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        elevation[cell] -=
            static_cast<float>(cliff(elevation.grid().centre(elevation.grid().column_of(cell), 0).x));
    for (RiverPoint& point : valley.network.reaches[0].points) point.z -= cliff(point.x);
    return carved_in(std::move(valley));
}

TEST(BedTree, a_torrent_keeps_its_water_over_a_cliff) {
    const Carved carved = torrent_over_a_cliff();
    int dry = 0;
    for (const BedCourse& course : carved.beds.courses)
        for (std::size_t i = 8; i + 8 < course.points.size(); ++i)
            dry += is_no_data(carved.tree.at({course.points[i].x, course.points[i].y}).water) ? 1 : 0;
    EXPECT_LT(dry, 3);  // rocks
    EXPECT_LT(carved.tree.flow_errors(carved.beds).largest, 0.01);
}

TEST(BedTree, no_water_stands_beside_a_torrent_where_the_ground_falls_away) {
    const Carved carved = torrent_over_a_cliff();
    int wet = 0;
    int still = 0;
    for (double x = 120.0; x < 180.0; x += 0.2)
        for (double y = -6.0; y < 6.0; y += 0.2) {
            const BedSample sample = carved.tree.at({x, y});
            wet += is_no_data(sample.water) ? 0 : 1;
            still +=
                !is_no_data(sample.water) && sample.velocity_x == 0.0F && sample.velocity_y == 0.0F ? 1 : 0;
        }
    EXPECT_GT(wet, 2500);
    EXPECT_EQ(still, 0);
}

TEST(BedTree, the_flow_through_every_section_is_the_discharge_of_the_reach) {
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const Carved carved = carved_in(form);
        const BedValley& valley = carved.beds.valleys.front();
        BedEvaluator evaluator(carved.tree.parts(), {.has_material = false});
        for (std::uint64_t i = 0; i < 8; ++i) {
            // A section anywhere between two points.
            const auto at = static_cast<std::size_t>(
                8.0 + unit_double(mix64(2 * i)) * static_cast<double>(valley.points.size() - 17));
            const double t = unit_double(mix64(2 * i + 1));
            const ValleyPoint& a = valley.points[at];
            const ValleyPoint& b = valley.points[at + 1];
            const double reach = 1.6 * std::max(a.half_span, b.half_span);
            double flow = 0.0;
            constexpr int kSamples = 600;
            for (int k = 0; k < kSamples; ++k) {
                const double offset = reach * (2.0 * (k + 0.5) / kSamples - 1.0);
                const Position place{a.x + t * (b.x - a.x) + offset * a.normal_x,
                                     a.y + t * (b.y - a.y) + offset * a.normal_y};
                const BedSample sample = evaluator.at(place).sample;
                if (is_no_data(sample.water)) continue;
                flow += (sample.velocity_x * a.normal_y - sample.velocity_y * a.normal_x) *
                        (sample.water - sample.elevation) * 2.0 * reach / kSamples;
            }
            EXPECT_NEAR(flow / a.discharge, 1.0, 0.01)
                << form_of(form.type).name << " at " << at << " + " << t;
        }
    }
}

TEST(BedTree, nothing_jumps_across_the_edge_of_any_support) {
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const Carved carved = carved_in(form);
        const Grid& grid = carved.valley.elevation.grid();
        double steepest = 0.0;
        for (std::uint64_t i = 0; i < 3; ++i) {
            const Position from = place_on(grid, 1000 + i);
            const double x = std::clamp(from.x, 5.0, form.length - 5.0);
            float before = 0.0F;
            constexpr double kStep = 0.02;  // m
            for (double y = -0.4 * grid.height(); y < 0.4 * grid.height(); y += kStep) {
                const float here = carved.tree.at({x + 0.3 * y, y}).elevation;
                if (y > -0.4 * grid.height())
                    steepest = std::max(steepest, std::abs(static_cast<double>(here) - before));
                before = here;
            }
        }
        EXPECT_LT(steepest, 0.15) << form_of(form.type).name;  // m in 2 cm: the faces of rocks and banks
    }
}

TEST(BedTree, a_window_of_any_resolution_is_that_of_single_points_on_any_number_of_threads) {
    const Carved carved = carved_in(tests::valley_forms()[1]);
    Grid window = make_grid(12.0, 8.0, 120);
    window.west = 30.0;
    window.north = 4.0;
    QuietProgress progress;
    std::vector<CarvedWindow> windows;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope scope({.threads = threads});
        windows.push_back(carved.tree.carve(window, progress));
    }
    std::vector<Position> places;
    for (std::int64_t cell = 0; cell < window.cells(); ++cell)
        places.push_back(window.centre(window.column_of(cell), window.row_of(cell)));
    std::vector<float> elevations(places.size());
    carved.tree.elevation_at(places, elevations);
    EXPECT_GT(windows[0].wet_cells, 1000);
    for (std::int64_t cell = 0; cell < window.cells(); ++cell) {
        ASSERT_TRUE(same_bits(windows[0].elevation[cell], elevations[static_cast<std::size_t>(cell)]));
        ASSERT_TRUE(same_bits(windows[0].elevation[cell], windows[1].elevation[cell]));
        ASSERT_TRUE(same_bits(windows[0].water_depth[cell], windows[2].water_depth[cell]));
    }
    EXPECT_EQ(windows[0].wet_cells, windows[2].wet_cells);
}

TEST(BedTree, many_points_at_once_have_the_bits_of_single_ones) {
    for (const RiverType type : {RiverType::A, RiverType::D, RiverType::E}) {
        const Carved carved = carved_in(tests::valley_forms()[static_cast<std::size_t>(type)]);
        // Rows with gaps, so that squares hold many points, or few, or one.
        std::vector<Position> places;
        for (double y = -9.0; y < 9.0; y += 1.1)
            for (double x = 30.0; x < 90.0; x += x < 50.0 ? 0.21 : 9.3)
                places.push_back({x, tests::river_offset(carved.valley.form, x) + y});
        BedEvaluator evaluator(carved.tree.parts());
        BedEvaluator single(carved.tree.parts());
        int wet = 0;
        evaluator.evaluate_all(places, [&](std::size_t i, const BedPoint& found) {
            const BedPoint expected = single.at(places[i]);
            EXPECT_TRUE(same_bits(found.sample.elevation, expected.sample.elevation)) << i;
            EXPECT_TRUE(same_bits(found.sample.water, expected.sample.water)) << i;
            EXPECT_TRUE(same_bits(found.sample.velocity_x, expected.sample.velocity_x)) << i;
            EXPECT_TRUE(same_bits(found.sample.velocity_y, expected.sample.velocity_y)) << i;
            EXPECT_EQ(found.sample.material, expected.sample.material) << i;
            wet += is_no_data(found.sample.water) ? 0 : 1;
        });
        EXPECT_GT(wet, 100);
    }
}

TEST(BedTree, beds_and_streams_have_the_same_bits_at_any_width_of_vectors) {
    for (const RiverType type : {RiverType::AaPlus, RiverType::D, RiverType::E}) {
        const Carved carved = carved_in(tests::valley_forms()[static_cast<std::size_t>(type)]);
        std::vector<Position> places;
        for (std::uint64_t i = 0; i < 1500; ++i)
            places.push_back({40.0 + 20.0 * unit_double(mix64(2 * i)), 0.0});
        for (std::uint64_t i = 0; i < places.size(); ++i)
            places[i].y = tests::river_offset(carved.valley.form, places[i].x) +
                          8.0 * unit_double(mix64(2 * i + 1)) - 4.0;
        std::vector<std::vector<BedPoint>> found;
        for (const int lanes : {4, 8, 16}) {
            limit_vector_lanes(lanes);
            found.emplace_back(places.size());
            BedEvaluator(carved.tree.parts()).evaluate_all(places, [&](std::size_t i, const BedPoint& point) {
                found.back()[i] = point;
            });
        }
        limit_vector_lanes(0);
        std::size_t wet = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            wet += found[0][i].course < 0 ? 0 : 1;
            for (const auto& wider : {found[1][i], found[2][i]}) {
                ASSERT_TRUE(same_bits(found[0][i].sample.elevation, wider.sample.elevation));
                ASSERT_TRUE(same_bits(found[0][i].sample.water, wider.sample.water));
                ASSERT_TRUE(same_bits(found[0][i].sample.velocity_x, wider.sample.velocity_x));
                ASSERT_TRUE(same_bits(found[0][i].sample.velocity_y, wider.sample.velocity_y));
                ASSERT_EQ(found[0][i].sample.material, wider.sample.material);
            }
        }
        EXPECT_GT(wet, places.size() / 8) << form_of(type).name;
    }
}

TEST(BedTree, samples_in_any_order_are_those_of_single_points) {
    const Carved carved = carved_in(tests::valley_forms()[3]);
    const BedOutput output{.has_material = false};
    std::vector<Position> places;
    for (std::uint64_t i = 0; i < 3000; ++i) places.push_back(place_on(carved.valley.elevation.grid(), i));
    const std::vector<BedSample> found = samples_at(carved.tree.parts(), output, places);
    BedEvaluator single(carved.tree.parts(), output);
    for (std::size_t i = 0; i < places.size(); i += 7) {
        const BedSample expected = single.at(places[i]).sample;
        ASSERT_TRUE(same_bits(found[i].elevation, expected.elevation)) << i;
        ASSERT_TRUE(same_bits(found[i].velocity_x, expected.velocity_x)) << i;
    }
    EXPECT_TRUE(samples_at(carved.tree.parts(), output, {}).empty());
}

TEST(BedTree, a_river_on_coarse_terrain_is_bounded_by_banks_above_its_water) {
    tests::ValleyForm form = tests::valley_forms()[2];
    form.cell_size = 20.0;
    const Carved carved = carved_in(form);
    for (const ValleyPoint& point : carved.beds.valleys.front().points)
        for (const double side : {-1.75, 1.75}) {
            const Position place{point.x + side * point.half_span * point.normal_x,
                                 point.y + side * point.half_span * point.normal_y};
            const BedSample sample = carved.tree.at(place);
            EXPECT_TRUE(is_no_data(sample.water));
            EXPECT_GT(sample.elevation, point.bank - 0.5);
        }
}

TEST(BedTree, samples_without_material_are_the_same_but_for_it) {
    const Carved carved = carved_in(tests::valley_forms()[1]);
    BedEvaluator evaluator(carved.tree.parts(), {.has_material = false});
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Position place = place_on(carved.valley.elevation.grid(), i);
        const BedSample found = evaluator.at(place).sample;
        const BedSample expected = carved.tree.at(place);
        ASSERT_TRUE(same_bits(found.elevation, expected.elevation));
        ASSERT_TRUE(same_bits(found.water, expected.water));
        ASSERT_EQ(found.velocity_y, expected.velocity_y);
    }
}

TEST(BedTree, without_courses_is_the_terrain) {
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[1]);
    const BedTree tree(valley.elevation, {}, {}, 5);
    EXPECT_EQ(tree.counts().all(), 0);
    EXPECT_EQ(tree.at({20.0, 3.0}).elevation, sample_bicubic(valley.elevation, {20.0, 3.0}));
}

}  // namespace
}  // namespace thalweg
