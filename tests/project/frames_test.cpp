#include "thalweg/project/run/frames.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/stage_time.hpp"
#include "thalweg/project/stages/erode_stage.hpp"
#include "thalweg/project/verb_start.hpp"
#include "thalweg/render/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include "small_range.hpp"
#include "tests/cancelling_progress.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using Json = nlohmann::json;

constexpr double kSteady = std::numeric_limits<double>::infinity();

Project small_range(const std::filesystem::path& output, std::vector<std::string> set = {}) {
    for (const char* more :
         {"noise.amplitude=60", "flow.enabled=false", "output.pictures=", "output.layers=elevation,uplift"})
        set.emplace_back(more);
    ProjectOverrides overrides;
    overrides.output_directory = output;
    overrides.assignments = std::move(set);
    return parse_project(kSmallRange, "small.toml", "", overrides);
}

RunResult frames_of(const Project& project, std::vector<double> times) {
    return run_project(project, {.times = std::move(times)});
}

/// Hills in a place of their own.
Field<float> hills(int cells) {
    Grid grid = make_grid(cells * 50.0, cells * 50.0, cells);
    grid.west += 3000.0;
    Field<float> field(grid);
    for (std::int64_t cell = 0; cell < field.size(); ++cell)
        field[cell] = static_cast<float>(100.0 + 60.0 * std::sin(grid.x(grid.column_of(cell)) / 400.0) *
                                                     std::cos(grid.y(grid.row_of(cell)) / 300.0));
    return field;
}

VerbInput hills_in(const ScratchFolder& folder, int cells = 40) {
    write_raster(folder / "hills.tif", hills(cells), RasterFormat::GeoTiff);
    VerbInput input;
    input.raster = folder / "hills.tif";
    return input;
}

Project erosion(const VerbInput& input, const std::filesystem::path& folder) {
    const ErodeParameters parameters;
    return in_folder(verb_on(find_stage("erode"), &parameters, input), folder);
}

RunResult erode_frames(const VerbInput& input, const std::filesystem::path& folder,
                       std::vector<double> times) {
    return run_project(erosion(input, folder), {.times = std::move(times)});
}

TEST(VerbFrames, each_holds_the_bytes_of_its_time_alone) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    const std::vector<double> times = {2e5, 0.0, kSteady, 1e5};
    const RunResult frames = erode_frames(input, folder / "frames", times);
    ASSERT_EQ(frames.files.size(), 5U);
    for (std::size_t i = 0; i < times.size(); ++i) {
        ErodeParameters parameters;
        parameters.erosion.time = times[i];
        QuietProgress quiet;
        run_verb(find_stage("erode"), &parameters, input, {.primary = folder / "alone.tif", .layers = {}},
                 quiet);
        EXPECT_EQ(frames.files[i], folder / ("frames/elevation_000" + std::to_string(i) + ".tif"));
        EXPECT_EQ(bytes_of(frames.files[i]), bytes_of(folder / "alone.tif")) << times[i];
    }
    EXPECT_EQ(frames.files.back(), folder / "frames/frames.json");
}

TEST(VerbFrames, their_manifest_tells_times_files_ranges_and_checksums) {
    const ScratchFolder folder;
    erode_frames(hills_in(folder), folder / "frames", {0.0, 1e5, kSteady});
    const std::string text = bytes_of(folder / "frames/frames.json");
    const Json json = Json::parse(text);
    EXPECT_EQ(json["timed_stage"], "erode");
    EXPECT_EQ(json["time"], Json({{"parameter", "time"}, {"unit", "yr"}}));
    EXPECT_FALSE(json.contains("project"));
    EXPECT_EQ(json["stages"][0]["parameters"]["uplift"], 0.001);
    ASSERT_EQ(json["frames"].size(), 3U);
    EXPECT_EQ(json["frames"][1]["time_yr"], 1e5);
    EXPECT_EQ(json["frames"][2]["time_yr"], "inf");
    const Json file = json["frames"][1]["files"][0];
    EXPECT_EQ(file["file"], "elevation_0001.tif");
    EXPECT_EQ(file["sha256"], sha256_of_file(folder / "frames/elevation_0001.tif"));
    const Field<float> elevation = read_raster(folder / "frames/elevation_0001.tif");
    EXPECT_EQ(file["minimum"].get<float>(), *std::min_element(elevation.begin(), elevation.end()));
    EXPECT_EQ(file["maximum"].get<float>(), *std::max_element(elevation.begin(), elevation.end()));

    erode_frames(hills_in(folder), folder / "again", {0.0, 1e5, kSteady});
    EXPECT_EQ(bytes_of(folder / "again/frames.json"), text);
}

TEST(VerbFrames, a_folder_that_is_a_file_or_is_called_as_one_is_refused) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    EXPECT_THAT(refusal_of([&] { erode_frames(input, folder / "hills.tif", {0.0, 1.0}); }),
                HasSubstr("hills.tif: is a file: name a folder for the frames"));
    EXPECT_THAT(refusal_of([&] { erode_frames(input, folder / "new.exr", {0.0, 1.0}); }),
                HasSubstr("new.exr is not allowed: name a folder for the frames, not a file"));
    EXPECT_THAT(refusal_of([&] { erode_frames(input, folder / "hills.tif/below", {0.0, 1.0}); }),
                HasSubstr("no file can be written here"));
    EXPECT_THAT(folder.names(), ElementsAre("hills.tif"));
}

TEST(VerbFrames, a_failure_in_a_later_frame_leaves_nothing_behind) {
    const ScratchFolder folder;
    EXPECT_THAT(refusal_of([&] { erode_frames(hills_in(folder), folder / "frames", {1e4, -1.0}); }),
                HasSubstr("time = -1"));
    EXPECT_THAT(folder.names(), ElementsAre("hills.tif"));
}

TEST(VerbFrames, cancelling_leaves_nothing_behind_and_older_frames_as_they_were) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    for (const char* phrase : {"eroding", "writing elevation_0000", "writing elevation_0002"}) {
        CancelAt progress(phrase);
        EXPECT_THROW(run_project(erosion(input, folder / "frames"), {.times = {1e4, 2e4, 3e4}},
                                 {.progress = &progress}),
                     Cancelled)
            << phrase;
        EXPECT_THAT(folder.names(), ElementsAre("hills.tif"));
    }
    erode_frames(input, folder / "frames", {0.0});
    const std::string before = bytes_of(folder / "frames/elevation_0000.tif");
    CancelAt progress("writing elevation_0001");
    EXPECT_THROW(
        run_project(erosion(input, folder / "frames"), {.times = {1e4, 2e4}}, {.progress = &progress}),
        Cancelled);
    EXPECT_EQ(bytes_of(folder / "frames/elevation_0000.tif"), before);
}

TEST(ProjectFrames, each_holds_the_bytes_of_a_build_at_its_time) {
    const ScratchFolder folder;
    const RunResult frames = frames_of(small_range(folder / "frames"), {1e5, 3e5});
    const RunResult alone = run_project(small_range(folder / "alone", {"erode.time=3e5"}));
    ASSERT_EQ(frames.files.size(), 2 * (alone.files.size() - 1) + 1);
    for (const std::filesystem::path& file : alone.files) {
        if (file.filename() == "manifest.json") continue;
        const std::string name = file.stem().string() + "_0001" + file.extension().string();
        EXPECT_EQ(bytes_of(folder / ("frames/" + name)), bytes_of(file)) << name;
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "frames/manifest.json"));
}

TEST(ProjectFrames, their_manifest_lists_every_file_of_every_frame) {
    const ScratchFolder folder;
    frames_of(small_range(folder / "frames"), {0.0, 1e5});
    const Json json = Json::parse(bytes_of(folder / "frames/frames.json"));
    EXPECT_EQ(json["project"], "small");
    std::vector<std::string> names;
    for (const Json& frame : json["frames"])
        for (const Json& file : frame["files"]) names.push_back(file["file"]);
    EXPECT_THAT(names, IsSupersetOf({"small_elevation_0000.tif", "small_uplift_0000.tif",
                                     "small_rivers_0000.gpkg", "small_elevation_0001.tif"}));
    for (const std::string& name : names)
        EXPECT_TRUE(std::filesystem::exists(folder / ("frames/" + name))) << name;
}

TEST(ProjectFrames, stages_before_the_last_erosion_run_once) {
    const ScratchFolder folder;
    const RunResult result = frames_of(small_range(folder / "frames"), {0.0, 1e5, 2e5});
    const auto runs_of = [&](const std::string& label) {
        return std::ranges::count(result.report.stages, label, &StageReport::label);
    };
    EXPECT_EQ(runs_of("noise"), 1);
    EXPECT_EQ(runs_of("strokes"), 1);
    EXPECT_EQ(runs_of("erode"), 3);
    EXPECT_EQ(runs_of("rivers"), 3);
    const StageReport& last_erosion = result.report.stages[result.report.stages.size() - 2];
    EXPECT_EQ(*last_erosion.parameters.find("time"), Value(2e5));
}

TEST(ProjectFrames, files_foretold_are_those_that_are_written) {
    const ScratchFolder folder;
    const Project project = small_range(folder / "frames");
    const RunOptions options{.times = {0.0, 1e5}};
    EXPECT_EQ(output_places(project, 2), frames_of(project, options.times).files);
    EXPECT_THAT(plan_project(project, options).files,
                ElementsAre("small_elevation_0000.tif to small_elevation_0001.tif",
                            "small_uplift_0000.tif to small_uplift_0001.tif",
                            "small_rivers_0000.gpkg to small_rivers_0001.gpkg", "frames.json"));
}

/// Where the values of a layer lie that each frame has seen.
std::vector<const float*> seen_values;

struct NothingToSay {
    double time = 0.0;  // yr

    static void declare(Declaration<NothingToSay>& d) {
        d.number("time", &NothingToSay::time, {.unit = "yr", .sentence = "Time."});
    }
};

/// A stage that knows times and looks at layer `uplift`, which it leaves alone.
Stage looking_stage() {
    const auto look = [](StageContext& context) {
        seen_values.push_back(context.landscape.layer("uplift").data());
    };
    Stage stage = make_stage<NothingToSay>(
        {.name = "look", .summary = "", .description = "", .reads = {"uplift"}, .primary = "elevation"},
        [](const NothingToSay&, StageContext& context) {
            seen_values.push_back(context.landscape.layer("uplift").data());
        });
    stage.at_times = [look](const void*, StageContext& context) {
        look(context);
        return [look](double, StageContext& frame) { look(frame); };
    };
    return stage;
}

TEST(ProjectFrames, and_repeats_share_what_they_do_not_change) {
    const ScratchFolder folder;
    const Stage look = looking_stage();
    Project project = small_range(folder / "frames");
    project.stages[2] = project.stages[3] = {&look, "look", look.make_parameters(), {}};
    project.stages[3].label = "look2";
    project.output.networks = {};
    project.output.layers = {"uplift"};
    for (const RunOptions& options :
         {RunOptions{.times = {0.0, 1.0, 2.0}}, RunOptions{.write_outputs = false, .repeat = 1}}) {
        seen_values.clear();
        run_project(project, options);
        EXPECT_EQ(seen_values.size(), options.times.empty() ? 2U : 5U);
        for (const float* const values : seen_values) EXPECT_EQ(values, seen_values.front());
    }
}

TEST(VerbRepeats, share_their_raster) {
    const ScratchFolder folder;
    Stage look = looking_stage();
    look.reads = {"elevation"};
    look.run = [](const void*, StageContext& context) {
        seen_values.push_back(context.landscape.layer("elevation").data());
    };
    Project project = verb_project(look, look.make_parameters());
    start_from(project, {.file = *hills_in(folder).raster});
    seen_values.clear();
    run_project(project, {.write_outputs = false, .repeat = 3});
    ASSERT_EQ(seen_values.size(), 3U);
    for (const float* const values : seen_values) EXPECT_EQ(values, seen_values.front());
}

TEST(ProjectFrames, are_the_same_on_1_2_and_8_threads) {
    const ScratchFolder folder;
    std::vector<std::string> manifests;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        frames_of(small_range(folder / "frames"), {1e4, 1e5});
        manifests.push_back(bytes_of(folder / "frames/frames.json"));
    }
    EXPECT_EQ(manifests[1], manifests[0]);
    EXPECT_EQ(manifests[2], manifests[0]);
}

TEST(ProjectFrames, a_project_without_erosion_is_refused) {
    const ScratchFolder folder;
    ProjectOverrides overrides;
    overrides.output_directory = folder / "frames";
    const Project project =
        parse_project("[grid]\ncells = 32\n[[stage]]\nuse = \"noise\"\n", "flat.toml", "", overrides);
    EXPECT_EQ(refusal_of([&] { frames_of(project, {0.0, 1.0}); }),
              "frames need a stage that knows time, such as erode, and flat.toml has none");
    EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(ProjectFrames, a_single_stage_is_named_where_it_fails) {
    const ScratchFolder folder;
    EXPECT_THAT(refusal_of([&] {
                    frames_of(small_range(folder / "frames", {"erode.slope_exponent=2"}), {0.0, 1.0});
                }),
                HasSubstr("stage erode: "));
    EXPECT_THAT(folder.names(), IsEmpty());
}

RunOptions animated(const std::filesystem::path& file, bool view = false) {
    return {.times = {0.0, 1e5, kSteady},
            .animation = AnimationOptions{
                .file = file, .look = {.animation_size = 96, .frame_rate = 4.0, .animation_view = view}}};
}

RunResult erode_animated(const VerbInput& input, const ScratchFolder& folder, const RunOptions& options) {
    return run_project(erosion(input, folder / "frames"), options);
}

TEST(Animations, are_written_with_the_frames_and_listed) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    for (const bool view : {false, true}) {
        if (view && !can_draw_views()) continue;
        const RunResult result = erode_animated(input, folder, animated(folder / "frames/a.webp", view));
        EXPECT_EQ(result.files[3], folder / "frames/a.webp");
        const std::string bytes = bytes_of(folder / "frames/a.webp");
        EXPECT_EQ(bytes.substr(0, 4) + bytes.substr(8, 4), "RIFFWEBP");
        const Json json = Json::parse(bytes_of(folder / "frames/frames.json"))["animation"];
        EXPECT_EQ(json["file"], "a.webp");
        EXPECT_EQ(json["frame_rate"], 4.0);
        EXPECT_EQ(std::max(json["width"], json["height"]), 96);
        EXPECT_EQ(json["sha256"], sha256_of_file(folder / "frames/a.webp"));
        EXPECT_EQ(json["bytes"], bytes.size());
        erode_animated(input, folder, animated(folder / "again.webp", view));
        EXPECT_EQ(bytes_of(folder / "again.webp"), bytes);
    }
}

TEST(Animations, by_the_name_of_a_film_are_one) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    RunOptions options = animated(folder / "a.mp4");
    options.animation->look.animation_size = 97;
    erode_animated(input, folder, options);
    const std::string bytes = bytes_of(folder / "a.mp4");
    EXPECT_EQ(bytes.substr(4, 8), "ftypisom");
    const Json json = Json::parse(bytes_of(folder / "frames/frames.json"))["animation"];
    EXPECT_EQ(json["file"], "a.mp4");
    EXPECT_EQ(std::max(json["width"], json["height"]), 98);  // the next even one
    EXPECT_EQ(json["bytes"], bytes.size());
    options.animation->file = folder / "again.mp4";
    erode_animated(input, folder, options);
    EXPECT_EQ(bytes_of(folder / "again.mp4"), bytes);
}

TEST(Animations, span_the_heights_of_all_frames) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    erode_animated(input, folder, animated(folder / "a.webp"));
    const Json json = Json::parse(bytes_of(folder / "frames/frames.json"));
    double low = 1e9;
    double high = -1e9;
    for (const Json& frame : json["frames"]) {
        low = std::min(low, frame["files"][0]["minimum"].get<double>());
        high = std::max(high, frame["files"][0]["maximum"].get<double>());
    }
    EXPECT_EQ(json["animation"]["minimum"], low);
    EXPECT_EQ(json["animation"]["maximum"], high);
}

TEST(Animations, of_a_project_show_its_rivers) {
    const ScratchFolder folder;
    RunOptions options = animated(folder / "rivers.webp");
    run_project(small_range(folder / "out"), options);
    options.animation->file = folder / "few.webp";
    run_project(small_range(folder / "out", {"rivers.min_area=1e7"}), options);
    EXPECT_NE(bytes_of(folder / "rivers.webp"), bytes_of(folder / "few.webp"));
}

TEST(Animations, of_a_layer_span_its_values_in_all_frames_and_need_no_file_of_it) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    RunOptions options = animated(folder / "slopes.webp");
    options.animation->look.animation_layer = "slope";
    erode_animated(input, folder, options);
    const Json alone = Json::parse(bytes_of(folder / "frames/frames.json"));
    Project written = erosion(input, folder / "frames");
    written.named_files = {{"slope", "slope.tif"}};
    run_project(written, options);
    const Json json = Json::parse(bytes_of(folder / "frames/frames.json"));
    double low = 1e9;
    double high = -1e9;
    for (const Json& frame : json["frames"])
        for (const Json& file : frame["files"])
            if (file["layer"] == "slope") {
                low = std::min(low, file["minimum"].get<double>());
                high = std::max(high, file["maximum"].get<double>());
            }
    EXPECT_EQ(json["animation"]["minimum"], low);
    EXPECT_EQ(json["animation"]["maximum"], high);
    EXPECT_EQ(alone["animation"], json["animation"]);
    EXPECT_EQ(alone["frames"][0]["files"].size(), 1U);
}

TEST(Animations, of_a_layer_that_is_not_there_or_of_two_things_at_once_are_refused) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    RunOptions options = animated(folder / "a.webp");
    options.animation->look.animation_layer = "slopes";
    EXPECT_THAT(refusal_of([&] { erode_animated(input, folder, options); }),
                HasSubstr("--animation-layer names \"slopes\", which is not there by then; did you mean "
                          "\"slope\"?"));
    options.animation->look.animation_layer = "slope";
    options.animation->look.animation_view = true;
    EXPECT_THAT(refusal_of([&] { erode_animated(input, folder, options); }),
                HasSubstr("--animation-view and --animation-layer are given: give one of them"));
    EXPECT_THAT(folder.names(), ElementsAre("hills.tif"));
}

TEST(Animations, leave_nothing_behind_when_cancelled) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    for (const char* name : {"a.webp", "a.mp4"}) {
        CancelAt progress("drawing frame 2 of 3");
        EXPECT_THROW(
            run_project(erosion(input, folder / "frames"), animated(folder / name), {.progress = &progress}),
            Cancelled);
        EXPECT_THAT(folder.names(), ElementsAre("hills.tif"));
    }
}

TEST(Animations, in_a_place_or_by_a_name_that_will_not_do_are_refused) {
    const ScratchFolder folder;
    const VerbInput input = hills_in(folder);
    EXPECT_THAT(refusal_of([&] { erode_animated(input, folder, animated(folder / "a.gif")); }),
                HasSubstr("a.gif is not allowed: give a name that ends in .webp or .mp4"));
    EXPECT_THAT(refusal_of([&] { erode_animated(input, folder, animated(folder / "hills.tif/a.webp")); }),
                HasSubstr("no file can be written here"));
    std::filesystem::create_directory(folder / "b.webp");
    EXPECT_THAT(refusal_of([&] { erode_animated(input, folder, animated(folder / "b.webp")); }),
                HasSubstr("is a folder: give the name of a file"));
    EXPECT_THAT(folder.names(), ElementsAre("b.webp", "hills.tif"));
}

TEST(Animations, tell_times_in_words_with_spaces_between_thousands) {
    EXPECT_EQ(time_in_words(0.0, {}), "0 years");
    EXPECT_EQ(time_in_words(1.0, {}), "1 year");
    EXPECT_EQ(time_in_words(999.6, {}), "1 000 years");
    EXPECT_EQ(time_in_words(1234567.0, {}), "1 234 567 years");
    EXPECT_EQ(time_in_words(kSteady, {}), "steady state");
    const StageTime events{.parameter = "events", .unit = "events"};
    EXPECT_EQ(time_in_words(1.0, events), "1 event");
    EXPECT_EQ(time_in_words(12500.0, events), "12 500 events");
}

TEST(Animations, take_more_memory_the_more_frames_there_are) {
    const Project project = parse_project(
        "[grid]\ncells = 4096\n[[stage]]\nuse = \"noise\"\n[[stage]]\nuse = \"erode\"\n", "large.toml", "");
    const auto peak = [&](std::size_t frames) {
        return static_cast<double>(plan_project(project, {.times = std::vector<double>(frames, 1e5),
                                                          .animation = AnimationOptions{}})
                                       .peak_bytes);
    };
    EXPECT_EQ(animation_frame({}, project.grid).grid.columns, 1024);  // for 640 pixels
    EXPECT_NEAR(peak(1000) - peak(100), 900.0 * 4.0 * 1024 * 1024, 1.0);
}

}  // namespace
}  // namespace thalweg
