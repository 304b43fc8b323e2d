// The stage `ground`: its layers, what it takes from others, and what pictures show of it.
#include "thalweg/project/output/pictures.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <string>

#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLand = R"([project]
name = "ground"
seed = 4
[grid]
extent = [6400.0, 6400.0]
cells = 128
[[stage]]
use = "noise"
amplitude = 700.0
mean = 500.0
wavelength = 4000.0
)";

RunResult run_stages(const std::string& more) {
    return run_project(parse_project(kLand + more, "ground.toml", "", {}), {.write_outputs = false});
}

std::string ground(const std::string& parameters = "") {
    return "[[stage]]\nuse = \"ground\"\n" + parameters;
}

double mean(const RunResult& result, const std::string& layer) {
    const Field<float>& values = result.landscape.layer(layer);
    double sum = 0.0;
    for (const float value : values) sum += static_cast<double>(value);
    return sum / static_cast<double>(values.size());
}

double told(const RunResult& result, const std::string& name) {
    for (const auto& [key, value] : result.report.stages.back().diagnostics.values)
        if (key == name) return std::get<double>(value);
    ADD_FAILURE() << "no " << name;
    return 0.0;
}

TEST(GroundStage, leaves_its_layers_and_tells_their_shares) {
    const RunResult result = run_stages(ground());
    for (const auto& [share, layer] : {std::pair{"bare_rock_share", "bare_rock"},
                                       {"vegetation_share", "vegetation"},
                                       {"forest_share", "forest"}})
        EXPECT_NEAR(told(result, share), mean(result, layer), 1e-6) << layer;
    EXPECT_EQ(told(result, "latitude_degrees"), 45.0);
    EXPECT_GT(mean(result, "soil_depth"), 0.1);
    EXPECT_GT(told(result, "snow_line_m"), told(result, "tree_line_m"));
}

TEST(GroundStage, goes_by_the_climate) {
    EXPECT_GT(mean(run_stages(ground("climate = \"humid\"\n")), "forest"),
              mean(run_stages(ground("climate = \"desert\"\n")), "forest") + 0.3);
    EXPECT_GT(mean(run_stages(ground("climate = \"arctic\"\n")), "snow"), mean(run_stages(ground()), "snow"));
    EXPECT_LT(mean(run_stages(ground("temperature = 2.0\n")), "forest"),
              mean(run_stages(ground()), "forest"));
}

TEST(GroundStage, covers_nothing_in_the_sea) {
    const RunResult result = run_stages("[[stage]]\nuse = \"flow\"\nsea_level = 400.0\n" + ground());
    const Field<float>& elevation = result.landscape.layer("elevation");
    std::int64_t sea = 0;
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
        if (elevation[cell] > 400.0F) continue;
        ++sea;
        for (const char* layer : {"soil_depth", "bare_rock", "scree", "vegetation", "forest", "snow"})
            ASSERT_EQ(result.landscape.layer(layer)[cell], 0.0F) << layer;
    }
    EXPECT_GT(sea, 1000);
}

TEST(GroundStage, takes_floors_for_deep_soil) {
    const std::string land = "[[stage]]\nuse = \"erode\"\n[[stage]]\nuse = \"floors\"\nfloor_area = 1e5\n";
    const RunResult result = run_stages(land + ground());
    const Field<float>& floor = result.landscape.layer("floor");
    const Field<float>& soil = result.landscape.layer("soil_depth");
    std::int64_t floors = 0;
    for (std::int64_t cell = 0; cell < floor.size(); ++cell) {
        if (floor[cell] < 0.99F) continue;
        ++floors;
        EXPECT_GT(soil[cell], 1.2F);
    }
    EXPECT_GT(floors, 20);
}

TEST(GroundStage, refuses_a_temperature_that_no_place_has) {
    EXPECT_THAT(refusal_of([] { run_stages(ground("temperature = 80.0\n")); }),
                HasSubstr("temperature = 80"));
}

TEST(GroundStage, gives_maps_natural_colours_unless_heights_are_asked_for) {
    QuietProgress progress;
    const OutputFile map{.name = "map.png", .kind = OutputKind::Picture, .layer = "", .format = "map"};
    const Landscape bare = run_stages("").landscape;
    const Landscape covered = run_stages(ground()).landscape;
    const OutputSettings natural;
    OutputSettings by_heights;
    by_heights.natural_colours = false;
    const Image by_height = draw_picture(map, "", natural, bare, progress);
    EXPECT_EQ(draw_picture(map, "", by_heights, covered, progress).rgb, by_height.rgb);
    EXPECT_NE(draw_picture(map, "", natural, covered, progress).rgb, by_height.rgb);
}

}  // namespace
}  // namespace thalweg
