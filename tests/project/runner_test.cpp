#include "thalweg/project/runner.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/version.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/river/network.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <map>
#include <string>

#include "scratch_folder.hpp"
#include "small_range.hpp"
#include "tests/cancelling_progress.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Json = nlohmann::json;

const char* const kNoPictures = "[output]\npictures = []\n";
const char* const kWithMap = "[output]\npictures = [\"map\"]\n";

Project small_range(const std::filesystem::path& output, const std::string& more = kNoPictures) {
    ProjectOverrides overrides;
    overrides.output_directory = output;
    return parse_project(kSmallRange + more, "small.toml", "", overrides);
}

/// Every output file's bytes by its name.
std::map<std::string, std::string> bytes_by_name(const RunResult& result) {
    std::map<std::string, std::string> bytes;
    for (const std::filesystem::path& file : result.files) bytes[file.filename().string()] = bytes_of(file);
    return bytes;
}

Field<float> ramp(const Grid& grid) {
    Field<float> field(grid);
    for (std::int64_t cell = 0; cell < field.size(); ++cell)
        field[cell] = static_cast<float>(grid.column_of(cell) + 2 * grid.row_of(cell));
    return field;
}

TEST(RunProject, writes_every_layer_the_network_a_map_and_the_manifest) {
    const ScratchFolder folder;
    const RunResult result = run_project(small_range(folder / "out", kWithMap));
    std::vector<std::string> names;
    for (const std::filesystem::path& file : result.files) names.push_back(file.filename().string());
    EXPECT_THAT(names,
                UnorderedElementsAre("small_basin.tif", "small_drainage_area.tif", "small_elevation.tif",
                                     "small_receiver.tif", "small_slope.tif", "small_strahler.tif",
                                     "small_stream_power.tif", "small_uplift.tif", "small_rivers.gpkg",
                                     "small_map.png", "manifest.json"));
    for (const std::filesystem::path& file : result.files) EXPECT_GT(std::filesystem::file_size(file), 0U);
    EXPECT_THAT(folder.names(), ElementsAre("out"));
    EXPECT_GT(result.landscape.layer("elevation")(32, 32), 50.0F);
    EXPECT_FALSE(result.landscape.get<RiverNetwork>("rivers").reaches.empty());
}

TEST(RunProject, writes_the_formats_layers_and_pictures_that_are_asked_for) {
    const ScratchFolder folder;
    const RunResult result =
        run_project(small_range(folder / "out",
                                "[output]\nlayers = [\"slope\"]\nformats = [\"cog\", \"png16\", \"exr\"]\n"
                                "networks = [\"geojson\"]\npictures = [\"layers\", \"view\"]\n"));
    std::vector<std::string> names;
    for (const std::filesystem::path& file : result.files) names.push_back(file.filename().string());
    EXPECT_THAT(
        names, ElementsAre("small_slope.tif", "small_slope.png", "small_slope.png.json", "small_slope.exr",
                           "small_rivers.geojson", "small_slope_map.png", "small_view.png", "manifest.json"));
}

TEST(RunProject, tells_in_the_manifest_what_every_file_is) {
    const ScratchFolder folder;
    const Project project = small_range(folder / "out");
    const RunResult result = run_project(project);
    const Json manifest = Json::parse(bytes_of(folder / "out/manifest.json"));
    EXPECT_EQ(manifest["version"], kVersion);
    EXPECT_EQ(manifest["project"], "small");
    EXPECT_EQ(manifest["project_sha256"], project.text_hash);
    EXPECT_EQ(manifest["seed"], 5);
    EXPECT_EQ(manifest["grid"]["cell_size_m"], 100.0);
    EXPECT_TRUE(manifest["grid"]["crs"].is_null());
    EXPECT_EQ(manifest["stages"][2]["parameters"]["time"], "inf");
    EXPECT_EQ(manifest["stages"][2]["parameters"]["uplift"], "uplift");
    EXPECT_EQ(manifest["stages"][1]["parameters"]["strokes"][0]["radius"], 500.0);
    EXPECT_EQ(manifest["files"].size() + 1, result.files.size());
    for (const Json& file : manifest["files"]) {
        const std::filesystem::path path = folder / "out" / file["file"].get<std::string>();
        EXPECT_EQ(file["bytes"], std::filesystem::file_size(path));
        EXPECT_EQ(file["sha256"], sha256_of_file(path));
    }
    const Json& area = manifest["files"][1];
    EXPECT_EQ(area["layer"], "drainage_area");
    EXPECT_EQ(area["unit"], "m^2");
    EXPECT_EQ(area["minimum"], 1e4);
    EXPECT_GT(area["maximum"], 1e6);
    EXPECT_EQ(area["stored_type"], "float32");
}

TEST(RunProject, gives_equal_bytes_on_any_number_of_threads_and_in_every_run) {
    const ScratchFolder folder;
    const ExecutionScope on_one_thread({.threads = 1});
    const auto one = bytes_by_name(run_project(small_range(folder / "one")));
    EXPECT_EQ(one.size(), 10U);
    for (const int threads : {2, 8, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        const auto other = bytes_by_name(run_project(small_range(folder / "other")));
        for (const auto& [name, bytes] : one) EXPECT_TRUE(other.at(name) == bytes) << name << ", " << threads;
    }
}

TEST(RunProject, measures_nothing_that_nobody_wants_to_know) {
    const ScratchFolder folder;
    for (const bool is_measured : {true, false}) {
        const RunResult result =
            run_project(small_range(folder / "out"), {.write_outputs = false, .is_measured = is_measured});
        const StageReport& erosion = result.report.stages.at(2);
        EXPECT_EQ(Json::parse(report_json(result.report))["stages"][2]["diagnostics"].contains("pits"),
                  is_measured);
        EXPECT_EQ(std::ranges::count(erosion.diagnostics.phases_ms, "diagnostics",
                                     &std::pair<std::string, double>::first),
                  is_measured ? 1 : 0);
    }
}

TEST(RunProject, leaves_nothing_behind_when_cancelled) {
    for (const char* phrase : {"noise", "erode", "writing small_slope", "small_rivers"}) {
        SCOPED_TRACE(phrase);
        const ScratchFolder folder;
        CancelAt progress(phrase);
        EXPECT_THROW(run_project(small_range(folder / "deep/out"), {}, {.progress = &progress}), Cancelled);
        EXPECT_THAT(folder.names(), IsEmpty());
    }
}

TEST(RunProject, lets_two_runs_at_a_time_have_threads_and_a_cancel_of_their_own) {
    const ScratchFolder folder;
    const auto alone = bytes_by_name(run_project(small_range(folder / "alone")));
    CancelAt cancelling("erode");
    auto cancelled = std::async(std::launch::async, [&] {
        EXPECT_THROW(
            run_project(small_range(folder / "cancelled"), {}, {.progress = &cancelling, .threads = 3}),
            std::exception);
    });
    QuietProgress quiet;
    auto finished = std::async(std::launch::async, [&] {
        return run_project(small_range(folder / "finished"), {}, {.progress = &quiet, .threads = 2});
    });
    cancelled.get();
    const RunResult result = finished.get();
    EXPECT_EQ(result.report.threads, 2);
    EXPECT_EQ(bytes_by_name(result), alone);
    EXPECT_FALSE(std::filesystem::exists(folder / "cancelled"));
}

TEST(RunProject, without_a_progress_is_cancelled_with_the_work_around_it) {
    QuietProgress around;
    around.cancel();
    const ExecutionScope scope({.progress = &around});
    EXPECT_THROW(run_project(small_range(""), {.write_outputs = false}), Cancelled);
}

TEST(RunProject, keeps_older_outputs_when_cancelled) {
    const ScratchFolder folder;
    run_project(small_range(folder / "out"));
    const std::string manifest = bytes_of(folder / "out/manifest.json");
    CancelAt progress("small_map");
    EXPECT_THROW(run_project(small_range(folder / "out", kWithMap), {}, {.progress = &progress}), Cancelled);
    EXPECT_EQ(bytes_of(folder / "out/manifest.json"), manifest);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "out")) ++files;
    EXPECT_EQ(files, 10U);
}

TEST(RunProject, refuses_a_place_that_can_not_be_written_before_any_work) {
    const ScratchFolder folder;
    std::ofstream(folder / "file") << "x";
    CancelAt at_first_stage("noise");
    EXPECT_THROW(run_project(small_range(folder / "file/out"), {}, {.progress = &at_first_stage}), Error);
    EXPECT_THROW(run_project(small_range(folder / "file"), {}, {.progress = &at_first_stage}), Error);
    EXPECT_THROW(run_project(small_range("/proc/out"), {}, {.progress = &at_first_stage}), Error);
    EXPECT_FALSE(at_first_stage.cancelled());
    EXPECT_THAT(folder.names(), ElementsAre("file"));
}

TEST(RunProject, refuses_what_does_not_fit_into_memory_with_both_figures) {
    ProjectOverrides overrides;
    overrides.cells = 45000;
    const ScratchFolder folder;
    overrides.output_directory = folder / "out";
    const Project project = parse_project(kSmallRange, "small.toml", "", overrides);
    Plan plan = plan_project(project);
    EXPECT_GT(plan.peak_bytes, project.grid.cells() * 80);
    plan.available_bytes = plan.peak_bytes;
    EXPECT_NO_THROW(check_memory(plan));
    plan.available_bytes = 1 << 20;
    try {
        check_memory(plan);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_THAT(error.what(), HasSubstr("1 MiB is available"));
    }
    if (plan_project(project).available_bytes < plan.peak_bytes) {
        EXPECT_THROW(run_project(project), Error);
    }
    EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(RunProject, computes_only_layers_that_are_written_or_used_later) {
    const ScratchFolder folder;
    const char* const text = R"([project]
name = "shares"
[grid]
extent = [640.0, 640.0]
cells = 32
[[stage]]
use = "noise"
[[stage]]
use = "flow"
[[stage]]
use = "erode"
erodibility = "strahler"
[[stage]]
use = "strokes"
layer = "slope"
[output]
pictures = []
networks = []
layers = ["basin"]
)";
    ProjectOverrides overrides;
    overrides.output_directory = folder / "";
    const Project project = parse_project(text, "shares.toml", "", overrides);
    const WantedLayers of_flow = wanted_layers(project, 1);
    for (const char* used : {"basin", "strahler", "slope", "elevation"})
        EXPECT_TRUE(of_flow.has(used)) << used;
    for (const char* idle : {"receiver", "drainage_area", "stream_power"})
        EXPECT_FALSE(of_flow.has(idle)) << idle;
    const WantedLayers of_last = wanted_layers(project, 3);
    EXPECT_TRUE(of_last.has("basin"));
    EXPECT_FALSE(of_last.has("elevation"));
    Project whole = project;
    whole.output.layers = {"all"};
    EXPECT_TRUE(wanted_layers(whole, 1).has("receiver"));
    EXPECT_FALSE(wanted_layers(whole, 1).has("chi"));
    whole.output.layers = {"all", "chi"};
    EXPECT_TRUE(wanted_layers(whole, 1).has("chi"));
}

TEST(RunProject, leaves_layers_that_nobody_uses_uncomputed) {
    const ScratchFolder folder;
    const Project project =
        small_range(folder / "", "[output]\npictures = []\nlayers = [\"drainage_area\"]\n");
    EXPECT_FALSE(run_project(project).landscape.has("basin"));
    EXPECT_TRUE(run_project(project, {.write_outputs = false}).landscape.has("basin"));
}

TEST(Plan, lists_steps_and_the_files_that_a_run_writes) {
    const ScratchFolder folder;
    const Project project = small_range(folder / "out");
    const Plan plan = plan_project(project);
    std::vector<std::string> written;
    for (const std::filesystem::path& file : run_project(project).files)
        written.push_back(file.filename().string());
    EXPECT_EQ(plan.files, written);
    EXPECT_EQ(plan.steps.size(), 5U);
    EXPECT_GT(plan.available_bytes, 0);
    EXPECT_THAT(plan_text(project, plan), HasSubstr("64 x 64 cells of 100 m"));
    EXPECT_THAT(plan_text(project, plan), HasSubstr("small_elevation.tif"));
}

TEST(RunProject, resamples_a_raster_of_another_resolution_and_says_so) {
    const ScratchFolder folder;
    write_raster(folder / "coarse.tif", ramp(make_grid(6400.0, 6400.0, 16)), RasterFormat::GeoTiff);
    ProjectOverrides overrides;
    overrides.output_directory = folder / "out";
    const std::string text =
        "[grid]\nextent = [6400.0, 6400.0]\ncells = 32\n[[stage]]\nuse = \"import\"\nfile = "
        "\"coarse.tif\"\n" +
        std::string(kNoPictures);
    const RunResult result = run_project(parse_project(text, "p.toml", folder / "", overrides));
    EXPECT_THAT(
        notes_of(result.report),
        ElementsAre("coarse.tif was resampled from 16 x 16 cells of 400 m to 32 x 32 cells of 200 m"));
    EXPECT_NEAR(result.landscape.layer("elevation")(16, 16), 7.75F + 2 * 7.75F, 1e-4F);
}

TEST(RunProject, takes_a_raster_of_the_same_cells_bit_by_bit_and_silently) {
    const ScratchFolder folder;
    const Field<float> field = ramp(make_grid(6400.0, 3200.0, 32));
    write_raster(folder / "same.tif", field, RasterFormat::GeoTiff);
    const std::string text =
        "[grid]\nfrom = \"same.tif\"\n[[stage]]\nuse = \"import\"\nfile = \"same.tif\"\n" +
        std::string(kNoPictures);
    ProjectOverrides overrides;
    overrides.output_directory = folder / "out";
    const RunResult result = run_project(parse_project(text, "p.toml", folder / "", overrides));
    EXPECT_THAT(notes_of(result.report), IsEmpty());
    EXPECT_EQ(result.landscape.layer("elevation").values(), field.values());
    EXPECT_EQ(result.landscape.grid.cell_size, 200.0);
    overrides.cells = 16;
    EXPECT_EQ(parse_project(text, "p.toml", folder / "", overrides).grid.cell_size, 400.0);
}

TEST(RunProject, refuses_a_raster_of_another_place) {
    const ScratchFolder folder;
    Grid far = make_grid(640.0, 640.0, 16);
    far.west = 1e6;
    write_raster(folder / "far.tif", ramp(far), RasterFormat::GeoTiff);
    ProjectOverrides overrides;
    overrides.output_directory = folder / "out";
    const std::string text =
        "[grid]\nextent = [640.0, 640.0]\ncells = 16\n[[stage]]\nuse = \"import\"\nfile = \"far.tif\"\n";
    try {
        run_project(parse_project(text, "p.toml", folder / "", overrides));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("does not touch the landscape's"));
    }
    EXPECT_THAT(folder.names(), ElementsAre("far.tif"));
}

TEST(RunProject, erodes_with_the_same_uplift_from_a_raster_as_from_a_number) {
    const ScratchFolder folder;
    write_raster(folder / "uplift.tif", Field<float>(make_grid(3200.0, 3200.0, 32), 1e-3F),
                 RasterFormat::GeoTiff);
    const std::string text =
        "[grid]\nextent = [3200.0, 3200.0]\ncells = 32\n[[stage]]\nuse = \"noise\"\n"
        "amplitude = 10.0\n[[stage]]\nuse = \"erode\"\nuplift = ";
    const auto eroded = [&](const std::string& uplift) {
        return run_project(parse_project(text + uplift + "\n", "p.toml", folder / "", {}),
                           {.write_outputs = false})
            .landscape.layer("elevation");
    };
    EXPECT_EQ(eroded("\"uplift.tif\""), eroded("1e-3"));
    EXPECT_NE(eroded("\"uplift.tif\""), eroded("2e-3"));
}

TEST(Report, tells_times_threads_memory_parameters_and_diagnostics) {
    const ScratchFolder folder;
    const ExecutionScope on_two_threads({.threads = 2});
    const RunResult result = run_project(small_range(folder / "out"));
    const Json report = Json::parse(report_json(result.report));
    EXPECT_EQ(report["threads"], 2);
    EXPECT_EQ(report["cells"], 64 * 64);
    EXPECT_EQ(report["seed"], 5);
    EXPECT_EQ(report["version"], kVersion);
    EXPECT_GT(report["peak_memory_bytes"], 1 << 20);
    EXPECT_GT(report["solve_ms"], 0.0);
    EXPECT_GT(report["total_ms"], report["solve_ms"]);
    EXPECT_EQ(report["phases_ms"].size(), 5U);
    EXPECT_EQ(report["stages"][2]["parameters"]["uplift"], "uplift");
    EXPECT_GT(report["stages"][2]["diagnostics"]["iterations"], 0);
    EXPECT_GT(report["stages"][4]["diagnostics"]["reaches"], 0);
    EXPECT_EQ(report["files"].size(), 10U);
}

}  // namespace
}  // namespace thalweg
