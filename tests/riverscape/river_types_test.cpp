#include "thalweg/riverscape/river_types.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/river/extract.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "tests/refusal.hpp"
#include "tests/riverscape/valleys.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using testing::HasSubstr;

TEST(RiverTypes, each_type_is_found_on_terrain_that_is_made_for_it) {
    for (const tests::ValleyForm& form : tests::valley_forms()) {
        const tests::Valley valley = tests::make_valley(form);
        const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
        ASSERT_EQ(stretches.size(), 1U) << form_of(form.type).name;
        const RiverStretch& found = stretches.front();
        EXPECT_STREQ(form_of(found.type).name, form_of(form.type).name)
            << "entrenchment " << found.entrenchment << ", width/depth " << found.width_depth
            << ", sinuosity " << found.sinuosity << ", slope " << found.slope;
        const bool has_channels = form.type == RiverType::D || form.type == RiverType::DA;
        EXPECT_EQ(found.channels > 1.5, has_channels);
        // D's width over depth is that of a whole braid, which one channel of the network does not have.
        if (form.type != RiverType::D) EXPECT_EQ(found.misfit, 0.0) << form_of(form.type).name;
    }
}

TEST(RiverTypes, of_a_network_are_given_where_they_are_not_its_own) {
    tests::Valley valley = tests::make_valley(
        {.flow = 20.0, .slope = 0.005, .floor_width = 60.0, .length = 2000.0, .cell_size = 10.0});
    Reach& reach = valley.network.reaches.front();
    const auto found = [&](const std::vector<GivenRiverType>& given) {
        return classify_reaches(valley.network, valley.elevation, {.types = given}).front();
    };
    const RiverType own = found({}).type;
    const RiverType other = own == RiverType::C ? RiverType::E : RiverType::C;
    reach.type = form_of(own).name;
    EXPECT_EQ(found({}).type, own);
    EXPECT_FALSE(found({}).is_given);
    reach.type = form_of(other).name;
    EXPECT_EQ(found({}).type, other);
    EXPECT_TRUE(found({}).is_given);
    EXPECT_EQ(found({{.reach = reach.id, .type = RiverType::F}}).type, RiverType::F);
    reach.type = "H";
    EXPECT_THAT(refusal_of([&] { found({}); }), HasSubstr("no river type 'H'"));
}

TEST(RiverTypes, entrenchment_of_a_trapezoid_is_that_of_its_closed_form) {
    const tests::ValleyForm form{
        .flow = 20.0, .slope = 0.03, .floor_width = 40.0, .wall_slope = 0.5, .cell_size = 0.5};
    const tests::Valley valley = tests::make_valley(form);
    const Reach& reach = valley.network.reaches.front();
    // The floor is bankfull, so floods stand a depth above it.
    const double flooded = form.floor_width + 2.0 * reach.depth / form.wall_slope;
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    EXPECT_NEAR(stretches.front().entrenchment, flooded / reach.width, 0.05);
    EXPECT_NEAR(stretches.front().slope, form.slope, 1e-9);
}

TEST(RiverTypes, a_reach_is_cut_where_its_slope_changes_and_nowhere_else) {
    tests::Valley valley = tests::make_valley(
        {.flow = 20.0, .slope = 0.005, .floor_width = 60.0, .length = 2000.0, .cell_size = 10.0});
    EXPECT_EQ(classify_reaches(valley.network, valley.elevation, {}).size(), 1U);
    for (RiverPoint& point : valley.network.reaches.front().points)
        point.z = 500.0 - (point.x < 800.0 ? 0.05 * point.x : 40.0 + 0.005 * (point.x - 800.0));
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    ASSERT_EQ(stretches.size(), 2U);
    EXPECT_DOUBLE_EQ(stretches.front().to, 800.0);
    EXPECT_EQ(stretches.back().from, stretches.front().to);
    EXPECT_NEAR(stretches.front().slope, 0.05, 1e-9);
    EXPECT_EQ(stretches.front().type, RiverType::A);
    EXPECT_EQ(classify_reaches(valley.network, valley.elevation, {.stretch_length = 1500.0}).size(), 1U);
    EXPECT_EQ(types_of_reaches(valley.network, stretches).front(), stretches.back().type);
}

TEST(RiverTypes, the_user_sets_types_but_none_that_the_slope_forbids) {
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[3]);
    const auto types_given = [&](std::int64_t reach, RiverType type) {
        return classify_reaches(valley.network, valley.elevation,
                                {.types = {{.reach = reach, .type = type}}});
    };
    const std::vector<RiverStretch> stretches = types_given(7, RiverType::F);
    EXPECT_EQ(stretches.front().type, RiverType::F);
    EXPECT_TRUE(stretches.front().is_given);
    EXPECT_THAT(refusal_of([&] { types_given(7, RiverType::AaPlus); }),
                testing::AllOf(HasSubstr("reach 7 falls"), HasSubstr("too level for type A+")));
    EXPECT_THAT(refusal_of([&] { types_given(9, RiverType::F); }), HasSubstr("there is no reach 9"));
}

TEST(RiverTypes, that_a_network_was_given_are_allowed_however_steep_a_part_of_the_reach_is) {
    tests::Valley valley =
        tests::make_valley({.flow = 20.0, .slope = 0.005, .length = 2000.0, .cell_size = 10.0});
    const auto bed_at = [](double x) { return 500.0 - (x < 800.0 ? 0.15 * x : 120.0 + 0.005 * (x - 800.0)); };
    const auto set_floor = [&](double half_width) {
        const Grid grid = valley.elevation.grid();
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column) {
                const Position at = grid.centre(column, row);
                valley.elevation(column, row) =
                    static_cast<float>(bed_at(at.x) + std::max(0.0, std::abs(at.y) - half_width));
            }
    };
    Reach& reach = valley.network.reaches.front();
    for (RiverPoint& point : reach.points) point.z = bed_at(point.x);
    set_floor(50.0);
    const std::vector<RiverStretch> before = classify_reaches(valley.network, valley.elevation, {});
    ASSERT_EQ(before.size(), 2U);
    EXPECT_EQ(before.front().type, RiverType::AaPlus);
    EXPECT_EQ(before.back().type, RiverType::C);
    // On ground that floods less the reach would be another one.
    set_floor(5.0);
    EXPECT_EQ(classify_reaches(valley.network, valley.elevation, {}).back().type, RiverType::F);
    reach.type = form_of(types_of_reaches(valley.network, before).front()).name;
    const std::vector<RiverStretch> after = classify_reaches(valley.network, valley.elevation, {});
    ASSERT_EQ(after.size(), 2U);
    EXPECT_FALSE(after.front().is_given);
    EXPECT_EQ(after.front().type, RiverType::AaPlus);
    EXPECT_TRUE(after.back().is_given);
    EXPECT_EQ(after.back().type, RiverType::C);
    reach.type = "B";
    EXPECT_THAT(refusal_of([&] { classify_reaches(valley.network, valley.elevation, {}); }),
                HasSubstr("reach 7 falls 0.005 m/m, which is too level for type B"));
}

TEST(RiverTypes, networks_that_no_river_has_are_refused_in_a_sentence) {
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[2]);
    RiverNetwork uphill = valley.network;
    uphill.reaches.front().points.back().z = 600.0;
    EXPECT_THAT(refusal_of([&] { classify_reaches(uphill, valley.elevation, {}); }),
                HasSubstr("reach 7 runs uphill"));
    RiverNetwork dry = valley.network;
    dry.reaches.front().velocity = 0.0;
    EXPECT_THAT(refusal_of([&] { classify_reaches(dry, valley.elevation, {}); }),
                HasSubstr("a velocity of 0 m/s: give rivers with a discharge"));
    for (double Reach::* const discharge : {&Reach::bankfull_discharge, &Reach::discharge}) {
        RiverNetwork backwards = valley.network;
        backwards.reaches.front().*discharge = -3.0;
        EXPECT_THAT(refusal_of([&] { classify_reaches(backwards, valley.elevation, {}); }),
                    HasSubstr("discharge of -3 m^3/s"));
    }
    RiverNetwork empty = valley.network;
    empty.reaches.front().bankfull_discharge = 0.0;
    EXPECT_THAT(refusal_of([&] { classify_reaches(empty, valley.elevation, {}); }),
                HasSubstr("reach 7 has a bankfull discharge of 0 m^3/s"));
    EXPECT_THAT(refusal_of([] { (void)river_type_of("Z"); }), HasSubstr("one of A+, A, B"));
    EXPECT_EQ(river_type_of("DA"), RiverType::DA);
}

/// The Big Tujunga catchment, California: 1197 x 643 cells of 30 m (SRTM).
TEST(RiverTypes, on_big_tujunga_types_lie_on_the_slopes_of_the_table) {
    const char* folder = std::getenv("THALWEG_DATA");
    const std::filesystem::path path =
        std::filesystem::path(folder != nullptr ? folder : THALWEG_DATA_DEFAULT) / "bigtujunga.tif";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set THALWEG_DATA";
    QuietProgress progress;
    const FlowResult flow = route(read_raster(path), {}, progress);
    const RiverNetwork network =
        extract_network(flow.tree, flow.drainage_area, flow.elevation, {.min_area = 5e5}, progress);
    const std::vector<RiverStretch> stretches = classify_reaches(network, flow.elevation, {});
    double length = 0.0, outside = 0.0, steep = 0.0, torrents = 0.0, level = 0.0;
    for (const RiverStretch& stretch : stretches) {
        const double way = stretch.to - stretch.from;
        const TypeRange& range = form_of(stretch.type).slope;
        length += way;
        outside += stretch.slope < 0.8 * range.least || stretch.slope > 1.25 * range.most ? way : 0.0;
        steep += stretch.slope > 0.1 ? way : 0.0;
        torrents += stretch.type == RiverType::AaPlus ? way : 0.0;
        level += stretch.slope < 0.02 ? way : 0.0;
    }
    EXPECT_GT(length, 3e5);
    EXPECT_LT(outside, 0.15 * length);
    EXPECT_NEAR(torrents, steep, 0.1 * length);
    EXPECT_GT(level, 0.0);
}

}  // namespace
}  // namespace thalweg
