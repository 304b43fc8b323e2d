// thalweg new and build: a project file to a folder of files.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "tests/cli/program.hpp"
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Leaves out the pictures: they take most of a small build's time.
constexpr const char* kNoPictures = "output.pictures=";

class Build : public Program {
  protected:
    /// A folder's files and their bytes, after a build of the starter project.
    std::map<std::string, std::string> built(const std::string& folder,
                                             std::vector<std::string> flags) const {
        std::vector<std::string> arguments = {"build", "valley.toml", "--cells", "64",
                                              "--set", kNoPictures,   "--out",   folder};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        std::map<std::string, std::string> bytes;
        for (const std::string& name : files())
            if (name.starts_with(folder + "/")) bytes[name.substr(folder.size() + 1)] = read(name);
        return bytes;
    }
};

TEST_F(Build, starter_project_is_written_once_and_builds) {
    EXPECT_EQ(run({"new", "valley"}).output, "valley.toml\n");
    EXPECT_THAT(read("valley.toml"), HasSubstr("[[stage]]"));
    const Ran again = run({"new", "valley"});
    EXPECT_EQ(again.exit_code, 2);
    EXPECT_THAT(again.errors, HasSubstr("valley.toml exists"));
    EXPECT_EQ(run({"new", "other", "-o", "-"}).exit_code, 0);
    const auto outputs = built("out", {});
    EXPECT_TRUE(outputs.contains("manifest.json"));
    EXPECT_TRUE(outputs.contains("valley_elevation.tif"));
}

TEST_F(Build, same_bytes_for_any_number_of_threads_and_any_run) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const auto one = built("one", {"--threads", "1", "--no-cache"});
    ASSERT_GT(one.size(), 3U);
    EXPECT_EQ(built("two", {"--threads", "2", "--no-cache"}), one);
    EXPECT_EQ(built("eight", {"--threads", "8", "--no-cache"}), one);
    EXPECT_EQ(built("one", {"--threads", "1", "--no-cache"}), one);
    EXPECT_EQ(built("kept", {"--threads", "2"}), one);
    EXPECT_EQ(built("from_cache", {"--threads", "8"}), one);
}

TEST_F(Build, lists_every_file_that_it_writes) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const Ran ran =
        run({"build", "valley.toml", "--cells", "64", "--set", kNoPictures, "--out", "out", "--no-cache"});
    std::vector<std::string> listed;
    std::istringstream lines(ran.output);
    for (std::string line; std::getline(lines, line);) listed.push_back(line);
    std::sort(listed.begin(), listed.end());
    std::vector<std::string> written = files();
    std::erase(written, "valley.toml");
    EXPECT_EQ(listed, written);
}

TEST_F(Build, dry_run_prints_the_plan_and_writes_nothing) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const Ran ran = run({"build", "valley.toml", "--cells", "64", "--dry-run"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("64 x 64 cells"));
    EXPECT_THAT(ran.output, HasSubstr("memory"));
    EXPECT_THAT(ran.output, HasSubstr("valley_elevation.tif"));
    EXPECT_EQ(files(), std::vector<std::string>{"valley.toml"});
}

TEST_F(Build, dry_run_of_frames_lists_the_first_and_last_of_each_file_and_the_animation) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const Ran ran = run({"build", "valley.toml", "--cells", "64", "--dry-run", "--times", "0:1e5:12",
                         "--animation", "aging.webp"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("\n  valley_elevation_0000.tif to valley_elevation_0011.tif\n"));
    EXPECT_THAT(ran.output, HasSubstr("\n  frames.json\nanimation: aging.webp\n"));
    EXPECT_THAT(ran.output, testing::Not(HasSubstr("manifest.json")));
    EXPECT_EQ(files(), std::vector<std::string>{"valley.toml"});
}

TEST_F(Build, flags_change_seed_cells_and_keys) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const Ran ran = run({"build", "valley.toml", "--cells", "32", "--set", kNoPictures, "--seed", "99",
                         "--set", "project.name=dale", "--out", "out", "--report", "-"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    const auto report = nlohmann::json::parse(ran.output);
    EXPECT_EQ(report["seed"], 99);
    EXPECT_EQ(report["columns"], 32);
    EXPECT_EQ(report["project"], "dale");
    EXPECT_THAT(report["files"].get<std::vector<std::string>>(), Contains(HasSubstr("dale_elevation.tif")));
    EXPECT_GT(report["solve_ms"].get<double>(), 0.0);
    EXPECT_GT(report["stages"].size(), 1U);
}

TEST_F(Build, project_may_come_from_standard_input) {
    const Ran starter = run({"new", "valley", "-o", "-"});
    const Ran ran =
        run({"build", "-", "--cells", "32", "--set", kNoPictures, "--out", "out"}, {.input = starter.output});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_THAT(files(), Contains("out/valley_elevation.tif"));
}

TEST_F(Build, progress_is_plain_lines_json_lines_or_nothing) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const auto errors = [&](const std::string& mode) {
        return run({"build", "valley.toml", "--cells", "64", "--set", kNoPictures, "--out", "out",
                    "--progress", mode})
            .errors;
    };
    EXPECT_THAT(errors("plain"), HasSubstr(" % "));
    std::istringstream lines(errors("json"));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count)
        EXPECT_TRUE(nlohmann::json::parse(line).contains("fraction"));
    EXPECT_GT(count, 0);
    EXPECT_THAT(errors("none"), testing::Not(HasSubstr("%")));
}

TEST_F(Build, interrupt_and_termination_cancel_and_leave_nothing) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    for (const int signal : {SIGINT, SIGTERM}) {
        const pid_t process = start(
            {"build", "valley.toml", "--cells", "1500", "--out", "out", "--progress", "json", "--no-cache"});
        EXPECT_TRUE(errors_show("fraction", std::chrono::seconds(20)));
        ::kill(process, signal);
        const Ran ran = wait_for(process);
        EXPECT_EQ(ran.exit_code, 3) << ran.errors;
        EXPECT_EQ(ran.output, "");
        EXPECT_THAT(ran.errors, HasSubstr("thalweg: cancelled"));
        EXPECT_EQ(files(), std::vector<std::string>{"valley.toml"});
        EXPECT_FALSE(std::filesystem::exists(path("out")));
    }
}

TEST_F(Build, cancelled_build_leaves_an_earlier_one_as_it_was) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const auto before = built("out", {});
    const pid_t process =
        start({"build", "valley.toml", "--cells", "1500", "--out", "out", "--progress", "json"});
    EXPECT_TRUE(errors_show("fraction", std::chrono::seconds(20)));
    ::kill(process, SIGINT);
    EXPECT_EQ(wait_for(process).exit_code, 3);
    std::map<std::string, std::string> after;
    for (const std::string& name : files())
        if (name.starts_with("out/")) after[name.substr(4)] = read(name);
    EXPECT_EQ(after, before);
}

TEST_F(Build, that_is_cancelled_says_where_the_results_of_its_stages_are_kept) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const pid_t process =
        start({"build", "valley.toml", "--cells", "1500", "--out", "out", "--progress", "json"});
    EXPECT_TRUE(errors_show("\"history\"", std::chrono::seconds(60)));
    ::kill(process, SIGINT);
    const Ran ran = wait_for(process);
    EXPECT_EQ(ran.exit_code, 3);
    EXPECT_THAT(ran.errors,
                HasSubstr("thalweg: cancelled, and no output was written; what is done is kept in "));
    EXPECT_THAT(ran.errors, HasSubstr(".thalweg-cache, and the same command goes on from there\n"));
    EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST_F(Build, killed_at_any_moment_leaves_a_cache_that_later_builds_can_use) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const auto anew = built("anew", {"--no-cache"});
    for (int moment = 1; moment <= 12; ++moment) {
        const pid_t process =
            start({"build", "valley.toml", "--cells", "64", "--set", kNoPictures, "--out", "out"});
        std::this_thread::sleep_for(std::chrono::milliseconds(12 * moment));
        ::kill(process, SIGKILL);
        EXPECT_THAT(wait_for(process).exit_code, testing::AnyOf(0, -SIGKILL));
        EXPECT_EQ(built("out", {}), anew) << "killed after " << 12 * moment << " ms";
        ASSERT_EQ(run({"cache", "valley.toml", "--out", "out", "--clear"}).exit_code, 0);
    }
}

TEST_F(Build, and_verbs_take_names_of_earlier_versions_and_tell_the_present_ones) {
    const auto project = [&](const std::string& definition, const std::string& factor) {
        write("p.toml",
              "[grid]\nextent = [3200.0, 3200.0]\ncells = 32\n[[stage]]\nuse = \"noise\"\n[[stage]]\nuse = "
              "\"erode\"\ntime = 1e5\ntime_definition = \"" +
                  definition + "\"\n" + factor + " = 0.5\n[output]\npictures = []\n");
        return run({"build", "p.toml", "--no-cache", "--out", "out"});
    };
    const Ran earlier = project("sweep", "precipitation");
    EXPECT_EQ(earlier.exit_code, 0);
    EXPECT_THAT(earlier.errors, HasSubstr("time_definition = \"sweep\" is called \"full_resolution\" now"));
    EXPECT_THAT(earlier.errors,
                HasSubstr("p.toml:10:1: erode: precipitation is called precipitation_factor now"));
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"build", "p.toml", "--dry-run"}, {"info", "p.toml"}}) {
        const Ran shown = run(command);
        EXPECT_EQ(shown.exit_code, 0);
        EXPECT_THAT(shown.errors, HasSubstr("note: p.toml:10:1: erode: precipitation is called "
                                            "precipitation_factor now"))
            << command[0];
    }
    const std::string elevation = read("out/landscape_elevation.tif");
    EXPECT_GT(elevation.size(), 1000U);
    const Ran present = project("full_resolution", "precipitation_factor");
    EXPECT_THAT(present.errors, testing::Not(HasSubstr("is called")));
    EXPECT_EQ(read("out/landscape_elevation.tif"), elevation);

    const Ran both = project("full_resolution", "precipitation = 1.0\nprecipitation_factor");
    EXPECT_EQ(both.exit_code, 2);
    EXPECT_THAT(both.errors,
                HasSubstr("precipitation is the former name of precipitation_factor, which is given too"));

    const std::vector<std::string> erode = {"erode", "out/landscape_elevation.tif", "--time", "1e4", "-o",
                                            "e.tif"};
    const auto with = [&](std::vector<std::string> arguments, const std::vector<std::string>& more) {
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    };
    const Ran flags = with(erode, {"--precipitation=0.5", "--time-definition", "build"});
    EXPECT_EQ(flags.exit_code, 0) << flags.errors;
    EXPECT_THAT(flags.errors, HasSubstr("note: --precipitation is called --precipitation-factor now"));
    EXPECT_THAT(flags.errors, HasSubstr("note: --time-definition build is called multilevel now"));
    const std::string eroded = read("e.tif");
    EXPECT_GT(eroded.size(), 1000U);
    EXPECT_THAT(with(erode, {"--precipitation=0.5", "--precipitation-factor", "1"}).errors,
                HasSubstr("is the former name of --precipitation-factor, which is given too"));
    with(erode, {"--precipitation-factor=0.5", "--time-definition", "multilevel"});
    EXPECT_EQ(read("e.tif"), eroded);
}

TEST_F(Build, takes_a_shapefile_beside_a_project_that_is_named_without_a_folder) {
    write("line.csv", "id,WKT\n1,\"LINESTRING (100 1600, 3000 1500)\"\n");
    ASSERT_EQ(std::system(("ogr2ogr -q -f 'ESRI Shapefile' -oo GEOM_POSSIBLE_NAMES=WKT " +
                           path("lines.shp").string() + " " + path("line.csv").string())
                              .c_str()),
              0);
    write("p.toml",
          "[grid]\nextent = [3200.0, 3200.0]\ncells = 32\n[[stage]]\nuse = \"noise\"\n[[stage]]\nuse = "
          "\"flow\"\n"
          "rivers_file = \"lines.shp\"\n[output]\npictures = []\n");
    const Ran ran = run({"build", "p.toml", "--out", "out"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
}

TEST_F(Build, tells_which_stages_ran_and_cache_shows_and_removes_what_is_kept) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    EXPECT_THAT(run({"cache", "valley.toml"}).output, HasSubstr("nothing is kept"));
    const auto ran = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"--report", "report.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        built("out", arguments);
        const auto report = nlohmann::json::parse(read("report.json"));
        int count = 0;
        for (const auto& stage : report["stages"]) count += stage["from_cache"] == false ? 1 : 0;
        return count;
    };
    EXPECT_GT(ran({}), 3);
    EXPECT_EQ(ran({}), 0);
    EXPECT_EQ(ran({"--set", "rivers.min_area=4e5"}), 1);
    EXPECT_GT(ran({"--no-cache"}), 3);
    EXPECT_THAT(run({"cache", "valley.toml", "--out", "out"}).output, HasSubstr("results of stages"));
    EXPECT_THAT(run({"cache", "valley.toml", "--out", "out", "--clear"}).output, HasSubstr("removed"));
    EXPECT_FALSE(std::filesystem::exists(path(".thalweg-cache")));
    const Ran refused = run({"cache", "nowhere.toml"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.errors, HasSubstr("nowhere.toml"));
}

TEST_F(Build, repeats_the_stages_for_timing_and_writes_the_same_files) {
    EXPECT_EQ(run({"new", "valley"}).exit_code, 0);
    std::map<std::string, std::string> once = built("once", {});
    std::map<std::string, std::string> thrice = built("thrice", {"--repeat", "3", "--report", "report.json"});
    EXPECT_FALSE(once.empty());
    EXPECT_EQ(thrice, once);
    const auto report = nlohmann::json::parse(read("report.json"));
    EXPECT_GT(report["stages"].size(), 2U);
    for (const auto& stage : report["stages"]) EXPECT_EQ(stage["repeats_ms"].size(), 3U);
    const Ran none = run({"build", "valley.toml", "--repeat", "0"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.errors, HasSubstr("repeat"));
}

}  // namespace
}  // namespace thalweg
