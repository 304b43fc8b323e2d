// rain, by its verb.
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"

#include <string>
#include <vector>

#include "tests/cli/verbs.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

TEST_F(Verbs, rain_makes_terrain_by_columns_and_rows_and_its_rivers) {
    expect_done({"rain", "--columns", "60", "--rows", "40", "--events", "500", "--river-visits", "20",
                 "--seed", "4", "-o", "out.tif", "--also", "rivers=rivers.gpkg", "--also",
                 "drainage_area=area.tif", "--report", "report.json"},
                "out.tif\narea.tif\nrivers.gpkg\n");
    const Grid grid = read_raster(path("out.tif")).grid();
    EXPECT_EQ(grid.columns, 60);
    EXPECT_EQ(grid.rows, 40);
    EXPECT_EQ(grid.cell_size, 100.0);
    EXPECT_GT(read_network(path("rivers.gpkg")).reaches.size(), 5U);
    const auto told = nlohmann::json::parse(read("report.json")).at("diagnostics");
    EXPECT_EQ(told.at("events"), 500);
    EXPECT_EQ(told.at("trapped"), 0);
    EXPECT_GT(told.at("visits"), 5000);
}

TEST_F(Verbs, rain_with_the_same_seed_gives_the_same_bytes_on_any_number_of_threads) {
    std::vector<std::string> bytes;
    for (const char* threads : {"1", "2", "8"}) {
        const Ran ran = run({"rain", "--columns", "80", "--rows", "50", "--events", "2000", "--threads",
                             threads, "-o", "out.tif"});
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        bytes.push_back(read("out.tif"));
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_EQ(bytes[0], bytes[2]);
}

TEST_F(Verbs, rain_every_so_many_events_leaves_frames_with_the_bytes_of_single_runs) {
    const std::vector<std::string> grid = {"rain", "--columns", "60", "--rows", "40", "--seed", "4"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), grid.begin(), grid.end());
        return more;
    };
    const Ran ran = run(with({"--events", "1200", "--every", "500", "--frames", "frames", "--animation",
                              "a.webp", "--animation-size", "64"}));
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_GT(read("a.webp").size(), 100U);
    const auto frames = nlohmann::json::parse(read("frames/frames.json"));
    EXPECT_EQ(frames.at("time").at("unit"), "events");
    std::vector<int> events;
    for (const auto& frame : frames.at("frames")) events.push_back(frame.at("time_events"));
    EXPECT_EQ(events, (std::vector<int>{0, 500, 1000, 1200}));
    for (std::size_t i = 0; i < events.size(); ++i) {
        expect_done(with({"--events", std::to_string(events[i]), "-o", "alone.tif"}), "alone.tif\n");
        EXPECT_TRUE(read("alone.tif") == read("frames/elevation_000" + std::to_string(i) + ".tif"))
            << events[i];
    }
    EXPECT_EQ(run(with({"--times", "1200,500", "--frames", "backwards"})).exit_code, 0);
    EXPECT_TRUE(read("backwards/elevation_0000.tif") == read("frames/elevation_0003.tif"));
    EXPECT_TRUE(read("backwards/elevation_0001.tif") == read("frames/elevation_0001.tif"));
}

TEST_F(Verbs, rain_takes_a_dem_and_keeps_its_place_and_cells_without_data) {
    write_terrain("dem.tif");
    const Ran ran = run({"rain", "dem.tif", "--events", "2000", "-o", "out.tif"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    const Field<float> before = read_raster(path("dem.tif"));
    const Field<float> after = read_raster(path("out.tif"));
    EXPECT_EQ(after.grid(), before.grid());
    double lowered = 0.0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        ASSERT_EQ(is_no_data(after[cell]), is_no_data(before[cell]));
        if (!is_no_data(before[cell])) lowered += before[cell] - after[cell];
    }
    EXPECT_GT(lowered, 0.0);
}

TEST_F(Verbs, rain_with_no_events_returns_the_dem) {
    write_terrain("dem.tif");
    const Ran ran = run({"rain", "dem.tif", "--events", "0", "-o", "out.tif"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    const Field<float> before = read_raster(path("dem.tif"));
    const Field<float> after = read_raster(path("out.tif"));
    for (std::int64_t cell = 0; cell < before.size(); ++cell)
        ASSERT_TRUE(before[cell] == after[cell] || is_no_data(before[cell]));
}

}  // namespace
}  // namespace thalweg
