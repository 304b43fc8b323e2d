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
