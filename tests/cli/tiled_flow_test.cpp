// flow of grids in tiles, by its verb.
#include "thalweg/io/raster.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/verbs.hpp"
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using testing::HasSubstr;

TEST_F(Verbs, flow_gives_the_same_in_tiles_as_in_memory) {
    expect_done({"noise", "--cells", "700", "--extent", "7000,7000", "--octaves", "7", "-o", "dem.tif"},
                "dem.tif\n");
    for (const char* depressions : {"breach", "fill"}) {
        expect_done(
            {"flow", "dem.tif", "--depressions", depressions, "-o", "area.tif", "--also", "receiver=to.tif"},
            "area.tif\nto.tif\n");
        const Ran tiled = run({"flow", "dem.tif", "--depressions", depressions, "--memory-limit", "64", "-o",
                               "tiled.tif", "--also", "receiver=tiled_to.tif", "--report", "tiles.json"});
        EXPECT_EQ(tiled.exit_code, 0) << tiled.errors;
        EXPECT_EQ(read_raster(path("tiled.tif")), read_raster(path("area.tif")));
        EXPECT_EQ(read_raster(path("tiled_to.tif")), read_raster(path("to.tif")));
        EXPECT_GT(nlohmann::json::parse(read("tiles.json"))["stages"][0]["diagnostics"]["tiles"], 4);
    }
}

TEST_F(Verbs, flow_in_tiles_tells_when_it_needed_more_memory_than_it_was_given) {
    expect_done({"noise", "--cells", "1800", "--extent", "18000,18000", "-o", "dem.tif"}, "dem.tif\n");
    // 5 MiB for the tile of each thread.
    for (const auto& [threads, is_told] : {std::pair{"16", true}, {"2", false}}) {
        const Ran ran =
            run({"flow", "dem.tif", "-o", "area.tif", "--memory-limit", "64", "--threads", threads});
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        EXPECT_EQ(ran.errors.find("more than the 64 MiB given: 80 for 16 tiles at work") != std::string::npos,
                  is_told)
            << ran.errors;
    }
}

class TiledFlow : public Verbs {
  protected:
    static constexpr const char* kFolder = ".area.tif.thalweg-unfinished";

    void SetUp() override {
        expect_done(
            {"noise", "--cells", "1800", "--extent", "18000,18000", "--octaves", "7", "-o", "dem.tif"},
            "dem.tif\n");
    }
    [[nodiscard]] static std::vector<std::string> flow(const char* output) {
        return {"flow", "dem.tif",    "--depressions", "fill", "--memory-limit",
                "64",   "--progress", "plain",         "-o",   output};
    }
    /// What the program leaves of the work that a signal ends once it says `phrase`.
    [[nodiscard]] Ran flow_until(const char* phrase, int signal) const {
        const pid_t process = start(flow("area.tif"));
        EXPECT_TRUE(errors_show(phrase, std::chrono::seconds(60)));
        ::kill(process, signal);
        return wait_for(process);
    }
};

TEST_F(TiledFlow, goes_on_where_it_was_killed_with_the_same_bytes) {
    EXPECT_EQ(run(flow("whole.tif")).exit_code, 0);
    int killed = 0;
    for (const char* phrase : {"reading the terrain", "finding basins", "letting depressions drain",
                               "gathering water", "writing drainage_area"}) {
        const bool was_in_time = flow_until(phrase, SIGKILL).exit_code == -SIGKILL;
        if (!was_in_time) {
            std::filesystem::remove(path("area.tif"));
            continue;
        }
        ++killed;
        EXPECT_FALSE(std::filesystem::exists(path("area.tif"))) << phrase;
        EXPECT_TRUE(std::filesystem::exists(path(kFolder)));
        const Ran again = run(flow("area.tif"));
        EXPECT_EQ(again.exit_code, 0) << again.errors;
        if (phrase != std::string("reading the terrain")) {
            EXPECT_THAT(again.errors, HasSubstr("note: this went on from where")) << phrase;
        }
        EXPECT_EQ(read("area.tif"), read("whole.tif")) << phrase;
        EXPECT_EQ(files(), (std::vector<std::string>{"area.tif", "dem.tif", "whole.tif"}));
        std::filesystem::remove(path("area.tif"));
    }
    EXPECT_GE(killed, 3);
}

TEST_F(TiledFlow, says_where_a_cancelled_run_keeps_what_it_has_done) {
    const Ran cancelled = flow_until("letting depressions drain", SIGINT);
    EXPECT_EQ(cancelled.exit_code, 3) << cancelled.errors;
    EXPECT_THAT(cancelled.errors,
                HasSubstr("thalweg: cancelled, and no output was written; what is done is kept in "));
    EXPECT_THAT(cancelled.errors,
                HasSubstr(std::string(kFolder) + ", and the same command goes on from there"));
    EXPECT_FALSE(std::filesystem::exists(path("area.tif")));
    EXPECT_THAT(run(flow("area.tif")).errors, HasSubstr("note: this went on from where"));
    EXPECT_FALSE(std::filesystem::exists(path(kFolder)));
}

TEST_F(TiledFlow, of_standard_streams_leaves_nothing_when_cancelled) {
    std::vector<std::string> from_input = flow("area.tif");
    from_input[1].assign(1, '-');
    for (const std::vector<std::string>& command : {flow("-"), from_input}) {
        const pid_t process = start(command, {.input = read("dem.tif")});
        EXPECT_TRUE(errors_show("letting depressions drain", std::chrono::seconds(60)));
        ::kill(process, SIGINT);
        const Ran cancelled = wait_for(process);
        EXPECT_EQ(cancelled.exit_code, 3);
        EXPECT_THAT(cancelled.errors, testing::Not(HasSubstr("note:")));
        EXPECT_EQ(files(), std::vector<std::string>{"dem.tif"});
    }
}

TEST_F(Verbs, flow_points_to_tiles_where_a_grid_is_too_large_for_memory) {
    write("large.vrt", R"(<VRTDataset rasterXSize="16384" rasterYSize="16384">
        <SRS>EPSG:32611</SRS><GeoTransform>0, 10, 0, 0, 0, -10</GeoTransform>
        <VRTRasterBand dataType="Float32" band="1"/></VRTDataset>)");
    const Ran ran = run({"flow", "large.vrt", "-o", "area.tif"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.errors,
              "thalweg: 16384 x 16384 cells are too many for flow at once, which takes 268435455: give "
              "--memory-limit, and it works in tiles\n");
    EXPECT_FALSE(std::filesystem::exists(path("area.tif")));
}

TEST_F(Verbs, flow_in_tiles_says_what_it_can_not_do) {
    expect_done({"noise", "--cells", "50", "--extent", "500,500", "-o", "dem.tif"}, "dem.tif\n");
    const auto refusal = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"flow", "dem.tif", "-o", "area.tif", "--memory-limit", "64"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 2);
        EXPECT_FALSE(std::filesystem::exists(path("area.tif")));
        return ran.errors;
    };
    EXPECT_THAT(refusal({"--depressions", "none"}),
                HasSubstr("depressions other than breach and fill can't be had with --memory-limit"));
    EXPECT_THAT(refusal({"--breach-depth", "5"}), HasSubstr("breach_depth can't be had"));
    EXPECT_THAT(refusal({"--routing", "freeman"}), HasSubstr("routing other than d8 can't be had"));
    EXPECT_THAT(refusal({"--edges", "closed"}), HasSubstr("edges = closed can't be had"));
    EXPECT_THAT(refusal({"--outlets", "dem.tif"}), HasSubstr("outlets can't be had"));
    EXPECT_THAT(refusal({"--sources", "500,500,1e9"}), HasSubstr("sources can't be had"));
    EXPECT_THAT(refusal({"--also", "slope=s.tif"}), HasSubstr("flow gives drainage_area, receiver in tiles"));
    EXPECT_THAT(refusal({"--also", "receiver=to.png"}), HasSubstr("give a .tif"));
    EXPECT_THAT(refusal({"--memory-limit", "63"}), HasSubstr("give 64 MiB or more"));
    EXPECT_THAT(refusal({"--repeat", "3"}), HasSubstr("--repeat 3 is not allowed with --memory-limit"));
}

}  // namespace
}  // namespace thalweg
