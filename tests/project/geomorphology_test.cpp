// What stages `flow` and `rivers` make for geomorphologists: steepness, knickpoints, profiles, basins.
#include "thalweg/core/error.hpp"
#include "thalweg/flow/basin_outlines.hpp"
#include "thalweg/flow/stream_profiles.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stages/flow_stage.hpp"
#include "thalweg/project/stages/rivers_stage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include "tests/flow/terrains.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::HasSubstr;
using Files = std::multimap<std::string, std::filesystem::path>;

constexpr int kLip = 90;  // cell of the step

/// One channel of 300 cells of 30 m at steady state of k_sn = 60, 100 m high at its outlet, the first cell; a
/// step of `step` (m) up to kLip.
Field<float> channel(double step = 0.0) {
    Field<float> z(Grid{.columns = 300, .rows = 1, .cell_size = 30.0, .west = 500.0, .north = 900.0});
    const auto integrand = [](int column) { return std::pow(900.0 * (300 - column), -0.45); };
    double height = 100.0;
    for (int column = 0; column < 300; ++column) {
        if (column > 0) height += 60.0 * 30.0 * 0.5 * (integrand(column) + integrand(column - 1));
        z(column, 0) = static_cast<float>(height + (column >= kLip ? step : 0.0));
    }
    return z;
}

/// Lets water leave at the first cell alone.
void close_edges(const ScratchFolder& folder, const Grid& grid, DrainageParameters& drainage) {
    Field<float> mask(grid, 0.0F);
    mask[0] = 1.0F;
    write_raster(folder / "outlet.tif", mask, RasterFormat::GeoTiff);
    drainage.edges = GridEdges::Closed;
    drainage.outlets.layer = (folder / "outlet.tif").string();
}

/// Rough ground with rivers of all sizes.
Field<float> rough() {
    return tests::white_terrain(120, 100, 5);
}

template <class P>
RunResult run(const char* stage, const ScratchFolder& folder, const Field<float>& elevation,
              const P& parameters, const Files& layers) {
    write_raster(folder / "dem.tif", elevation, RasterFormat::GeoTiff);
    QuietProgress quiet;
    const bool is_network = std::string(stage) == "rivers";
    return run_verb(find_stage(stage), &parameters, {.raster = folder / "dem.tif", .grid = {}},
                    {.primary = folder / (is_network ? "rivers.gpkg" : "area.tif"), .layers = layers}, quiet);
}

RiversParameters rivers_from(double area) {
    RiversParameters parameters;
    parameters.network.min_area = area;
    parameters.network.steepness_length = 300.0;
    return parameters;
}

FlowStageParameters flow_from(double area) {
    FlowStageParameters parameters;
    parameters.analysis.least_area = area;
    parameters.analysis.steepness_length = 300.0;
    return parameters;
}

/// The rows of a CSV by the names of its columns; an empty place is NaN.
std::vector<std::map<std::string, double>> rows_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line, cell;
    std::getline(file, line);
    std::vector<std::string> names;
    for (std::istringstream head(line); std::getline(head, cell, ',');) names.push_back(cell);
    std::vector<std::map<std::string, double>> rows;
    while (std::getline(file, line)) {
        line += ",";
        std::istringstream text(line);
        std::map<std::string, double>& row = rows.emplace_back();
        for (const std::string& name : names) {
            std::getline(text, cell, ',');
            row[name] = cell.empty() ? std::nan("") : std::strtod(cell.c_str(), nullptr);
        }
    }
    return rows;
}

TEST(Geomorphology, reaches_and_the_map_of_rivers_have_the_steepness_of_a_steady_channel) {
    const ScratchFolder folder;
    const Field<float> z = channel();
    RiversParameters of_rivers = rivers_from(9000.0);
    FlowStageParameters of_flow = flow_from(9000.0);
    close_edges(folder, z.grid(), of_rivers.drainage);
    close_edges(folder, z.grid(), of_flow.drainage);
    (void)run("rivers", folder, z, of_rivers, {});
    const RiverNetwork network = read_network(folder / "rivers.gpkg");
    ASSERT_EQ(network.reaches.size(), 1U);
    EXPECT_NEAR(network.reaches[0].steepness, 60.0, 0.01);
    (void)run("flow", folder, z, of_flow, {{"ksn", folder / "ksn.tif"}});
    const Field<float> ksn = read_raster(folder / "ksn.tif"), area = read_raster(folder / "area.tif");
    for (std::int64_t cell = 0; cell < ksn.size(); ++cell) {
        ASSERT_EQ(is_no_data(ksn[cell]), area[cell] < 9000.0F);
        if (!is_no_data(ksn[cell])) {
            EXPECT_NEAR(ksn[cell], 60.0, 0.1);
        }
    }
}

TEST(Geomorphology, profiles_of_a_steady_channel_are_straight_over_chi) {
    const ScratchFolder folder;
    RiversParameters parameters = rivers_from(9000.0);
    parameters.network.chi.reference_area = 1e4;
    close_edges(folder, channel().grid(), parameters.drainage);
    (void)run("rivers", folder, channel(), parameters, {{"profiles", folder / "p.csv"}});
    const auto rows = rows_of(folder / "p.csv");
    ASSERT_EQ(rows.size(), 291U);  // those that 10 cells and more drain through
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].at("x"), 515.0 + 30.0 * static_cast<double>(i));
        EXPECT_EQ(rows[i].at("y"), 885.0);
        EXPECT_EQ(rows[i].at("distance_m"), 30.0 * static_cast<double>(i));
        EXPECT_EQ(rows[i].at("area_m2"), 900.0 * static_cast<double>(300 - i));
        EXPECT_NEAR(rows[i].at("z"), 100.0 + 60.0 * std::pow(1e4, -0.45) * rows[i].at("chi_m"), 1e-3);
        EXPECT_NEAR(rows[i].at("ksn"), 60.0, 0.1);
    }
}

TEST(Geomorphology, profiles_are_a_csv_and_a_geopackage_of_the_cells_of_all_rivers) {
    const ScratchFolder folder;
    const Field<float> z = rough();
    const RunResult result =
        run("rivers", folder, z, rivers_from(3000.0),
            {{"profiles", folder / "profiles.csv"}, {"profiles", folder / "profiles.gpkg"}});
    const auto rows = rows_of(folder / "profiles.csv");
    ASSERT_EQ(rows.size(),
              static_cast<std::size_t>(result.landscape.get<StreamProfiles>("profiles").streams.size()));
    ASSERT_GT(rows.size(), 200U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        const int column = static_cast<int>(std::lround(z.grid().column_at(row.at("x"))));
        const int line = static_cast<int>(std::lround(z.grid().row_at(row.at("y"))));
        EXPECT_LE(static_cast<float>(row.at("z")), z(column, line));  // it may be carved
        EXPECT_GE(row.at("area_m2"), 3000.0);
        if (i > 0 && row.at("stream") == rows[i - 1].at("stream")) {
            EXPECT_GT(row.at("distance_m"), rows[i - 1].at("distance_m"));
            EXPECT_GE(row.at("z"), rows[i - 1].at("z"));
        } else if (std::isnan(row.at("flows_into"))) {
            EXPECT_EQ(row.at("distance_m"), 0.0);
        } else {
            EXPECT_GT(row.at("distance_m"), 0.0);
            EXPECT_LT(row.at("flows_into"), row.at("stream"));
        }
    }
    EXPECT_GT(std::filesystem::file_size(folder / "profiles.gpkg"), 10000U);
}

TEST(Geomorphology, knickpoints_are_where_a_step_was_built) {
    const ScratchFolder folder;
    const Field<float> z = channel(90.0);
    RiversParameters parameters = rivers_from(9000.0);
    close_edges(folder, z.grid(), parameters.drainage);
    (void)run("rivers", folder, z, parameters, {{"knickpoints", folder / "k.csv"}});
    const auto rows = rows_of(folder / "k.csv");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].at("x"), z.grid().x(kLip));
    EXPECT_EQ(rows[0].at("z"), static_cast<double>(z(kLip, 0)));
    EXPECT_NEAR(rows[0].at("height_m"), 90.0, 0.05);
    EXPECT_NEAR(rows[0].at("ksn_above"), 60.0, 0.1);
    EXPECT_NEAR(rows[0].at("ksn_below"), 60.0, 0.1);
    EXPECT_GT(rows[0].at("offset_m"), 30.0);
}

TEST(Geomorphology, smoothed_profiles_never_rise_downstream_over_rough_ground) {
    const ScratchFolder folder;
    RiversParameters parameters = rivers_from(3000.0);
    parameters.profile_smoothing = 60.0;
    (void)run("rivers", folder, rough(), parameters, {{"profiles", folder / "p.csv"}});
    const auto rows = rows_of(folder / "p.csv");
    ASSERT_GT(rows.size(), 100U);
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (rows[i].at("stream") == rows[i - 1].at("stream")) {
            EXPECT_GE(rows[i].at("z"), rows[i - 1].at("z"));
        }
}

TEST(Geomorphology, basins_and_catchments_of_pour_points_are_polygons) {
    const ScratchFolder folder;
    const Field<float> z = rough();
    FlowStageParameters parameters = flow_from(3000.0);
    const Grid& grid = z.grid();
    parameters.catchments.pour_points = {{grid.x(60), grid.y(50)}};
    parameters.catchments.snap_distance = 200.0;
    const RunResult result =
        run("flow", folder, z, parameters,
            {{"basins", folder / "basins.geojson"}, {"catchments", folder / "catchments.gpkg"}});
    const auto basins = nlohmann::json::parse(std::ifstream(folder / "basins.geojson"));
    ASSERT_EQ(basins["features"].size(), result.landscape.get<BasinOutlines>("basins").basins.size());
    EXPECT_GE(basins["features"][0]["properties"]["area_km2"].get<double>(), 0.003);
    ASSERT_EQ(result.landscape.get<BasinOutlines>("catchments").basins.size(), 1U);
    EXPECT_TRUE(std::filesystem::exists(folder / "catchments.gpkg"));
}

std::string refusal_of(const char* stage, const FlowStageParameters& flow, const RiversParameters& rivers,
                       const Files& layers) {
    const ScratchFolder folder;
    try {
        if (std::string(stage) == "flow") {
            (void)run(stage, folder, rough(), flow, layers);
        } else {
            (void)run(stage, folder, rough(), rivers, layers);
        }
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Geomorphology, refuses_catchments_of_no_place_and_wrong_files) {
    const ScratchFolder folder;
    FlowStageParameters flow;
    EXPECT_THAT(refusal_of("flow", flow, {}, {{"catchments", folder / "c.gpkg"}}),
                HasSubstr("flow leaves no \"catchments\" so: it takes pour_points or pour_points_file"));
    flow.catchments.pour_points = {{1e9, 0.0}};
    EXPECT_THAT(refusal_of("flow", flow, {}, {{"catchments", folder / "c.gpkg"}}),
                HasSubstr("outside the grid"));
    EXPECT_THAT(refusal_of("flow", flow, {}, {{"basins", folder / "c.csv"}}), HasSubstr(".gpkg"));
    EXPECT_THAT(refusal_of("rivers", {}, {}, {{"profiles", folder / "c.tif"}}), HasSubstr(".csv"));
    EXPECT_THAT(refusal_of("flow", {}, {}, {{"knickpoints", folder / "k.csv"}}),
                HasSubstr("flow leaves no \"knickpoints\""));
}

TEST(Geomorphology, rivers_with_their_points_are_the_network_and_come_back_whole) {
    const ScratchFolder folder;
    const RunResult result =
        run("rivers", folder, rough(), rivers_from(3000.0),
            {{"river_points", folder / "points.gpkg"}, {"river_points", folder / "points.csv"}});
    const auto& rivers = result.landscape.get<RiverNetwork>("rivers");
    EXPECT_TRUE(read_network(folder / "points.gpkg").reaches == rivers.reaches);
    const auto rows = rows_of(folder / "points.csv");
    std::size_t row = 0;
    for (const Reach& reach : rivers.reaches)
        for (std::size_t i = 0; i < reach.points.size(); ++i, ++row) {
            ASSERT_LT(row, rows.size());
            EXPECT_EQ(rows[row].at("reach_id"), static_cast<double>(reach.id));
            EXPECT_EQ(rows[row].at("point"), static_cast<double>(i));
            EXPECT_EQ(rows[row].at("x"), reach.points[i].x);
            EXPECT_EQ(static_cast<float>(rows[row].at("width_m")), reach.values.width[i]);
            EXPECT_EQ(static_cast<float>(rows[row].at("depth_m")), reach.values.depth[i]);
            EXPECT_EQ(static_cast<float>(rows[row].at("discharge_m3s")), reach.values.discharge[i]);
        }
    EXPECT_EQ(row, rows.size());
    EXPECT_GT(row, 500U);
    EXPECT_THAT(refusal_of("rivers", {}, {}, {{"river_points", folder / "c.tif"}}), HasSubstr(".csv"));
}

TEST(Geomorphology, layers_of_ground_are_there_where_they_are_asked_for) {
    const ScratchFolder folder;
    const Field<float> z = rough();
    Files layers;
    for (const char* layer :
         {"height_above_drainage", "wetness_index", "curvature", "profile_curvature", "tangential_curvature"})
        layers.emplace(layer, folder / (std::string(layer) + ".tif"));
    const RunResult result = run("flow", folder, z, flow_from(3000.0), layers);
    for (const auto& [layer, path] : layers) {
        const Field<float> values = read_raster(path);
        int finite = 0;
        for (const float value : values) finite += std::isfinite(value) ? 1 : 0;
        EXPECT_GT(finite, 10000) << layer;
    }
    const Field<float> height = read_raster(folder / "height_above_drainage.tif");
    for (const float value : height) EXPECT_GE(value, 0.0F);
    EXPECT_FALSE(result.landscape.has("chi"));
}

TEST(Geomorphology, flow_says_that_it_leaves_elevation_where_it_conditions_it) {
    const auto leaves = [](bool condition) {
        FlowStageParameters parameters;
        parameters.condition = condition;
        const std::vector<std::string> layers = layers_written(find_stage("flow"), &parameters);
        return std::ranges::find(layers, "elevation") != layers.end();
    };
    EXPECT_TRUE(leaves(true));
    EXPECT_FALSE(leaves(false));
}

TEST(Geomorphology, a_project_writes_those_that_its_output_names) {
    const ScratchFolder folder;
    write_raster(folder / "dem.tif", rough(), RasterFormat::GeoTiff);
    const std::string text = R"([project]
name = "land"
[grid]
from = "dem.tif"
[[stage]]
use = "import"
file = "dem.tif"
[[stage]]
use = "flow"
analysis_area = 3000
[[stage]]
use = "rivers"
min_area = 3000
[output]
layers = ["elevation", "profiles", "basins", "river_points"]
pictures = []
)";
    ProjectOverrides overrides;
    overrides.output_directory = folder / "out";
    (void)run_project(parse_project(text, "land.toml", folder / "", overrides));
    EXPECT_TRUE(std::filesystem::exists(folder / "out/land_profiles.gpkg"));
    EXPECT_TRUE(std::filesystem::exists(folder / "out/land_basins.gpkg"));
    EXPECT_TRUE(std::filesystem::exists(folder / "out/land_river_points.gpkg"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out/land_knickpoints.gpkg"));
}

}  // namespace
}  // namespace thalweg
