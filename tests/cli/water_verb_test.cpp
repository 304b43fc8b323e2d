// water, by its verb: beds are carved first.
#include "thalweg/grid/sampling.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/cli/verbs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

class WaterVerb : public Verbs {
  protected:
    WaterVerb() {
        expect_done({"shape", "--kind", "plane", "--height", "1.2", "--direction", "270", "--extent", "80,60",
                     "--cells", "160", "-o", "meadow.tif"},
                    "meadow.tif\n");
    }

    [[nodiscard]] std::int64_t wet_cells(const char* file) const {
        return std::ranges::count_if(read_raster(path(file)), [](float depth) { return depth > 0.0F; });
    }

    const std::string brook = THALWEG_SOURCE_DIR "/examples/brook.geojson";
};

TEST_F(WaterVerb, carves_the_beds_that_it_fills) {
    const Ran ran = run({"water", "meadow.tif", "--network", brook, "--side-slope", "0.3", "-o", "level.tif",
                         "--also", "water_depth=depth.tif", "--also", "bed_material=bed.tif", "--also",
                         "rivers=brook.gpkg", "--report", "report.json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_EQ(ran.output, "level.tif\nbed.tif\nbrook.gpkg\ndepth.tif\n");
    EXPECT_GT(wet_cells("depth.tif"), 500);
    EXPECT_EQ(read_network(path("brook.gpkg")).reaches.front().type, "C");
    const auto stages = nlohmann::json::parse(read("report.json")).at("stages");
    ASSERT_EQ(stages.size(), 2U);
    EXPECT_EQ(stages[0].at("stage"), "carve");
    EXPECT_EQ(stages[0].at("parameters").at("side_slope"), 0.3);
    EXPECT_GT(stages[1].at("diagnostics").at("primitives_water"), 100);
}

TEST_F(WaterVerb, makes_frames_and_takes_the_rivers_of_the_terrain) {
    const Ran ran = run({"water", "meadow.tif", "--network", brook, "--times", "0:1:2", "-o", "frames"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("water_elevation_0001.tif"));
    EXPECT_THAT(run({"water", "meadow.tif", "-o", "level.tif"}).errors, HasSubstr("there are no rivers"));
    EXPECT_THAT(run({"water", "--help"}).output, HasSubstr("--network FILE"));
}

TEST_F(WaterVerb, goes_on_in_a_window_as_that_of_carving_does) {
    const std::vector<std::string> window = {"--window", "20,20,50,40", "--resolution", "0.1"};
    const auto with_window = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), window.begin(), window.end());
        return arguments;
    };
    expect_done(with_window({"carve", "meadow.tif", "--network", brook, "-o", "bed.tif"}), "bed.tif\n");
    const Field<float> bed = read_raster(path("bed.tif"));
    EXPECT_EQ(bed.columns(), 300);
    EXPECT_EQ(bed.rows(), 200);
    expect_done({"carve", "meadow.tif", "--network", brook, "-o", "whole.tif"}, "whole.tif\n");
    const Field<float> whole = read_raster(path("whole.tif"));  // cells of half a metre
    EXPECT_EQ(whole.columns(), 160);
    EXPECT_NEAR(sample_bilinear(bed, {.x = 35.25, .y = 30.25}),
                sample_bilinear(whole, {.x = 35.25, .y = 30.25}), 0.15);
    expect_done(with_window({"water", "meadow.tif", "--network", brook, "-o", "level.tif", "--also",
                             "water_depth=depth.tif"}),
                "level.tif\ndepth.tif\n");
    EXPECT_EQ(read_raster(path("depth.tif")).columns(), 300);
    EXPECT_GT(wet_cells("depth.tif"), 500);
    EXPECT_THAT(run({"carve", "meadow.tif", "--window", "20,20,500,40", "-o", "far.tif"}).errors,
                HasSubstr("reaches beyond the landscape"));
}

TEST_F(WaterVerb, refuses_a_network_that_lies_elsewhere) {
    RiverNetwork far = read_network(brook);
    for (RiverPoint& point : far.reaches.front().points) point.x += 1e6;
    far.nodes.front().point = far.reaches.front().points.front();
    far.nodes.back().point = far.reaches.front().points.back();
    write_network(path("far.gpkg"), far);
    const Ran ran = run({"water", "meadow.tif", "--network", path("far.gpkg"), "-o", "level.tif"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.errors, HasSubstr("has no river on the terrain: it begins at (10000"));
}

}  // namespace
}  // namespace thalweg
