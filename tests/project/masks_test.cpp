// The masks of stage `erode`: wear, deposit, drainage_area, slope, ridge and valley.
#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/run/frames.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stages/erode_stage.hpp"
#include "thalweg/project/verb_start.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Files = std::multimap<std::string, std::filesystem::path>;

const std::vector<std::string> kMasks = {"wear", "deposit", "drainage_area", "slope", "ridge", "valley"};
constexpr double kUplift = 5e-4;  // m/yr

/// A mountain front and a plain, with a gap in the data.
Field<float> front(int cells) {
    Field<float> z(make_grid(6400.0, 6400.0, cells));
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column) {
            const double x = z.grid().x(column), y = z.grid().y(row);
            z(column, row) = static_cast<float>(50.0 + 0.002 * y + 0.3 * std::max(0.0, y - 3000.0) +
                                                10.0 * std::sin(x / 150.0) * std::sin(y / 190.0));
        }
    z(5, 7) = z(5, 8) = kNoData;
    return z;
}

VerbInput front_in(const ScratchFolder& folder, int cells = 80) {
    write_raster(folder / "front.tif", front(cells), RasterFormat::GeoTiff);
    VerbInput input;
    input.raster = folder / "front.tif";
    return input;
}

ErodeParameters aged(double time) {
    ErodeParameters parameters;
    parameters.erosion.time = time;
    parameters.uplift = {.number = kUplift, .layer = ""};
    return parameters;
}

/// The landscape that the verb leaves with these layers.
Landscape eroded(const VerbInput& input, const ErodeParameters& parameters, const ScratchFolder& folder,
                 const std::vector<std::string>& layers = kMasks) {
    Files files;
    for (const std::string& layer : layers) files.emplace(layer, folder / (layer + ".tif"));
    QuietProgress quiet;
    return run_verb(find_stage("erode"), &parameters, input, {.primary = folder / "e.tif", .layers = files},
                    quiet)
        .landscape;
}

Project project_of(const std::string& stages, const std::string& layers, const std::filesystem::path& folder,
                   const std::vector<std::string>& set = {}) {
    ProjectOverrides overrides;
    overrides.output_directory = folder;
    overrides.assignments = set;
    return parse_project(
        "[project]\nname = \"p\"\n[grid]\nextent = [6400.0, 6400.0]\ncells = 64\n[[stage]]\n"
        "use = \"noise\"\namplitude = 100.0\nwavelength = 2000.0\n" +
            stages + "[output]\npictures = []\nnetworks = []\nlayers = [" + layers + "]\n",
        "p.toml", "", overrides);
}

const char* const kAged = "[[stage]]\nuse = \"erode\"\ntime = 1e5\n";

TEST(Masks, wear_less_deposit_is_the_change_of_volume_and_neither_is_where_the_other_is) {
    const ScratchFolder folder;
    const VerbInput input = front_in(folder);
    const Field<float> start = front(80);
    ErodeParameters parameters = aged(2e5);
    parameters.erosion.deposition = 1.0;
    parameters.erosion.edges = EdgeRule::Fixed;
    const Landscape result = eroded(input, parameters, folder);
    const Field<float>&wear = result.layer("wear"), &deposit = result.layer("deposit");
    double worn = 0.0, laid = 0.0, change = 0.0;
    for (int row = 0; row < start.rows(); ++row)
        for (int column = 0; column < start.columns(); ++column) {
            const double z = static_cast<double>(start(column, row));
            EXPECT_EQ(is_no_data(wear(column, row)), std::isnan(z));
            EXPECT_EQ(is_no_data(deposit(column, row)), std::isnan(z));
            if (std::isnan(z)) continue;
            EXPECT_GE(wear(column, row), 0.0F);
            EXPECT_GE(deposit(column, row), 0.0F);
            EXPECT_EQ(std::min(wear(column, row), deposit(column, row)), 0.0F);
            const bool is_edge = column == 0 || row == 0 || column == 79 || row == 79 ||
                                 (std::abs(column - 5) <= 1 && row >= 6 && row <= 9);
            worn += static_cast<double>(wear(column, row));
            laid += static_cast<double>(deposit(column, row));
            change += z + (is_edge ? 0.0 : 2e5 * kUplift) -
                      static_cast<double>(result.layer("elevation")(column, row));
        }
    EXPECT_GT(worn, 1e4);
    EXPECT_GT(laid, 1e3);  // on the plain
    EXPECT_NEAR(worn - laid, change, 1e-5 * worn);
}

TEST(Masks, slope_is_that_of_stage_flow_on_the_result) {
    const ScratchFolder folder;
    const VerbInput input = front_in(folder);
    const Landscape result = eroded(input, aged(1e5), folder);
    VerbInput eroded_input;
    eroded_input.raster = folder / "e.tif";
    const Stage& flow = find_stage("flow");
    const std::shared_ptr<void> parameters = flow.make_parameters();
    flow.parameters->at("edges").set(parameters.get(), std::string("closed"));
    flow.parameters->at("depressions").set(parameters.get(), std::string("none"));
    QuietProgress quiet;
    const Landscape of_flow =
        run_verb(flow, parameters.get(), eroded_input,
                 {.primary = folder / "area.tif",
                  .layers = {{"slope", folder / "flow_slope.tif"}, {"ridge", folder / "flow_ridge.tif"}}},
                 quiet)
            .landscape;
    for (const char* layer : {"slope", "ridge"})
        for (std::int64_t cell = 0; cell < result.grid.cells(); ++cell) {
            // Beside a gap water leaves, and flow knows no slope there.
            const bool is_beside_gap = std::abs(result.grid.column_of(cell) - 5) <= 1 &&
                                       std::abs(2 * result.grid.row_of(cell) - 15) <= 3;
            if (is_beside_gap) continue;
            ASSERT_EQ(of_flow.layer(layer)[cell], result.layer(layer)[cell]) << layer << " " << cell;
        }
}

TEST(Masks, of_frames_hold_the_bytes_of_their_times_alone) {
    const ScratchFolder folder;
    const VerbInput input = front_in(folder);
    const std::vector<double> times = {2e5, 0.0, 1e4};
    RunOptions options{.times = times};
    const ErodeParameters parameters = aged(std::numeric_limits<double>::infinity());
    Project project = in_folder(verb_on(find_stage("erode"), &parameters, input), folder / "frames");
    for (const std::string& layer : kMasks) project.named_files.push_back({layer, layer + ".tif"});
    const RunResult frames = run_project(project, options);
    EXPECT_EQ(frames.files, output_places(project, times.size()));
    for (std::size_t i = 0; i < times.size(); ++i) {
        eroded(input, aged(times[i]), folder);
        for (const std::string& layer : kMasks)
            EXPECT_EQ(bytes_of(folder / ("frames/" + layer + "_000" + std::to_string(i) + ".tif")),
                      bytes_of(folder / (layer + ".tif")))
                << layer << " at " << times[i];
    }
    options.times.push_back(std::numeric_limits<double>::infinity());
    EXPECT_THAT(refusal_of([&] { run_project(project, options); }),
                HasSubstr("erode leaves no \"wear\" so: it takes a finite time"));
}

TEST(Masks, of_16_bits_have_one_scale_in_all_frames_and_sidecars) {
    const ScratchFolder folder;
    const Project project =
        project_of(kAged, "\"wear\"", folder / "frames", {"output.formats=r16,exr,png16"});
    const RunResult result = run_project(project, {.times = {1e4, 1e5}});
    std::vector<double> scales;
    for (const ReportedRaster& raster : result.report.rasters)
        if (raster.file.ends_with(".r16")) scales.push_back(raster.encoding.scale);
    ASSERT_EQ(scales.size(), 2U);
    EXPECT_EQ(scales[0], scales[1]);
    for (const char* name : {"p_wear_0000.r16.json", "p_wear_0001.png.json", "p_wear_0001.exr"})
        EXPECT_TRUE(std::filesystem::exists(folder / ("frames/" + std::string(name)))) << name;
}

TEST(Masks, are_written_where_they_are_named_alone) {
    const ScratchFolder folder;
    const auto files = [&](const std::string& layers, const std::string& stages = kAged) {
        const Project project = project_of(stages, layers, folder / "out");
        const RunResult result = run_project(project);
        std::vector<std::string> names;
        for (const std::filesystem::path& file : result.files) names.push_back(file.filename());
        std::vector<std::string> planned = plan_project(project).files;
        EXPECT_EQ(planned, names);
        return names;
    };
    EXPECT_THAT(files("\"all\""), ElementsAre("p_elevation.tif", "manifest.json"));
    EXPECT_THAT(files("\"all\", \"valley\", \"wear\""),
                ElementsAre("p_elevation.tif", "p_valley.tif", "p_wear.tif", "manifest.json"));
    EXPECT_THAT(files("\"slope\", \"ridge\""), ElementsAre("p_ridge.tif", "p_slope.tif", "manifest.json"));
}

TEST(Masks, that_a_later_stage_makes_anew_are_not_computed) {
    const std::string flow = "[[stage]]\nuse = \"flow\"\n";
    const ScratchFolder folder;
    const Project project = project_of(kAged + flow, "\"slope\", \"wear\"", folder / "out");
    for (const char* layer : {"slope", "drainage_area", "ridge"})
        EXPECT_FALSE(wanted_layers(project, 1).has(layer)) << layer;
    EXPECT_TRUE(wanted_layers(project, 1).has("wear"));
    EXPECT_TRUE(wanted_layers(project, 2).has("slope"));
    const std::string reader = "[[stage]]\nuse = \"erode\"\nerodibility = \"slope\"\n";
    EXPECT_TRUE(
        wanted_layers(project_of(kAged + reader + flow, "\"slope\"", folder / "out"), 1).has("slope"));
}

TEST(Masks, of_a_steady_state_leave_out_what_needs_a_start) {
    const ScratchFolder folder;
    EXPECT_THAT(
        refusal_of([&] { project_of("[[stage]]\nuse = \"erode\"\n", "\"wear\"", folder / "out"); }),
        HasSubstr("layers names \"wear\", which is not there by then; stage erode leaves it out: it takes a "
                  "finite time, because a steady state has no start"));
    const Project project = project_of(kAged, "\"wear\"", folder / "out");
    const RunOptions options{.times = {1e4, std::numeric_limits<double>::infinity()}};
    EXPECT_THAT(refusal_of([&] { run_project(project, options); }),
                HasSubstr("frame at steady state: layers names \"wear\""));
    const Landscape steady = eroded(front_in(folder), aged(std::numeric_limits<double>::infinity()), folder,
                                    {"ridge", "drainage_area"});
    EXPECT_TRUE(steady.has("ridge") && steady.has("drainage_area"));
    EXPECT_FALSE(steady.has("wear"));
}

TEST(Masks, take_the_memory_of_their_cells_and_none_where_nobody_asks) {
    const ErodeParameters parameters = aged(1e5);
    Project project = verb_project(find_stage("erode"), std::make_shared<ErodeParameters>(parameters));
    project.grid = make_grid(1e4, 1e4, 1000);
    project.start = StartRaster{};
    const auto bytes = [&](const std::set<std::string>& layers) {
        project.named_files.clear();
        for (const std::string& layer : layers) project.named_files.push_back({layer, layer + ".tif"});
        return plan_project(project).peak_bytes;
    };
    EXPECT_EQ(bytes({"elevation", "wear"}) - bytes({"elevation"}), 4 * project.grid.cells());
    EXPECT_EQ(bytes({"wear", "deposit", "drainage_area", "slope", "ridge", "valley"}) - bytes({}),
              24 * project.grid.cells());
}

/// Values of `fine` as means over the cells of `coarse`, over the values there: correlation, and mean
/// difference.
struct Agreement {
    double correlation = 0.0;
    double difference = 0.0;
};

Agreement agreement(const Field<float>& coarse, const Field<float>& fine) {
    const int times = fine.columns() / coarse.columns();
    double n = 0.0, a = 0.0, b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0, off = 0.0;
    for (int row = 0; row < coarse.rows(); ++row)
        for (int column = 0; column < coarse.columns(); ++column) {
            double mean = 0.0;
            for (int i = 0; i < times * times; ++i)
                mean += static_cast<double>(fine(times * column + i % times, times * row + i / times));
            mean /= times * times;
            const double here = static_cast<double>(coarse(column, row));
            n += 1.0, a += here, b += mean, aa += here * here, bb += mean * mean, ab += here * mean;
            off += std::abs(here - mean);
        }
    return {(n * ab - a * b) / std::sqrt((n * aa - a * a) * (n * bb - b * b)), off / n};
}

TEST(Masks, of_ridges_and_valleys_agree_between_sizes) {
    const ScratchFolder folder;
    const auto masks = [&](int cells) {
        const Project project =
            project_of("[[stage]]\nuse = \"erode\"\n", "\"ridge\", \"valley\"", folder / "out",
                       {"grid.extent=25600,25600", "grid.cells=" + std::to_string(cells)});
        return run_project(project, {.write_outputs = false}).landscape;
    };
    const Landscape coarse = masks(256), fine = masks(1024);
    for (const char* layer : {"ridge", "valley"}) {
        const Agreement found = agreement(coarse.layer(layer), fine.layer(layer));
        EXPECT_GT(found.correlation, 0.8) << layer;
        EXPECT_LT(found.difference, 0.08) << layer;
    }
}

TEST(Masks, of_ridges_and_valleys_agree_between_sizes_of_a_surveyed_place) {
    const char* const data = std::getenv("THALWEG_DATA");
    const auto path = std::filesystem::path(data != nullptr ? data : THALWEG_DATA_DEFAULT) / "bigtujunga.tif";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set THALWEG_DATA";
    const Field<float> fine = read_raster(path);
    Grid grid = fine.grid();
    grid.columns = 1196, grid.rows = 640;
    Field<float> part(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) part(column, row) = fine(column, row);
    Grid quarter = grid;
    quarter.columns /= 4, quarter.rows /= 4, quarter.cell_size *= 4.0;
    Field<float> means(quarter);
    for (int row = 0; row < quarter.rows; ++row)
        for (int column = 0; column < quarter.columns; ++column) {
            double sum = 0.0;
            for (int i = 0; i < 16; ++i)
                sum += static_cast<double>(part(4 * column + i % 4, 4 * row + i / 4));
            means(column, row) = static_cast<float>(sum / 16.0);
        }
    const auto masks = [](const Field<float>& z) {
        QuietProgress quiet;
        Landscape landscape;
        landscape.grid = z.grid();
        landscape.set("elevation", z);
        StageContext context{landscape, "", quiet, {}};
        set_landforms({}, context);
        return landscape;
    };
    const Landscape small = masks(means), large = masks(part);
    for (const char* layer : {"ridge", "valley"}) {
        EXPECT_GT(agreement(small.layer(layer), large.layer(layer)).correlation, 0.98) << layer;
        const Field<float>& mask = large.layer(layer);
        const auto share =
            static_cast<double>(std::ranges::count_if(mask, [](float v) { return v > 0.5F; })) /
            static_cast<double>(mask.size());
        EXPECT_GT(share, 0.04) << layer;
        EXPECT_LT(share, 0.2) << layer;
    }
}

TEST(Masks, have_the_same_bytes_on_any_number_of_threads) {
    const ScratchFolder folder;
    const VerbInput input = front_in(folder, 200);
    std::map<std::string, std::string> first;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        eroded(input, aged(1e5), folder);
        for (const std::string& layer : kMasks) {
            const std::string bytes = bytes_of(folder / (layer + ".tif"));
            EXPECT_EQ(first.emplace(layer, bytes).first->second, bytes) << layer << " on " << threads;
        }
    }
}

}  // namespace
}  // namespace thalweg
