// The stage `rain`: its starts, edges, units, rivers, and what it tells.
#include "thalweg/core/error.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/river/network.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunResult run_stages(const std::string& stages,
                     const std::string& grid = "extent = [6000.0, 4000.0]\ncells = 60\n") {
    const Project project =
        parse_project("[project]\nname = \"rain\"\nseed = 4\n[grid]\n" + grid + stages, "rain.toml", "", {});
    return run_project(project, {.write_outputs = false});
}

Value told(const RunResult& result, const std::string& name) {
    for (const auto& [key, value] : result.report.stages.back().diagnostics.values)
        if (key == name) return value;
    ADD_FAILURE() << "no " << name;
    return std::int64_t{0};
}

std::string rain(const std::string& parameters) {
    return "[[stage]]\nuse = \"rain\"\nevents = 500\n" + parameters;
}

TEST(RainStage, carves_a_plane_where_there_is_no_terrain_and_tells_what_it_did) {
    const RunResult result = run_stages(rain("river_visits = 20\n"));
    const Field<float>& z = result.landscape.layer("elevation");
    EXPECT_EQ(z.grid().columns, 60);
    EXPECT_EQ(std::get<std::int64_t>(told(result, "events")), 500);
    EXPECT_EQ(std::get<std::int64_t>(told(result, "trapped")), 0);
    EXPECT_EQ(std::get<std::int64_t>(told(result, "sinks")), 0);
    EXPECT_GT(std::get<std::int64_t>(told(result, "visits")), 5000);
    EXPECT_EQ(std::get<double>(told(result, "height_unit_m")), 0.05);
    EXPECT_GT(std::get<std::int64_t>(told(result, "reaches")), 10);
    double removed = 0.0;  // m^3, from the plane
    for (int row = 0; row < 40; ++row)
        for (int column = 0; column < 60; ++column) removed += ((39 - row) * 0.05 - z(column, row)) * 1e4;
    EXPECT_NEAR(std::get<double>(told(result, "removed_m3")), removed, 1e-5 * removed);
}

TEST(RainStage, leaves_over_the_south_alone_on_a_plane_and_everywhere_on_a_peak) {
    const RunResult plane = run_stages(rain("river_visits = 15\n"));
    for (const RiverNode& node : plane.landscape.get<RiverNetwork>("rivers").nodes)
        if (node.kind == NodeKind::Outlet) {
            EXPECT_EQ(node.point.y, 50.0);
        }
    const RunResult peak =
        run_stages(rain("river_visits = 15\nstart = \"peak\"\n"), "extent = [6000.0, 6000.0]\ncells = 60\n");
    bool west = false;
    bool east = false;
    bool north = false;
    bool south = false;
    for (const RiverNode& node : peak.landscape.get<RiverNetwork>("rivers").nodes) {
        if (node.kind != NodeKind::Outlet) continue;
        west |= node.point.x == 50.0;
        east |= node.point.x == 5950.0;
        north |= node.point.y == 5950.0;
        south |= node.point.y == 50.0;
    }
    EXPECT_TRUE(west && east && north && south);
}

TEST(RainStage, draws_each_river_from_centre_to_centre_of_neighbours) {
    const RunResult result = run_stages(rain("river_visits = 20\n"));
    for (const Reach& reach : result.landscape.get<RiverNetwork>("rivers").reaches)
        for (std::size_t i = 1; i < reach.points.size(); ++i) {
            const double east = std::abs(reach.points[i].x - reach.points[i - 1].x);
            const double north = std::abs(reach.points[i].y - reach.points[i - 1].y);
            EXPECT_TRUE((east == 100.0 || east == 50.0 || east == 0.0) && north <= 100.0 &&
                        east + north > 0.0);
        }
}

TEST(RainStage, drains_as_many_cells_as_there_are_and_no_river_below_its_visits) {
    const RunResult result = run_stages(rain("river_visits = 30\n"));
    const Field<float>& area = result.landscape.layer("drainage_area");
    double drained = 0.0;
    for (int column = 0; column < 60; ++column) drained += area(column, 39);
    EXPECT_EQ(drained, 60.0 * 40.0 * 1e4);
    for (const Reach& reach : result.landscape.get<RiverNetwork>("rivers").reaches)
        EXPECT_GE(reach.upland_area, 30 * 1e4);
}

TEST(RainStage, in_metres_scales_with_its_unit_and_begins_at_its_base) {
    const Field<float> one = run_stages(rain("height_unit = 1.0\n")).landscape.layer("elevation");
    const Field<float> half =
        run_stages(rain("height_unit = 0.5\nbase = 256.0\n")).landscape.layer("elevation");
    for (std::int64_t cell = 0; cell < one.size(); ++cell) ASSERT_EQ(256.0F + 0.5F * one[cell], half[cell]);
}

TEST(RainStage, takes_the_terrain_that_is_there_and_0_events_leave_its_bits) {
    const std::string noise = "[[stage]]\nuse = \"noise\"\namplitude = 100.0\n";
    const Field<float> start = run_stages(noise).landscape.layer("elevation");
    const Field<float> kept =
        run_stages(noise + "[[stage]]\nuse = \"rain\"\nevents = 0\n").landscape.layer("elevation");
    EXPECT_EQ(start, kept);
    const Field<float> rained = run_stages(noise + rain("")).landscape.layer("elevation");
    EXPECT_NE(start, rained);
    double lowered = 0.0;
    for (std::int64_t cell = 0; cell < start.size(); ++cell) lowered += start[cell] - rained[cell];
    EXPECT_GT(lowered, 0.0);
}

TEST(RainStage, says_when_rain_ends_in_pits_and_when_there_are_no_rivers) {
    const RunResult flat = run_stages(rain("tilt = 0.0\nedges = \"closed\"\n"));
    EXPECT_THAT(
        flat.report.stages.back().diagnostics.notes,
        ::testing::ElementsAre("500 of 500 units of rain ended in pits, where no neighbour is lower",
                               "no cell drains as many cells as river_visits: the river network is empty"));
    EXPECT_THAT(run_stages(rain("river_visits = 20\n")).report.stages.back().diagnostics.notes, IsEmpty());
}

TEST(RainStage, needs_terrain_only_where_it_is_asked_for) {
    try {
        run_stages(rain("start = \"terrain\"\n"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("there is no layer \"elevation\""));
    }
}

}  // namespace
}  // namespace thalweg
