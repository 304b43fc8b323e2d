#include "thalweg/project/evaluation.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/cache/stage_keys.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stages/rivers_stage.hpp"
#include "thalweg/project/verb_start.hpp"
#include "thalweg/river/network.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "scratch_folder.hpp"
#include "small_range.hpp"
#include "tests/cancelling_progress.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

Project five_stages(const std::vector<std::string>& assignments = {},
                    const std::filesystem::path& folder = "", const std::string& text = kSmallRange) {
    ProjectOverrides overrides;
    overrides.assignments = assignments;
    return parse_project(text, "five.toml", folder, overrides);
}

/// With uplift painted by another stroke.
std::string with_strength(const std::string& strength) {
    std::string text = kSmallRange;
    return text.replace(text.find("1e-3"), 4, strength);
}

Evaluated evaluate(Evaluation& evaluation, const Project& project) {
    return evaluation.evaluate(project);
}

/// Expects the layers and rivers that a run of everything leaves.
void expect_as_run_anew(const Project& project, const Evaluated& evaluated) {
    const RunResult anew = run_project(project, {.write_outputs = true});
    ASSERT_EQ(evaluated.landscape.layer_names(), anew.landscape.layer_names());
    for (const std::string& name : anew.landscape.layer_names()) {
        const Field<float>& expected = anew.landscape.layer(name);
        const Field<float>& got = evaluated.landscape.layer(name);
        ASSERT_EQ(got.size(), expected.size());
        EXPECT_EQ(
            std::memcmp(got.data(), expected.data(), sizeof(float) * static_cast<std::size_t>(got.size())), 0)
            << name;
    }
    const auto& expected = anew.landscape.get<RiverNetwork>(kRivers).reaches;
    const auto& got = evaluated.landscape.get<RiverNetwork>(kRivers).reaches;
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(got[i] == expected[i]) << expected[i].id;
}

TEST(Evaluation, of_the_same_project_again_runs_no_stage) {
    Evaluation evaluation;
    EXPECT_THAT(evaluate(evaluation, five_stages()).ran,
                ElementsAre("noise", "strokes", "erode", "flow", "rivers"));
    EXPECT_THAT(evaluation.stale(five_stages()), IsEmpty());
    const Evaluated again = evaluate(evaluation, five_stages());
    EXPECT_THAT(again.ran, IsEmpty());
    EXPECT_THAT(again.changed, IsEmpty());
    EXPECT_EQ(again.reports.size(), 5U);
}

TEST(Evaluation, after_a_change_runs_only_the_stages_that_it_reaches) {
    Evaluation evaluation;
    evaluate(evaluation, five_stages());
    const Evaluated last = evaluate(evaluation, five_stages({"rivers.min_area=5e5"}));
    EXPECT_THAT(last.ran, ElementsAre("rivers"));
    EXPECT_THAT(last.changed, Contains("rivers"));
    EXPECT_THAT(last.changed, Not(Contains("elevation")));
    EXPECT_THAT(evaluation.stale(five_stages({"flow.depressions=fill"})), ElementsAre("flow"));
    EXPECT_THAT(evaluation.stale(five_stages({"flow.sea_level=1"})), ElementsAre("flow", "rivers"));
    EXPECT_THAT(evaluation.stale(five_stages({}, "", with_strength("2e-3"))).front(), "strokes");
    EXPECT_THAT(evaluation.stale(five_stages({"noise.amplitude=25"})),
                ElementsAre("noise", "erode", "flow", "rivers"));
}

TEST(Evaluation, of_an_edit_taken_back_runs_nothing) {
    Evaluation evaluation;
    evaluate(evaluation, five_stages());
    evaluate(evaluation, five_stages({"noise.amplitude=25"}));
    const Evaluated back = evaluate(evaluation, five_stages());
    EXPECT_THAT(back.ran, IsEmpty());
    EXPECT_THAT(back.changed, Contains("elevation"));
}

TEST(Evaluation, keeps_earlier_results_only_while_they_fit) {
    Evaluation evaluation(0);
    evaluate(evaluation, five_stages());
    EXPECT_THAT(evaluation.stale(five_stages()), IsEmpty());
    evaluate(evaluation, five_stages({"noise.amplitude=25"}));
    EXPECT_THAT(evaluation.stale(five_stages({"noise.amplitude=25"})), IsEmpty());
    EXPECT_THAT(evaluation.stale(five_stages()), Contains("erode"));
}

TEST(Evaluation, leaves_the_landscapes_that_it_has_handed_out_as_they_were) {
    Evaluation evaluation;
    const Evaluated first = evaluate(evaluation, five_stages());
    const Field<float> elevation = first.landscape.layer("elevation");
    evaluate(evaluation, five_stages({"erode.time=1e5"}));
    EXPECT_EQ(std::memcmp(first.landscape.layer("elevation").data(), elevation.data(),
                          sizeof(float) * static_cast<std::size_t>(elevation.size())),
              0);
}

TEST(Evaluation, gives_what_a_run_of_everything_gives_after_any_edits) {
    const ScratchFolder folder;
    const std::array<std::vector<std::string>, 6> edits = {
        {{"noise.amplitude=20", "noise.amplitude=30", "noise.amplitude=40"},
         {"1e-3", "2e-3"},  // of the stroke
         {"erode.time=inf", "erode.time=2e5", "erode.time=1e4"},
         {"erode.sea_level=-inf", "erode.sea_level=2"},
         {"flow.depressions=breach", "flow.depressions=fill"},
         {"rivers.min_area=3e5", "rivers.min_area=6e5"}}};
    Evaluation evaluation(200000);
    std::array<std::size_t, 6> state{};
    for (std::uint64_t step = 0; step < 16; ++step) {
        const std::uint64_t draw = random_bits(7, Stream::WhiteNoise, step);
        const std::size_t edit = draw % edits.size();
        state[edit] = (draw >> 8U) % edits[edit].size();
        std::vector<std::string> assignments;
        for (std::size_t i = 0; i < edits.size(); ++i)
            if (i != 1) assignments.push_back(edits[i][state[i]]);
        Project project = five_stages(assignments, "", with_strength(edits[1][state[1]]));
        project.output.pictures = {};
        project.output_directory = folder / fmt::format("out{}", step);
        SCOPED_TRACE(fmt::format("{}: {}", step, fmt::join(assignments, " ")));
        expect_as_run_anew(project, evaluate(evaluation, project));
    }
}

TEST(Evaluation, gives_what_a_run_gives_under_a_slider_of_years) {
    const ScratchFolder folder;
    Evaluation evaluation(0);
    std::string uplift = "1e-3";
    for (const char* time : {"1e5", "2e5", "5e4", "2e5", "inf", "1e5", "0", "3e5", "inf"}) {
        SCOPED_TRACE(time);
        Project project =
            five_stages({fmt::format("erode.time={}", time), "erode.sea_level=2", "erode.uplift=" + uplift});
        project.output.pictures = {};
        project.output_directory = folder / fmt::format("out{}", time);
        expect_as_run_anew(project, evaluate(evaluation, project));
        if (std::string(time) == "0") uplift = "2e-3";
    }
}

TEST(Evaluation, goes_on_after_a_cancel_where_it_was) {
    Evaluation evaluation;
    CancelAt cancelling("flow");
    EXPECT_THROW(evaluation.evaluate(five_stages(), {.progress = &cancelling}), Cancelled);
    EXPECT_THAT(evaluate(evaluation, five_stages()).ran, ElementsAre("flow", "rivers"));
}

TEST(Evaluation, notices_a_file_with_other_contents_of_the_same_size_and_time) {
    const ScratchFolder folder;
    const auto write = [&](char height) {
        std::ofstream(folder / "uplift.asc") << "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 3200\n"
                                             << "0.00" << height << " 0.001\n0.001 0.001\n";
        std::filesystem::last_write_time(folder / "uplift.asc", std::filesystem::file_time_type{});
    };
    const auto project = [&] { return five_stages({"erode.uplift=uplift.asc"}, folder / ""); };
    write('1');
    Evaluation evaluation;
    evaluate(evaluation, project());
    EXPECT_THAT(evaluation.stale(project()), IsEmpty());
    write('2');
    EXPECT_THAT(evaluation.stale(project()), ElementsAre("erode", "flow", "rivers"));
}

TEST(Evaluation, of_a_stage_on_a_raster_runs_again_when_that_has_other_heights_or_is_read_otherwise) {
    const ScratchFolder folder;
    const RiversParameters parameters;
    const auto rivers_on = [&](float slope, const char* name, const RasterHints& hints = {}) {
        Field<float> ground(make_grid(6400.0, 6400.0, 64));
        for (std::int64_t cell = 0; cell < ground.size(); ++cell)
            ground[cell] = slope * static_cast<float>(ground.grid().column_of(cell));
        write_raster(folder / name, ground, RasterFormat::GeoTiff);
        Project project = verb_project(find_stage("rivers"), std::make_shared<RiversParameters>(parameters));
        start_from(project, {.file = folder / name, .hints = hints});
        return project;
    };
    Evaluation evaluation;
    EXPECT_TRUE(evaluate(evaluation, rivers_on(1.0F, "a.tif")).landscape.has("elevation"));
    EXPECT_THAT(evaluation.stale(rivers_on(1.0F, "a.tif")), IsEmpty());
    EXPECT_THAT(evaluation.stale(rivers_on(1.0F, "a.tif", {.no_data = 5.0})), ElementsAre("rivers"));
    EXPECT_THAT(evaluation.stale(rivers_on(2.0F, "a.tif")), ElementsAre("rivers"));
}

std::vector<std::string> stage_keys(const Project& project) {
    FileHashes files;
    return keys_of(project, files).stages;
}

TEST(StageKeys, depend_on_grid_and_seed_and_not_on_labels_or_outputs) {
    const std::vector<std::string> keys = stage_keys(five_stages());
    Project other = five_stages();
    for (StageUse& use : other.stages) use.label += "-renamed";
    other.output.pictures = {};
    EXPECT_EQ(stage_keys(other), keys);
    other.seed = 6;
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_NE(stage_keys(other)[i], keys[i]);
    EXPECT_NE(stage_keys(five_stages({"grid.cells=65"})).front(), keys.front());
}

TEST(StageKeys, read_a_file_again_only_where_its_size_or_time_has_changed) {
    const ScratchFolder folder;
    const std::filesystem::path file = folder / "a.txt";
    FileHashes files;
    std::ofstream(file) << "first";
    const std::string first = files.of(file);
    const auto time = std::filesystem::last_write_time(file);
    std::ofstream(file) << "other";
    std::filesystem::last_write_time(file, time);
    EXPECT_EQ(files.of(file), first);
    EXPECT_NE(FileHashes().of(file), first);
    std::filesystem::last_write_time(file, time + std::chrono::seconds(1));
    const std::string other = files.of(file);
    EXPECT_EQ(other, FileHashes().of(file));
    std::ofstream(file) << "longer";
    std::filesystem::last_write_time(file, time + std::chrono::seconds(1));
    EXPECT_NE(files.of(file), other);
    std::filesystem::remove(file);
    EXPECT_THROW(static_cast<void>(files.of(file)), Error);
}

TEST(Evaluation, of_a_simulation_tells_its_notes_at_every_time) {
    Evaluation evaluation;
    for (const int events : {100, 200, 300, 400}) {
        const Project project = parse_project(
            fmt::format("[grid]\ncells = 24\n[[stage]]\nuse = \"rain\"\nriver_visits = 100000\nevents = {}\n",
                        events),
            "rain.toml", "");
        EXPECT_THAT(evaluate(evaluation, project).reports.front().diagnostics.notes,
                    Contains(::testing::HasSubstr("the river network is empty")))
            << events;
    }
}

TEST(Evaluation, on_a_raster_shares_it_from_one_time_to_the_next) {
    const ScratchFolder folder;
    write_raster(folder / "a.tif", Field<float>(make_grid(800.0, 600.0, 8), 1.0F), RasterFormat::GeoTiff);
    Evaluation evaluation;
    const Stage& flow = find_stage("flow");
    Project project = verb_project(flow, flow.make_parameters());
    start_from(project, {.file = folder / "a.tif"});
    evaluate(evaluation, project);
    EXPECT_THAT(evaluate(evaluation, project).changed, IsEmpty());
}

}  // namespace
}  // namespace thalweg
