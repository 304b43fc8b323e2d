#include "thalweg/project/stage_cache.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "scratch_folder.hpp"
#include "small_range.hpp"
#include "tests/cancelling_progress.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Cache : public ::testing::Test {
  protected:
    [[nodiscard]] fs::path cache() const { return cache_folder(folder / "out"); }

    [[nodiscard]] Project project(const std::vector<std::string>& assignments = {},
                                  const std::string& text = kSmallRange,
                                  const std::string& out = "out") const {
        ProjectOverrides overrides;
        overrides.assignments = assignments;
        Project project = parse_project(text, "five.toml", folder / "", overrides);
        project.output.pictures = {};
        project.output_directory = folder / out;
        return project;
    }

    RunResult build(const Project& project) const {  // NOLINT(modernize-use-nodiscard): also for its files
        return run_project(project, {.cache = cache()});
    }

    /// Labels of the stages that ran.
    [[nodiscard]] std::vector<std::string> ran(const Project& project) const {
        std::vector<std::string> labels;
        for (const StageReport& stage : build(project).report.stages)
            if (!stage.is_from_cache) labels.push_back(stage.label);
        return labels;
    }

    /// Labels of the stages that ran for two frames, whose files are those of a run without a cache.
    [[nodiscard]] std::vector<std::string> ran_for_frames(const std::string& text) const {
        const std::vector<double> times = {1e4, 3e4};
        std::vector<std::string> labels;
        for (const StageReport& stage :
             run_project(project({}, text, "frames"), {.cache = cache(), .times = times}).report.stages)
            if (!stage.is_from_cache) labels.push_back(stage.label);
        for (const fs::path& file : run_project(project({}, text, "anew"), {.times = times}).files)
            EXPECT_TRUE(bytes_of(file) == bytes_of(folder / "frames" / file.filename())) << file;
        return labels;
    }

    /// What a run that is cancelled says it has left; empty for nothing.
    [[nodiscard]] fs::path left_by(Progress& cancelling, std::int64_t limit = std::int64_t{1} << 30) const {
        try {
            run_project(project(), {.cache = cache(), .cache_limit = limit}, {.progress = &cancelling});
            ADD_FAILURE() << "it was not cancelled";
        } catch (const UnfinishedRun& cancelled) {
            return cancelled.folder();
        } catch (const Cancelled&) {
        }
        return {};
    }

    /// Expects that the files of a build lie there as one without a cache writes them.
    void expect_files_of(Project project) const {
        const fs::path with = project.output_directory;
        project.output_directory = folder / "anew";
        const RunResult anew = run_project(project);
        ASSERT_THAT(anew.files, Not(IsEmpty()));
        for (const fs::path& file : anew.files)
            EXPECT_TRUE(bytes_of(file) == bytes_of(with / file.filename())) << file;
    }

    [[nodiscard]] std::vector<fs::path> results() const {
        std::vector<fs::path> files;
        for (const auto& file : fs::directory_iterator(cache()))
            if (file.path().extension() == ".result") files.push_back(file.path());
        return files;
    }

    ScratchFolder folder;
};

TEST_F(Cache, filled_without_measuring_lets_what_measures_run_for_a_report_and_serves_both_then) {
    const RunOptions plain{.is_measured = false, .cache = cache()};
    const auto ran_in = [](const RunResult& result) {
        std::vector<std::string> labels;
        for (const StageReport& stage : result.report.stages)
            if (!stage.is_from_cache) labels.push_back(stage.label);
        return labels;
    };
    const auto tells_integral = [](const RunResult& result) {
        return std::ranges::any_of(result.report.stages[3].diagnostics.values,
                                   [](const auto& value) { return value.first == "hypsometric_integral"; });
    };
    EXPECT_FALSE(tells_integral(run_project(project(), plain)));
    const RunResult reported = build(project());
    EXPECT_THAT(ran_in(reported), ElementsAre("noise", "strokes", "erode", "flow"));  // for erode
    EXPECT_TRUE(tells_integral(reported));
    EXPECT_THAT(ran_in(run_project(project(), plain)), IsEmpty());
    EXPECT_TRUE(tells_integral(build(project())));
}

TEST_F(Cache, of_the_same_project_lets_no_stage_run_again) {
    EXPECT_THAT(ran(project()), ElementsAre("noise", "strokes", "erode", "flow", "rivers"));
    EXPECT_THAT(ran(project()), IsEmpty());
    expect_files_of(project());
}

TEST_F(Cache, lets_one_stage_run_after_a_change_in_the_last_of_five) {
    build(project());
    EXPECT_THAT(ran(project({"rivers.min_area=5e5"})), ElementsAre("rivers"));
    expect_files_of(project({"rivers.min_area=5e5"}));
    EXPECT_THAT(ran(project()), IsEmpty());  // and taken back
}

TEST_F(Cache, lets_stages_run_whose_layers_are_functions_that_a_changed_one_asks_for) {
    build(project());
    EXPECT_THAT(ran(project({"erode.time=1e5"})), ElementsAre("noise", "strokes", "erode", "flow", "rivers"));
    expect_files_of(project({"erode.time=1e5"}));
}

TEST_F(Cache, gives_the_files_of_a_run_of_everything_after_any_edits) {
    const std::array<std::vector<std::string>, 5> edits = {
        {{"noise.amplitude=20", "noise.amplitude=30"},
         {"erode.time=inf", "erode.time=2e5"},
         {"erode.sea_level=-inf", "erode.sea_level=2"},
         {"flow.depressions=breach", "flow.depressions=fill"},
         {"rivers.min_area=3e5", "rivers.min_area=6e5"}}};
    std::array<std::size_t, 5> state{};
    for (std::uint64_t step = 0; step < 12; ++step) {
        const std::uint64_t draw = random_bits(11, Stream::WhiteNoise, step);
        const std::size_t edit = draw % edits.size();
        state[edit] = (draw >> 8U) % edits[edit].size();
        std::vector<std::string> assignments;
        for (std::size_t i = 0; i < edits.size(); ++i) assignments.push_back(edits[i][state[i]]);
        SCOPED_TRACE(fmt::format("{}: {}", step, fmt::join(assignments, " ")));
        build(project(assignments));
        expect_files_of(project(assignments));
    }
}

TEST_F(Cache, keeps_every_kind_of_dataset) {
    const std::string text = std::string(R"([project]
name = "all"
[grid]
extent = [6400.0, 6400.0]
cells = 64
[output]
formats = ["geotiff"]
layers = ["all", "lakes", "basins", "catchments", "profiles", "knickpoints", "history", "river_points"]
analyses = ["json"]
networks = ["gpkg"]
[[stage]]
use = "noise"
amplitude = 200.0
[[stage]]
use = "rain"
events = 400
history_every = 200
[[stage]]
use = "erode"
uplift = 1e-3
time = 2e5
sources = [{x = 3200.0, y = 3200.0, area = 1e8}]
[[stage]]
use = "noise"
mode = "add"
amplitude = 20.0
[[stage]]
use = "flow"
depressions = "lakes"
runoff = 0.5
analysis_area = 1e5
pour_points = [{x = 3000.0, y = 3000.0}]
[[stage]]
use = "rivers"
min_area = 1e5
)");
    const RunResult first = build(project({}, text));
    const std::vector<std::string> notes = notes_of(first.report);
    EXPECT_THAT(ran(project({}, text)), IsEmpty());
    expect_files_of(project({}, text));
    for (const char* name :
         {"rivers", "lakes", "basins", "catchments", "profiles", "analyses", "history", "water_boundary"})
        EXPECT_TRUE(first.landscape.has(name)) << name;
    EXPECT_EQ(notes_of(build(project({}, text)).report), notes);
}

TEST_F(Cache, that_is_damaged_anywhere_counts_as_empty_there) {
    build(project());
    for (const fs::path& file : results()) {
        const std::string whole = bytes_of(file);
        std::string changed = whole;
        changed[changed.size() / 2] ^= 1;
        std::string changed_head = whole;
        changed_head[2] ^= 1;
        std::string endless = whole;
        endless.replace(0, 8, std::string(8, '\x7f'));  // the length of the first text
        for (const std::string& bytes : {changed, changed_head, endless, whole.substr(0, whole.size() - 9),
                                         whole.substr(0, 40), std::string("x"), std::string()}) {
            std::ofstream(file, std::ios::binary) << bytes;
            EXPECT_THAT(ran(project()), Not(IsEmpty()));
            expect_files_of(project());
            EXPECT_TRUE(bytes_of(file).size() == whole.size()) << "kept anew";
        }
    }
}

TEST_F(Cache, keeps_what_has_run_before_a_cancel) {
    CancelAt cancelling("flow");
    EXPECT_EQ(left_by(cancelling), cache());
    EXPECT_THAT(ran(project()), ElementsAre("flow", "rivers"));
    expect_files_of(project());
}

TEST_F(Cache, is_not_said_to_keep_what_a_cancelled_run_has_not_left_in_it) {
    CancelAt at_once("noise");
    EXPECT_EQ(left_by(at_once), "");
    CancelAt later("flow");
    EXPECT_EQ(left_by(later, 0), "");  // bytes that it may take
    build(project());
    CancelAt writing("writing");
    EXPECT_EQ(left_by(writing), "") << "all of it is of an earlier run";
}

TEST_F(Cache, serves_frames_up_to_the_stage_of_many_times) {
    const std::string twice = std::string(kSmallRange) + "[[stage]]\nuse = \"erode\"\ntime = 2e4\n";
    EXPECT_THAT(ran_for_frames(twice),
                ElementsAre("noise", "strokes", "erode1", "flow", "rivers", "erode2", "erode2"));
    EXPECT_THAT(ran_for_frames(twice), ElementsAre("erode2", "erode2"));
    EXPECT_THAT(ran(project({}, twice)), ElementsAre("erode2"));
    EXPECT_THAT(ran_for_frames(twice), ElementsAre("erode2", "erode2")) << "though one time is kept";
}

TEST_F(Cache, lets_stages_run_whose_layers_are_functions_that_frames_ask_for) {
    build(project());
    EXPECT_THAT(ran_for_frames(kSmallRange),
                ElementsAre("noise", "strokes", "erode", "flow", "rivers", "erode", "flow", "rivers"));
}

TEST_F(Cache, stays_within_its_limit_and_drops_what_was_not_used_for_longest) {
    build(project());
    const std::int64_t bytes = StageCache(cache(), 0).usage().bytes;
    EXPECT_GT(bytes, 64 * 64 * 4 * 5);
    run_project(project({"erode.time=1e5"}), {.cache = cache(), .cache_limit = bytes + bytes / 4});
    EXPECT_LE(StageCache(cache(), 0).usage().bytes, bytes + bytes / 4);
    EXPECT_THAT(ran(project({"erode.time=1e5"})), IsEmpty());
    run_project(project({"noise.amplitude=3"}), {.cache = cache(), .cache_limit = 0});
    EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(Cache, is_cleared_with_all_that_is_in_it_and_nothing_else) {
    build(project());
    std::ofstream(cache() / "mine.txt") << "kept";
    StageCache(cache(), 0).clear();
    EXPECT_THAT(results(), IsEmpty());
    EXPECT_EQ(bytes_of(cache() / "mine.txt"), "kept");
    fs::remove(cache() / "mine.txt");
    StageCache(cache(), 0).clear();
    EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(Cache, is_not_used_where_others_could_change_it_and_the_build_says_so) {
    fs::create_directory(folder / "elsewhere");
    fs::create_directory_symlink(folder / "elsewhere", cache());
    EXPECT_THAT(notes_of(build(project()).report), ElementsAre(HasSubstr("is no folder")));
    EXPECT_TRUE(fs::is_empty(folder / "elsewhere"));
    fs::remove(cache());
    fs::create_directory(cache());
    fs::permissions(cache(), fs::perms::all);
    EXPECT_THAT(notes_of(build(project()).report), ElementsAre(HasSubstr("can be changed by other users")));
    EXPECT_TRUE(fs::is_empty(cache()));
    expect_files_of(project());
}

TEST_F(Cache, serves_builds_at_the_same_time) {
    std::vector<std::jthread> builds;
    for (int i = 0; i < 4; ++i)
        builds.emplace_back([this, i] { build(project({}, kSmallRange, fmt::format("out{}", i))); });
    builds.clear();
    EXPECT_THAT(results(), SizeIs(5));
    for (int i = 0; i < 4; ++i) expect_files_of(project({}, kSmallRange, fmt::format("out{}", i)));
    EXPECT_THAT(ran(project()), IsEmpty());
}

TEST_F(Cache, is_not_touched_by_runs_that_are_repeated_or_write_nothing) {
    run_project(project(), {.repeat = 2, .cache = cache()});
    run_project(project(), {.write_outputs = false, .cache = cache()});
    EXPECT_FALSE(fs::exists(cache()));
}

}  // namespace
}  // namespace thalweg
