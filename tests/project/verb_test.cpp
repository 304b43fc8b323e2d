#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/terrain_analyses.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stages/erode_stage.hpp"
#include "thalweg/project/stages/flow_stage.hpp"
#include "thalweg/project/stages/noise_stage.hpp"
#include "thalweg/project/stages/rivers_stage.hpp"

#include <algorithm>
#include <string>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A roof that drains to its edges, with a CRS-less place away from the origin.
Field<float> roof(int cells) {
    Grid grid = make_grid(cells * 50.0, cells * 50.0, cells);
    grid.west += 3000.0;
    Field<float> field(grid);
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column)
            field(column, row) =
                static_cast<float>(10 * std::min({row, column, cells - 1 - row, cells - 1 - column}));
    return field;
}

std::filesystem::path write_roof(const ScratchFolder& folder) {
    write_raster(folder / "roof.tif", roof(24), RasterFormat::GeoTiff);
    return folder / "roof.tif";
}

std::string refusal(const char* stage, const void* parameters, const VerbInput& input,
                    const VerbOutput& output) {
    QuietProgress quiet;
    try {
        run_verb(find_stage(stage), parameters, input, output, quiet);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "";
}

TEST(RunVerb, erodes_a_raster_in_place_of_the_world) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    ErodeParameters parameters;
    parameters.erosion.time = 1e5;
    parameters.uplift.number = 0.0;
    QuietProgress quiet;
    const RunResult result = run_verb(find_stage("erode"), &parameters, input,
                                      {.primary = folder / "aged.tif", .layers = {}}, quiet);
    EXPECT_THAT(result.files, ElementsAre(folder / "aged.tif"));
    const Field<float> before = roof(24);
    const Field<float> after = read_raster(folder / "aged.tif");
    EXPECT_EQ(after.grid(), before.grid());
    EXPECT_EQ(after(0, 5), before(0, 5));
    EXPECT_LT(after(12, 12), before(12, 12) - 1.0F);
    EXPECT_EQ(result.report.stages.front().parameters.find("time")->index(), Value(1e5).index());
}

TEST(RunVerb, makes_a_source_without_a_raster) {
    const ScratchFolder folder;
    NoiseStageParameters parameters;
    QuietProgress quiet;
    VerbInput input;
    input.grid.extent = {640.0, 320.0};
    input.grid.cells = 64;
    run_verb(find_stage("noise"), &parameters, input, {.primary = folder / "noise.tif", .layers = {}}, quiet);
    const Field<float> noise = read_raster(folder / "noise.tif");
    EXPECT_EQ(noise.columns(), 64);
    EXPECT_EQ(noise.rows(), 32);
    EXPECT_NE(noise(3, 3), noise(40, 20));
}

TEST(RunVerb, writes_the_network_and_any_other_layer) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    RiversParameters parameters;
    parameters.network.min_area = 2e4;
    QuietProgress quiet;
    run_verb(find_stage("rivers"), &parameters, input,
             {.primary = folder / "rivers.gpkg", .layers = {{"elevation", folder / "copy.tif"}}}, quiet);
    EXPECT_FALSE(read_network(folder / "rivers.gpkg").reaches.empty());
    EXPECT_EQ(read_raster(folder / "copy.tif").values(), roof(24).values());

    const FlowStageParameters flow;
    run_verb(find_stage("flow"), &flow, input,
             {.primary = folder / "area.tif", .layers = {{"strahler", folder / "order.tif"}}}, quiet);
    EXPECT_EQ(read_raster_info(folder / "order.tif").value_type, "Int32");
}

TEST(RunVerb, computes_only_layers_that_it_writes) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    const FlowStageParameters flow;
    QuietProgress quiet;
    const auto layers_of = [&](const VerbOutput& output) {
        return run_verb(find_stage("flow"), &flow, input, output, quiet).landscape.layer_names();
    };
    EXPECT_THAT(layers_of({.primary = folder / "area.tif", .layers = {{"basin", folder / "basin.tif"}}}),
                ElementsAre("basin", "drainage_area", "elevation"));
    EXPECT_THAT(layers_of({.primary = {}, .layers = {{"stream_power", folder / "power.tif"}}}),
                ElementsAre("elevation", "stream_power"));
    // Analyses are no layers: the landscape holds them beside these.
    std::vector<std::string> written = layers_written(find_stage("flow"), &flow);
    std::erase_if(written, [](const std::string& name) { return !names_cells(name); });
    EXPECT_THAT(layers_of({}), ::testing::IsSupersetOf(written));
    const RunResult all = run_verb(find_stage("flow"), &flow, input, {}, quiet);
    ASSERT_TRUE(all.landscape.has("analyses"));
    EXPECT_TRUE(all.landscape.get<TerrainAnalyses>("analyses").chi_profiles.has_value());
    const VerbOutput only_hack{.primary = {}, .layers = {{"hack", folder / "hack.json"}}};
    const RunResult one = run_verb(find_stage("flow"), &flow, input, only_hack, quiet);
    EXPECT_TRUE(one.landscape.get<TerrainAnalyses>("analyses").hack.has_value());
    EXPECT_FALSE(one.landscape.get<TerrainAnalyses>("analyses").chi_profiles.has_value());
}

/// A roof with a bump of up to 30 m on every cell: it has pits.
std::filesystem::path write_rough_roof(const ScratchFolder& folder) {
    Field<float> rough = roof(24);
    for (std::int64_t cell = 0; cell < rough.size(); ++cell)
        rough[cell] +=
            30.0F * unit_float(random_bits(5, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
    write_raster(folder / "rough.tif", rough, RasterFormat::GeoTiff);
    return folder / "rough.tif";
}

TEST(RunVerb, flow_makes_a_layer_alone_as_it_makes_it_with_all_others) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_rough_roof(folder), .grid = {}};
    QuietProgress quiet;
    for (const Routing routing : {Routing::D8, Routing::Random, Routing::Freeman, Routing::Dinf}) {
        FlowStageParameters flow;
        flow.drainage.flow.routing.routing = routing;
        const RunResult all = run_verb(find_stage("flow"), &flow, input, {}, quiet);
        std::vector<std::string> written = layers_written(find_stage("flow"), &flow);
        std::erase_if(written, [](const std::string& name) { return !names_cells(name); });
        ASSERT_GT(written.size(), 10U);
        for (const std::string& layer : written) {
            const VerbOutput output{.primary = {}, .layers = {{layer, folder / (layer + ".tif")}}};
            const RunResult alone = run_verb(find_stage("flow"), &flow, input, output, quiet);
            const Field<float>& expected = all.landscape.layer(layer);
            const Field<float>& found = alone.landscape.layer(layer);
            for (std::int64_t cell = 0; cell < expected.size(); ++cell)
                ASSERT_TRUE(found[cell] == expected[cell] ||
                            (is_no_data(found[cell]) && is_no_data(expected[cell])))
                    << layer << " at cell " << cell;
        }
    }
}

TEST(RunVerb, flow_tells_how_much_water_its_routing_lost) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    QuietProgress quiet;
    std::vector<Field<float>> areas;
    for (const Routing routing : {Routing::D8, Routing::Random, Routing::Freeman, Routing::Dinf}) {
        FlowStageParameters flow;
        flow.drainage.flow.routing.routing = routing;
        const RunResult result = run_verb(find_stage("flow"), &flow, input, {}, quiet);
        const nlohmann::json told =
            nlohmann::json::parse(report_json(result.report))["stages"][0]["diagnostics"];
        EXPECT_LT(told["outlet_area_error"], 1e-12);
        EXPECT_GT(told["cells_per_second"], 0.0);
        areas.push_back(result.landscape.layer("drainage_area"));
    }
    // Sides of a roof that look along the axes: there alone dinf does as d8.
    EXPECT_NE(areas[1], areas[0]);
    EXPECT_NE(areas[2], areas[0]);
    EXPECT_NE(areas[3], areas[1]);
    EXPECT_NE(areas[3], areas[2]);
}

TEST(RunVerb, flow_writes_what_adds_up_along_its_ways) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    FlowStageParameters flow;
    flow.runoff_rate = 1.0;
    flow.precipitation_factor.number = 2.0;
    QuietProgress quiet;
    const RunResult result = run_verb(find_stage("flow"), &flow, input, {}, quiet);
    const Landscape& landscape = result.landscape;
    // Half way up the west side of the roof: six cells of 50 m from the edge, four below the source.
    EXPECT_FLOAT_EQ(landscape.layer("distance_to_outlet")(6, 12), 300.0F);
    EXPECT_FLOAT_EQ(landscape.layer("flow_direction")(6, 12), 270.0F);
    const float area = landscape.layer("drainage_area")(6, 12);
    EXPECT_FLOAT_EQ(landscape.layer("specific_area")(6, 12), area / 50.0F);
    EXPECT_FLOAT_EQ(landscape.layer("discharge")(6, 12), 2.0F * area / 31557600.0F);
    EXPECT_FLOAT_EQ(landscape.layer("flow_length")(6, 12), 200.0F);
    EXPECT_GT(landscape.layer("chi")(6, 12), landscape.layer("chi")(5, 12));
    EXPECT_EQ(landscape.layer("chi")(0, 12), 0.0F);
    const nlohmann::json told = nlohmann::json::parse(report_json(result.report))["stages"][0]["diagnostics"];
    EXPECT_NEAR(told["hypsometric_integral"], 1.0 / 3.0, 0.05);
}

TEST(RunVerb, repeats_the_solve_on_equal_inputs) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    ErodeParameters parameters;
    parameters.erosion.time = 1e5;
    QuietProgress quiet;
    const RunResult once = run_verb(find_stage("erode"), &parameters, input, {}, quiet);
    const RunResult thrice = run_verb(find_stage("erode"), &parameters, input, {}, quiet, {.repeat = 3});
    EXPECT_EQ(once.landscape.layer("elevation"), thrice.landscape.layer("elevation"));
    const StageReport& report = thrice.report.stages.at(0);
    ASSERT_EQ(report.repeats_ms.size(), 3U);
    std::vector<double> sorted = report.repeats_ms;
    std::ranges::sort(sorted);
    EXPECT_EQ(report.solve_ms, sorted[1]);
    const auto json = nlohmann::json::parse(report_json(thrice.report));
    EXPECT_EQ(json["parameters"]["time"], 1e5);
    EXPECT_TRUE(json["diagnostics"].contains("iterations"));
}

TEST(RunVerb, reports_the_quality_of_eroded_terrain) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    const ErodeParameters parameters;
    QuietProgress quiet;
    const RunResult result = run_verb(find_stage("erode"), &parameters, input, {}, quiet);
    const auto diagnostics = nlohmann::json::parse(report_json(result.report))["diagnostics"];
    const auto deciles = diagnostics["deciles"].get<std::vector<double>>();
    ASSERT_EQ(deciles.size(), 11U);
    EXPECT_TRUE(std::ranges::is_sorted(deciles));
    EXPECT_EQ(deciles.back(), std::ranges::max(result.landscape.layer("elevation").values()));
    EXPECT_TRUE(diagnostics["axis_share"].is_null());  // no river of 1 km^2 on a roof of 1.4 km^2
}

TEST(RunVerb, tells_no_quality_of_terrain_at_time_0_which_was_not_eroded) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    ErodeParameters parameters;
    parameters.erosion.time = 0.0;
    QuietProgress quiet;
    const RunResult result = run_verb(find_stage("erode"), &parameters, input, {}, quiet);
    const auto diagnostics = nlohmann::json::parse(report_json(result.report))["diagnostics"];
    for (const char* const name : {"pits", "discontinuous_share", "residual_median", "axis_share"})
        EXPECT_TRUE(diagnostics[name].is_null()) << name;
    parameters.erosion.time = 1e4;
    const RunResult later = run_verb(find_stage("erode"), &parameters, input, {}, quiet);
    const auto measured = nlohmann::json::parse(report_json(later.report))["diagnostics"];
    EXPECT_TRUE(measured["pits"].is_number_integer());
    EXPECT_TRUE(measured["discontinuous_share"].is_number());
}

TEST(RunVerb, measures_nothing_that_nobody_wants_to_know) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    const ErodeParameters parameters;
    QuietProgress quiet;
    const RunResult measured = run_verb(find_stage("erode"), &parameters, input, {}, quiet);
    const RunResult unmeasured =
        run_verb(find_stage("erode"), &parameters, input, {}, quiet, {.is_measured = false});
    EXPECT_EQ(unmeasured.landscape.layer("elevation"), measured.landscape.layer("elevation"));
    const auto json = nlohmann::json::parse(report_json(unmeasured.report));
    EXPECT_FALSE(json["phases_ms"].contains("diagnostics"));
    EXPECT_FALSE(json["diagnostics"].contains("pits"));
    EXPECT_TRUE(json["diagnostics"].contains("iterations"));
}

TEST(RunVerb, resamples_uplift_of_another_resolution_and_says_so) {
    const ScratchFolder folder;
    Grid coarse = roof(24).grid();
    coarse.columns = coarse.rows = 6;
    coarse.cell_size = 200.0;
    write_raster(folder / "uplift.tif", Field<float>(coarse, 1e-3F), RasterFormat::GeoTiff);
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    ErodeParameters parameters;
    parameters.uplift.layer = (folder / "uplift.tif").string();
    QuietProgress quiet;
    const RunResult result = run_verb(find_stage("erode"), &parameters, input, {}, quiet);
    EXPECT_THAT(notes_of(result.report),
                ElementsAre("uplift.tif was resampled from 6 x 6 cells of 200 m to 24 x 24 cells of 50 m"));
}

TEST(RunVerb, refuses_wrong_outputs_before_any_work_and_leaves_nothing) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    const FlowStageParameters flow;
    EXPECT_THAT(refusal("flow", &flow, input, {.primary = folder / "a.xyz", .layers = {}}),
                HasSubstr("a.xyz"));
    EXPECT_THAT(refusal("flow", &flow, input,
                        {.primary = folder / "a.tif", .layers = {{"uplift", folder / "b.tif"}}}),
                HasSubstr("flow leaves no \"uplift\""));
    EXPECT_THAT(refusal("flow", &flow, input, {.primary = folder / "roof.tif/a.tif", .layers = {}}),
                HasSubstr("no file can be written here"));
    EXPECT_THAT(refusal_of([&] {
                    run_project(verb_on(find_stage("flow"), &flow, input),
                                {.write_outputs = false, .repeat = 0});
                }),
                HasSubstr("--repeat 0"));
    EXPECT_THAT(folder.names(), ElementsAre("roof.tif"));
}

TEST(RunVerb, refuses_a_missing_raster_and_a_stage_without_its_layer) {
    const ScratchFolder folder;
    const FlowStageParameters flow;
    const VerbOutput output{.primary = folder / "a.tif", .layers = {}};
    EXPECT_THAT(refusal("flow", &flow, {.raster = folder / "none.tif", .grid = {}}, output),
                HasSubstr("none.tif"));
    EXPECT_THAT(refusal("flow", &flow, VerbInput{}, output), HasSubstr("reads layer \"elevation\""));
    EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(RunVerb, leaves_nothing_when_cancelled) {
    const ScratchFolder folder;
    const VerbInput input{.raster = write_roof(folder), .grid = {}};
    const FlowStageParameters flow;
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(
        run_verb(find_stage("flow"), &flow, input, {.primary = folder / "a.tif", .layers = {}}, cancelled),
        Cancelled);
    EXPECT_THAT(folder.names(), ElementsAre("roof.tif"));
}

}  // namespace
}  // namespace thalweg
