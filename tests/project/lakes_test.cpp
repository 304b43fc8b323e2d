// Lakes of the stage `flow`: layers, report and files.
#include "thalweg/core/error.hpp"
#include "thalweg/flow/lake_outlines.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stages/flow_stage.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

/// Cells of 10 m: a pit of 6 cells, 4 m deep, with an island of 1 cell.
Field<float> pond() {
    Grid grid = make_grid(70.0, 50.0, 7);
    grid.west += 500.0;
    Field<float> field(grid, 9.0F);
    for (int column = 1; column < 6; ++column) field(column, 1) = field(column, 3) = 5.0F;
    for (int column = 1; column < 6; ++column) field(column, 2) = column == 3 ? 12.0F : 5.0F;
    return field;
}

FlowStageParameters with_lakes(double runoff) {
    FlowStageParameters parameters;
    parameters.drainage.flow.conditioning.depressions = Depressions::Lakes;
    parameters.drainage.runoff.number = runoff;
    return parameters;
}

RunResult run_flow(const ScratchFolder& folder, const Field<float>& elevation,
                   const FlowStageParameters& parameters,
                   const std::multimap<std::string, std::filesystem::path>& layers) {
    write_raster(folder / "dem.tif", elevation, RasterFormat::GeoTiff);
    QuietProgress quiet;
    return run_verb(find_stage("flow"), &parameters, {.raster = folder / "dem.tif", .grid = {}},
                    {.primary = folder / "area.tif", .layers = layers}, quiet);
}

Value told(const RunResult& result, const std::string& name) {
    for (const auto& [key, value] : result.report.stages.front().diagnostics.values)
        if (key == name) return value;
    ADD_FAILURE() << "nothing is told of " << name;
    return {};
}

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Lakes, of_the_stage_flow_are_layers_over_untouched_ground) {
    const ScratchFolder folder;
    const RunResult result = run_flow(folder, pond(), with_lakes(kInf),
                                      {{"water_elevation", folder / "level.tif"},
                                       {"water_depth", folder / "depth.tif"},
                                       {"lake", folder / "lake.tif"}});
    const Field<float> level = read_raster(folder / "level.tif"), depth = read_raster(folder / "depth.tif"),
                       lake = read_raster(folder / "lake.tif");
    EXPECT_EQ(level(1, 1), 9.0F);
    EXPECT_TRUE(is_no_data(level(0, 0)));
    EXPECT_TRUE(is_no_data(level(3, 2)));
    EXPECT_EQ(depth(1, 1), 4.0F);
    EXPECT_EQ(depth(3, 2), 0.0F);
    EXPECT_EQ(lake(5, 3), 1.0F);
    EXPECT_EQ(lake(0, 0), 0.0F);
    EXPECT_EQ(result.landscape.layer("elevation"), pond());
    EXPECT_EQ(told(result, "lakes"), Value(std::int64_t{1}));
    EXPECT_EQ(told(result, "lake_volume"), Value(14 * 100 * 4.0));
    EXPECT_EQ(told(result, "outflow_m3"), Value(kInf));
    EXPECT_EQ(told(result, "volume_error"), Value(0.0));
}

TEST(Lakes, of_the_stage_flow_hold_the_runoff_of_their_basin) {
    const ScratchFolder folder;
    const RunResult result =
        run_flow(folder, pond(), with_lakes(0.7), {{"water_depth", folder / "depth.tif"}});
    const Field<float> depth = read_raster(folder / "depth.tif");
    EXPECT_FLOAT_EQ(depth(1, 1), 0.7F * 15.0F / 14.0F);  // and that of the island
    EXPECT_FALSE(result.landscape.has("lake"));
}

TEST(Lakes, of_the_stage_flow_are_polygons) {
    const ScratchFolder folder;
    const RunResult result =
        run_flow(folder, pond(), with_lakes(kInf), {{"lakes", folder / "lakes.geojson"}});
    ASSERT_TRUE(result.landscape.has("lakes"));
    ASSERT_EQ(result.landscape.get<LakeOutlines>("lakes").lakes.size(), 1U);
    EXPECT_EQ(result.landscape.get<LakeOutlines>("lakes").lakes[0].parts[0].holes.size(), 1U);
    const auto file = nlohmann::json::parse(std::ifstream(folder / "lakes.geojson"));
    const auto& lake = file.at("features").at(0);
    EXPECT_EQ(lake.at("geometry").at("type"), "MultiPolygon");
    EXPECT_EQ(lake.at("geometry").at("coordinates").at(0).size(), 2U);
    EXPECT_EQ(lake.at("properties").at("area_m2"), 1400.0);
    EXPECT_EQ(lake.at("properties").at("volume_m3"), 5600.0);
    EXPECT_THROW(run_flow(folder, pond(), with_lakes(kInf), {{"lakes", folder / "lakes.tif"}}), Error);
}

TEST(Lakes, of_a_project_go_into_its_vector_files) {
    const ScratchFolder folder;
    write_raster(folder / "dem.tif", pond(), RasterFormat::GeoTiff);
    const std::string text = R"([project]
name = "pond"
[grid]
from = "dem.tif"
[[stage]]
use = "import"
file = "dem.tif"
[[stage]]
use = "flow"
depressions = "lakes"
runoff = 2.0
[output]
layers = ["lake"]
pictures = []
)";
    ProjectOverrides overrides;
    overrides.output_directory = folder / "out";
    const RunResult result = run_project(parse_project(text, "pond.toml", folder / "", overrides));
    EXPECT_TRUE(std::filesystem::exists(folder / "out/pond_lakes.gpkg"));
    EXPECT_TRUE(std::filesystem::exists(folder / "out/pond_lake.tif"));
    std::ifstream manifest(folder / "out/manifest.json");
    EXPECT_THAT(nlohmann::json::parse(manifest).dump(), HasSubstr("\"kind\":\"lakes\""));
}

TEST(Lakes, are_layers_only_where_they_are_asked_for) {
    const ScratchFolder folder;
    try {
        (void)run_flow(folder, pond(), FlowStageParameters(), {{"lake", folder / "lake.tif"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("flow leaves no \"lake\" so: it takes depressions = \"lakes\""));
    }
}

TEST(Lakes, refuse_runoff_that_is_negative_or_no_number) {
    const ScratchFolder folder;
    for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
        try {
            (void)run_flow(folder, pond(), with_lakes(wrong), {});
            FAIL();
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("runoff"));
            EXPECT_EQ(error.exit_code(), 2);
        }
    }
}

/// Why a run of the stage is refused.
std::string refusal_of(const ScratchFolder& folder, const FlowStageParameters& parameters) {
    try {
        (void)run_flow(folder, pond(), parameters, {});
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "nothing was refused";
}

TEST(Lakes, fill_with_runoff_that_a_raster_gives) {
    const ScratchFolder folder;
    Field<float> rain(pond().grid(), 0.0F);
    double volume = 0.0;  // m^3, on the pond and its island
    for (int column = 1; column < 6; ++column)
        for (int row = 1; row < 4; ++row) {
            rain(column, row) = 0.125F * static_cast<float>(column);
            volume += 12.5 * column;
        }
    write_raster(folder / "rain.tif", rain, RasterFormat::GeoTiff);
    FlowStageParameters parameters = with_lakes(kInf);
    parameters.drainage.runoff.layer = (folder / "rain.tif").string();
    const RunResult result = run_flow(folder, pond(), parameters, {{"water_depth", folder / "depth.tif"}});
    EXPECT_FLOAT_EQ(read_raster(folder / "depth.tif")(1, 1), static_cast<float>(volume / 1400.0));
    EXPECT_NEAR(std::get<double>(told(result, "lake_volume")), volume, 1e-9 * volume);
    rain(2, 2) = -1.0F;
    write_raster(folder / "rain.tif", rain, RasterFormat::GeoTiff);
    EXPECT_THAT(refusal_of(folder, parameters), HasSubstr("rain.tif"));
}

TEST(Lakes, fill_from_sources) {
    const ScratchFolder folder;
    FlowStageParameters parameters = with_lakes(0.0);
    const Grid grid = pond().grid();
    parameters.drainage.lake_sources = {{.x = grid.west + 31.0, .y = grid.north - 22.0, .volume = 700.0}};
    const RunResult result = run_flow(folder, pond(), parameters, {{"water_depth", folder / "depth.tif"}});
    EXPECT_FLOAT_EQ(read_raster(folder / "depth.tif")(5, 3), 0.5F);
    EXPECT_EQ(told(result, "outflow_m3"), Value(0.0));
    EXPECT_LT(std::get<double>(told(result, "volume_error")), 1e-12);
}

TEST(Lakes, refuse_sources_beyond_the_grid_and_such_that_would_change_nothing) {
    const ScratchFolder folder;
    FlowStageParameters parameters = with_lakes(0.0);
    parameters.drainage.lake_sources = {{.x = 10.0, .y = 10.0, .volume = 1.0}};
    EXPECT_THAT(refusal_of(folder, parameters), HasSubstr("lake source 1 at (10, 10) m lies outside"));
    parameters.drainage.runoff.number = kInf;
    EXPECT_THAT(refusal_of(folder, parameters), HasSubstr("runoff = inf fills every lake"));
    parameters.drainage.flow.conditioning.depressions = Depressions::Fill;
    EXPECT_THAT(refusal_of(folder, parameters), HasSubstr("depressions is not \"lakes\""));
}

TEST(Lakes, of_no_runoff_are_none) {
    const ScratchFolder folder;
    const RunResult result = run_flow(folder, pond(), with_lakes(0.0), {{"lake", folder / "lake.tif"}});
    EXPECT_EQ(told(result, "lakes"), Value(std::int64_t{0}));
    const Field<float> lake = read_raster(folder / "lake.tif");
    for (const float id : lake) EXPECT_EQ(id, 0.0F);
}

}  // namespace
}  // namespace thalweg
