// The verbs that work on files.
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/project/stages/erode_stage.hpp"
#include "thalweg/project/verb_start.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <set>

#include "tests/cli/program.hpp"
#include "tests/sanitizers.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using testing::HasSubstr;

class Verbs : public Program {
  protected:
    /// Expects the run to succeed and to say nothing but the files that it wrote.
    void expect_done(const std::vector<std::string>& arguments, const std::string& output) const {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        EXPECT_EQ(ran.output, output);
    }
};

/// What `command` prints.
std::string output_of(const std::string& command) {
    std::string text;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe))
        text += static_cast<char>(letter);
    ::pclose(pipe);
    return text;
}

/// The lines of gdalinfo that must not change when a raster is worked on.
std::string place_of(const std::filesystem::path& raster) {
    const std::string command = "gdalinfo " + raster.string() +
                                " | sed -n '/^Size is/p;/^Origin/p;/^Pixel Size/p' && " +
                                "gdalsrsinfo -o wkt2 --single-line " + raster.string();
    return output_of(command);
}

bool gdalinfo_is_installed() {
    return std::system("gdalinfo --version > /dev/null 2>&1") == 0;
}

TEST_F(Verbs, take_a_raster_in_degrees_where_they_are_told_to_reproject_it) {
    std::string rows;
    for (int row = 0; row < 20; ++row) {
        for (int column = 0; column < 30; ++column) rows += fmt::format("{} ", 500 + 3 * column - 2 * row);
        rows += "\n";
    }
    write("degrees.asc", "ncols 30\nnrows 20\nxllcorner 8\nyllcorner 47\ncellsize 0.001\n" + rows);
    const Ran plain = run({"flow", "degrees.asc", "-o", "metres.tif"});
    EXPECT_EQ(plain.exit_code, 0);
    EXPECT_THAT(plain.errors, HasSubstr("note: degrees.asc names no coordinate system"));
    const Ran ran = run({"flow", "degrees.asc", "--reproject", "-o", "area.tif"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_THAT(ran.errors, HasSubstr("reprojected to WGS 84 / UTM zone 32N"));
    EXPECT_NEAR(read_raster_info(path("area.tif")).grid.cell_size, 88.3, 0.5);  // 76 m east, 111 m north
    EXPECT_EQ(run({"flow", "-", "--reproject", "-o", "piped.tif"}, {.input = read("degrees.asc")}).exit_code,
              0);
    EXPECT_EQ(read("piped.tif"), read("area.tif"));
    EXPECT_EQ(
        run({"flow", "degrees.asc", "--reproject", "--memory-limit", "64", "-o", "tiled.tif"}).exit_code, 0);
    EXPECT_EQ(read_raster(path("tiled.tif")).values().size(), read_raster(path("area.tif")).values().size());
    EXPECT_EQ(run({"render", "degrees.asc", "--reproject", "-o", "map.png"}).exit_code, 0);
    EXPECT_THAT(run({"info", "degrees.asc", "--reproject"}).output, HasSubstr("UTM zone 32N"));
}

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
    EXPECT_THAT(cancelled.errors, HasSubstr("note: the same command goes on from what is done"));
    EXPECT_THAT(cancelled.errors, HasSubstr(kFolder));
    EXPECT_THAT(cancelled.errors, HasSubstr("thalweg: cancelled"));
    EXPECT_FALSE(std::filesystem::exists(path("area.tif")));
    EXPECT_THAT(run(flow("area.tif")).errors, HasSubstr("note: this went on from where"));
    EXPECT_FALSE(std::filesystem::exists(path(kFolder)));
}

TEST_F(TiledFlow, of_standard_streams_leaves_nothing_when_cancelled) {
    std::vector<std::string> from_input = flow("area.tif");
    from_input[1] = "-";
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
    EXPECT_THAT(refusal({"--also", "slope=s.tif"}), HasSubstr("flow gives drainage_area, receiver in tiles"));
    EXPECT_THAT(refusal({"--also", "receiver=to.png"}), HasSubstr("give a .tif"));
    EXPECT_THAT(refusal({"--memory-limit", "63"}), HasSubstr("give 64 MiB or more"));
}

TEST_F(Verbs, rain_makes_terrain_by_columns_and_rows_and_its_rivers) {
    expect_done({"rain", "--columns", "60", "--rows", "40", "--events", "500", "--river-visits", "20",
                 "--seed", "4", "-o", "out.tif", "--also", "rivers=rivers.gpkg", "--also",
                 "drainage_area=area.tif", "--report", "report.json"},
                "out.tif\narea.tif\nrivers.gpkg\n");
    const Grid grid = read_raster(path("out.tif")).grid();
    EXPECT_EQ(grid.columns, 60);
    EXPECT_EQ(grid.rows, 40);
    EXPECT_EQ(grid.cell_size, 100.0);
    EXPECT_GT(read_network(path("rivers.gpkg")).reaches.size(), 5U);
    const auto told = nlohmann::json::parse(read("report.json")).at("diagnostics");
    EXPECT_EQ(told.at("events"), 500);
    EXPECT_EQ(told.at("trapped"), 0);
    EXPECT_GT(told.at("visits"), 5000);
}

TEST_F(Verbs, rain_with_the_same_seed_gives_the_same_bytes_on_any_number_of_threads) {
    std::vector<std::string> bytes;
    for (const char* threads : {"1", "2", "8"}) {
        const Ran ran = run({"rain", "--columns", "80", "--rows", "50", "--events", "2000", "--threads",
                             threads, "-o", "out.tif"});
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        bytes.push_back(read("out.tif"));
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_EQ(bytes[0], bytes[2]);
}

TEST_F(Verbs, rain_takes_a_dem_and_keeps_its_place_and_cells_without_data) {
    write_terrain("dem.tif");
    const Ran ran = run({"rain", "dem.tif", "--events", "2000", "-o", "out.tif"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    const Field<float> before = read_raster(path("dem.tif"));
    const Field<float> after = read_raster(path("out.tif"));
    EXPECT_EQ(after.grid(), before.grid());
    double lowered = 0.0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        ASSERT_EQ(is_no_data(after[cell]), is_no_data(before[cell]));
        if (!is_no_data(before[cell])) lowered += before[cell] - after[cell];
    }
    EXPECT_GT(lowered, 0.0);
}

TEST_F(Verbs, rain_with_no_events_returns_the_dem) {
    write_terrain("dem.tif");
    const Ran ran = run({"rain", "dem.tif", "--events", "0", "-o", "out.tif"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    const Field<float> before = read_raster(path("dem.tif"));
    const Field<float> after = read_raster(path("out.tif"));
    for (std::int64_t cell = 0; cell < before.size(); ++cell)
        ASSERT_TRUE(before[cell] == after[cell] || is_no_data(before[cell]));
}

TEST_F(Verbs, erode_keeps_size_place_and_cells_without_data) {
    write_terrain("dem.tif");
    expect_done({"erode", "dem.tif", "--time", "20000", "--uplift", "0", "-o", "aged.tif"}, "aged.tif\n");
    const Field<float> before = read_raster(path("dem.tif"));
    const Field<float> after = read_raster(path("aged.tif"));
    EXPECT_EQ(after.grid(), before.grid());
    double lowered = 0.0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        EXPECT_EQ(is_no_data(after[cell]), is_no_data(before[cell]));
        if (!is_no_data(before[cell])) lowered += before[cell] - after[cell];
    }
    EXPECT_GT(lowered / static_cast<double>(before.size()), 1.0);  // m, mean over the cells
}

TEST_F(Verbs, erode_takes_the_rows_of_a_list_of_tables_one_by_one_or_together) {
    write_terrain("dem.tif");
    const Grid grid = read_raster(path("dem.tif")).grid();
    const auto row = [&](double column, double row_number) {
        return fmt::format("{},{},1e9", grid.x(column), grid.y(row_number));
    };
    const std::string first = row(0.5 * grid.columns, 0.5 * grid.rows);
    const std::string second = row(0.3 * grid.columns, 0.6 * grid.rows);
    expect_done({"erode", "dem.tif", "--time", "2e4", "-o", "none.tif"}, "none.tif\n");
    expect_done({"erode", "dem.tif", "--time", "2e4", "--sources", first, "-o", "one.tif"}, "one.tif\n");
    expect_done(
        {"erode", "dem.tif", "--time", "2e4", "--sources", first, "--sources", second, "-o", "two.tif"},
        "two.tif\n");
    expect_done({"erode", "dem.tif", "--time", "2e4", "--sources", first + ";" + second, "-o", "row.tif"},
                "row.tif\n");
    EXPECT_NE(read("one.tif"), read("none.tif"));
    EXPECT_NE(read("two.tif"), read("one.tif"));
    EXPECT_EQ(read("row.tif"), read("two.tif"));
}

TEST_F(Verbs, erode_keeps_what_gdalinfo_tells_of_a_real_dem) {
    const auto dem = real_data("bigtujunga.tif");
    if (!dem) GTEST_SKIP() << "bigtujunga.tif is absent: set THALWEG_DATA to the folder that holds it";
    if (!gdalinfo_is_installed()) GTEST_SKIP() << "gdalinfo is not installed";
    expect_done({"erode", dem->string(), "--time", "200000", "--uplift", "0", "-o", "aged.tif"},
                "aged.tif\n");
    EXPECT_THAT(place_of(*dem), HasSubstr("Size is 1197, 643"));
    EXPECT_EQ(place_of(path("aged.tif")), place_of(*dem));
    EXPECT_THAT(output_of("gdalinfo " + path("aged.tif").string()), HasSubstr("NoData Value=-9999"));
}

TEST_F(Verbs, rivers_of_a_real_dem_are_trees_that_never_rise) {
    const auto dem = real_data("bigtujunga.tif");
    if (!dem) GTEST_SKIP() << "bigtujunga.tif is absent: set THALWEG_DATA to the folder that holds it";
    expect_done({"rivers", dem->string(), "--min-area", "1e6", "-o", "rivers.gpkg"}, "rivers.gpkg\n");
    const RiverNetwork network = read_network(path("rivers.gpkg"));
    ASSERT_GT(network.reaches.size(), 100U);
    std::set<std::int64_t> passed;
    // Reaches lie upstream before downstream: none may flow into one that has passed.
    for (const Reach& reach : network.reaches) {
        EXPECT_FALSE(passed.contains(reach.next_down));
        passed.insert(reach.id);
        for (std::size_t i = 1; i < reach.points.size(); ++i)
            EXPECT_LE(reach.points[i].z, reach.points[i - 1].z);
    }
    EXPECT_THAT(output_of("ogrinfo -so " + path("rivers.gpkg").string() + " reach"), HasSubstr("upland_km2"));
}

TEST_F(Verbs, rivers_to_standard_output_are_geojson) {
    write_terrain("dem.tif");
    const Ran ran = run({"rivers", "dem.tif", "--min-area", "5e4", "-o", "-"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    const auto json = nlohmann::json::parse(ran.output);
    EXPECT_EQ(json["type"], "FeatureCollection");
    EXPECT_FALSE(json["features"].empty());
    EXPECT_EQ(files(), std::vector<std::string>{"dem.tif"});
}

TEST_F(Verbs, standard_input_and_output_carry_rasters) {
    write_terrain("dem.tif");
    expect_done({"erode", "dem.tif", "--time", "20000", "--uplift", "0", "-o", "aged.tif"}, "aged.tif\n");
    const Ran piped =
        run({"erode", "-", "--time", "20000", "--uplift", "0", "-o", "-"}, {.input = read("dem.tif")});
    EXPECT_EQ(piped.exit_code, 0) << piped.errors;
    EXPECT_EQ(piped.output, read("aged.tif"));
}

TEST_F(Verbs, sources_make_their_own_grid) {
    expect_done({"noise", "--kind", "white", "--amplitude", "1", "--cells", "64", "--extent", "25600",
                 "--seed", "1", "-o", "start.tif"},
                "start.tif\n");
    const Field<float> start = read_raster(path("start.tif"));
    EXPECT_EQ(start.columns(), 64);
    EXPECT_EQ(start.rows(), 64);
    EXPECT_EQ(start.grid().cell_size, 400.0);
    expect_done({"noise", "--cells", "64", "--extent", "6400,3200", "-o", "wide.tif"}, "wide.tif\n");
    EXPECT_EQ(read_raster(path("wide.tif")).rows(), 32);
}

TEST_F(Verbs, import_takes_its_file_as_an_operand) {
    write_terrain("dem.tif");
    expect_done({"import", "--file", "dem.tif", "--from", "dem.tif", "-o", "a.tif"}, "a.tif\n");
    expect_done({"import", "dem.tif", "--from", "dem.tif", "-o", "b.tif"}, "b.tif\n");
    EXPECT_EQ(read("b.tif"), read("a.tif"));
    const Ran ran = run({"import", "dem.tif", "--file", "a.tif", "-o", "c.tif"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.errors, HasSubstr("dem.tif and --file a.tif are given"));
}

TEST_F(Verbs, seeds_change_what_is_random_and_equal_seeds_give_equal_bytes) {
    for (const std::string seed : {"1", "2"})
        ASSERT_EQ(run({"noise", "--cells", "64", "--seed", seed, "-o", "seed" + seed + ".tif"}).exit_code, 0);
    ASSERT_EQ(run({"noise", "--cells", "64", "--seed", "1", "-o", "again.tif"}).exit_code, 0);
    EXPECT_NE(read("seed1.tif"), read("seed2.tif"));
    EXPECT_EQ(read("seed1.tif"), read("again.tif"));
}

TEST_F(Verbs, threads_change_no_byte) {
    write_terrain("dem.tif", 160);
    const auto results = [&](const std::string& threads) {
        expect_done({"erode", "dem.tif", "--time", "1e5", "--threads", threads, "-o", "aged.tif"},
                    "aged.tif\n");
        expect_done({"flow", "aged.tif", "--threads", threads, "-o", "area.tif", "--also", "slope=slope.tif"},
                    "area.tif\nslope.tif\n");
        expect_done({"rivers", "aged.tif", "--min-area", "1e5", "--threads", threads, "-o", "rivers.gpkg"},
                    "rivers.gpkg\n");
        return read("aged.tif") + read("area.tif") + read("slope.tif") + read("rivers.gpkg");
    };
    const std::string one = results("1");
    EXPECT_EQ(results("2"), one);
    EXPECT_EQ(results("8"), one);
}

TEST_F(Verbs, every_flag_form_of_a_yes_no_parameter_is_understood) {
    write_terrain("dem.tif");
    const auto aged = [&](const std::vector<std::string>& flags) {
        std::vector<std::string> arguments = {"erode"};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        arguments.insert(arguments.end(), {"dem.tif", "--time", "20000", "--uplift", "0", "-o", "aged.tif"});
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        return read("aged.tif");
    };
    const std::string with = aged({"--hillslope"});
    const std::string without = aged({"--no-hillslope"});
    EXPECT_NE(with, without);
    EXPECT_EQ(aged({"--hillslope", "true"}), with);
    EXPECT_EQ(aged({"--hillslope=true"}), with);
    EXPECT_EQ(aged({"--hillslope", "false"}), without);
    EXPECT_EQ(aged({"--hillslope=false"}), without);
}

TEST_F(Verbs, underscores_and_hyphens_are_the_same_in_flags) {
    write_terrain("dem.tif");
    ASSERT_EQ(run({"rivers", "dem.tif", "--min-area", "5e4", "-o", "a.geojson"}).exit_code, 0);
    ASSERT_EQ(run({"rivers", "dem.tif", "--min_area=5e4", "-o", "b.geojson"}).exit_code, 0);
    EXPECT_EQ(read("a.geojson"), read("b.geojson"));
}

TEST_F(Verbs, report_tells_times_parameters_and_files) {
    write_terrain("dem.tif");
    expect_done({"erode", "dem.tif", "--time", "20000", "--threads", "2", "--repeat", "3", "-o", "aged.tif",
                 "--report", "report.json"},
                "aged.tif\n");
    const auto report = nlohmann::json::parse(read("report.json"));
    EXPECT_GT(report["solve_ms"].get<double>(), 0.0);
    EXPECT_TRUE(report["phases_ms"].is_object());
    EXPECT_EQ(report["threads"], 2);
    EXPECT_EQ(report["cells"], 48 * 48);
    EXPECT_GT(report["peak_memory_bytes"].get<std::int64_t>(), 1 << 20);
    EXPECT_EQ(report["parameters"]["time"], 20000.0);
    EXPECT_TRUE(report["diagnostics"].is_object());
    EXPECT_EQ(report["stages"][0]["repeats_ms"].size(), 3U);
    EXPECT_EQ(report["files"], nlohmann::json({"aged.tif"}));
}

TEST_F(Verbs, reports_of_water_tell_the_same_names_by_every_verb) {
    expect_done({"noise", "--cells", "80", "--extent", "8e3,8e3", "-o", "dem.tif"}, "dem.tif\n");
    const auto told_by = [&](std::vector<std::string> arguments) {
        for (const char* more : {"-o", "out", "--report", "report.json"}) arguments.emplace_back(more);
        arguments[arguments.size() - 3] = arguments.front() == "rivers" ? "out.gpkg" : "out.tif";
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        return nlohmann::json::parse(read("report.json")).at("diagnostics");
    };
    const std::vector<std::string> of_routing = {
        "pits", "lakes", "lake_volume", "volume_error", "outlet_area_error", "cells_per_second"};
    for (const std::vector<std::string>& verb : {std::vector<std::string>{"flow", "dem.tif"},
                                                 {"flow", "dem.tif", "--depressions", "lakes"},
                                                 {"flow", "dem.tif", "--memory-limit", "64"},
                                                 {"rivers", "dem.tif", "--min-area", "2e5"},
                                                 {"rivers", "dem.tif", "--depressions", "lakes"}}) {
        SCOPED_TRACE(fmt::format("{}", fmt::join(verb, " ")));
        const nlohmann::json told = told_by(verb);
        for (const std::string& name : of_routing) EXPECT_TRUE(told.contains(name)) << name;
        EXPECT_GT(told.at("pits"), 0);
        EXPECT_LT(told.at("outlet_area_error"), 1e-12);
        EXPECT_GT(told.at("cells_per_second"), 0.0);
        const bool has_lakes = verb.back() == "lakes";
        EXPECT_EQ(told.at("lakes") > 0, has_lakes);
        EXPECT_EQ(told.at("lake_volume") > 0.0, has_lakes);
        EXPECT_EQ(told.at("volume_error").is_number(), has_lakes);
    }
    const std::vector<std::string> of_networks = {"reaches", "max_strahler", "trunk_length_m",
                                                  "hack_exponent", "cells_per_second"};
    const nlohmann::json rivers = told_by({"rivers", "dem.tif", "--min-area", "2e5"});
    const nlohmann::json rain =
        told_by({"rain", "--columns", "60", "--rows", "40", "--events", "500", "--river-visits", "20"});
    for (const std::string& name : of_networks) {
        EXPECT_TRUE(rivers.at(name).is_number()) << name;
        EXPECT_TRUE(rain.contains(name)) << name;
    }
    EXPECT_EQ(rain.at("events"), 500);
    EXPECT_GT(rain.at("trunk_length_m"), 0.0);
    // No reach, and so no exponent: not a number that never was.
    EXPECT_TRUE(told_by({"rivers", "dem.tif", "--min-area", "1e12"}).at("hack_exponent").is_null());
}

TEST_F(Verbs, erosion_and_its_report_take_no_more_memory_than_is_foretold) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take more memory than is foretold";
    const auto peak_of = [&](const std::string& time) {
        const Ran ran = run({"erode", "noise.tif", "--uplift", "1e-3", "--time", time, "-o", "aged.tif",
                             "--report", "report.json"});
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        return nlohmann::json::parse(read("report.json"))["peak_memory_bytes"].get<double>();
    };
    constexpr double kCells = 1200.0 * 1200.0;
    ASSERT_EQ(run({"noise", "--kind", "white", "--cells", "1200", "--extent", "24e3,24e3", "-o", "noise.tif"})
                  .exit_code,
              0);
    const ErodeParameters defaults;
    const VerbInput input{.raster = path("noise.tif"), .grid = {}};
    const Plan plan = plan_stage(checked_use(find_stage("erode"), &defaults), verb_grid(input));
    EXPECT_LT(peak_of("1e6"), static_cast<double>(plan.peak_bytes));
    // About 72 bytes a cell, and the program.
    EXPECT_LT(peak_of("inf"), 85.0 * kCells + 64.0 * 1024.0 * 1024.0);
}

TEST_F(Verbs, report_to_standard_output_stands_alone) {
    write_terrain("dem.tif");
    const Ran ran = run({"flow", "dem.tif", "-o", "area.tif", "--report", "-"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_EQ(nlohmann::json::parse(ran.output)["files"], nlohmann::json({"area.tif"}));
}

TEST_F(Verbs, info_tells_what_a_raster_holds) {
    Grid grid{.columns = 2, .rows = 1, .cell_size = 12.5, .west = 100.0, .north = 50.0};
    Field<float> field(grid);
    field[0] = 3.0F;
    field[1] = 5.0F;
    write_raster(path("two.tif"), field, RasterFormat::GeoTiff);
    const Ran ran = run({"info", "two.tif"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    for (const std::string text :
         {"GTiff, Float32", "2 x 1 cells", "12.5 m", "100.000 125.000 m", "local metre grid",
          "-9999, 0 cells", "minimum      3", "maximum      5", "mean         4"})
        EXPECT_THAT(ran.output, HasSubstr(text));
}

TEST_F(Verbs, info_describes_a_raster_of_one_cell_since_it_needs_no_terrain) {
    write_bare_raster("one.img", 1, 1, 1, {7.0F});
    const Ran ran = run({"info", "one.img"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("1 x 1 cells"));
    EXPECT_THAT(ran.output, HasSubstr("mean         7"));
}

TEST_F(Verbs, cells_that_are_not_numbers_are_no_data_and_a_note_counts_them) {
    std::vector<float> values(24);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    values[8] = values[9] = kNoData;
    write_bare_raster("dem.img", 6, 4, 1, values);
    const std::string note = "dem.img: 2 of 24 cells are not numbers (NaN) and are taken as no-data";
    for (const std::string verb : {"flow", "render"}) {
        const Ran ran = run({verb, "dem.img", "-o", verb == "flow" ? "out.tif" : "out.png", "--progress",
                             "none", "--report", "report.json"});
        EXPECT_EQ(ran.exit_code, 0);
        EXPECT_EQ(ran.errors, "note: " + note + "\n");
        EXPECT_EQ(nlohmann::json::parse(read("report.json"))["notes"], nlohmann::json({note}));
    }
    EXPECT_EQ(run({"import", "--file", "dem.img", "--extent", "6,4", "--cells", "6", "-o", "out.tif"}).errors,
              "note: " + note + "\n");
    EXPECT_TRUE(is_no_data(read_raster(path("out.tif"))[8]));
    EXPECT_EQ(run({"flow", "-", "-o", "again.tif"}, {.input = read("out.tif")}).errors, "");
}

TEST_F(Verbs, note_says_which_band_of_several_is_read) {
    std::vector<float> values(75, 5.0F);
    values[0] = 0.0F;
    write_bare_raster("bands.img", 5, 5, 3, values);
    EXPECT_EQ(run({"flow", "bands.img", "-o", "out.tif"}).errors,
              "note: bands.img has 3 bands, of which band 1 is read\n");
    EXPECT_THAT(run({"info", "bands.img"}).output, HasSubstr("3 bands, of which band 1 is read"));
}

TEST_F(Verbs, raster_for_a_parameter_that_ends_within_a_cell_takes_the_nearest_value_and_a_note_says_so) {
    Grid grid{.columns = 5, .rows = 5, .cell_size = 30.0};
    write_raster(path("dem.tif"), Field<float>(grid, 100.0F), RasterFormat::GeoTiff);
    grid.columns = 4;
    write_raster(path("near.tif"), Field<float>(grid, 0.001F), RasterFormat::GeoTiff);
    grid.columns = 5;
    write_raster(path("whole.tif"), Field<float>(grid, 0.001F), RasterFormat::GeoTiff);
    const Ran ran = run({"erode", "dem.tif", "--uplift", "near.tif", "-o", "near_out.tif"});
    EXPECT_THAT(ran.errors, HasSubstr("near.tif does not cover 20 % of the landscape"));
    EXPECT_EQ(run({"erode", "dem.tif", "--uplift", "whole.tif", "-o", "whole_out.tif"}).errors, "");
    EXPECT_EQ(read("near_out.tif"), read("whole_out.tif"));
}

TEST_F(Verbs, rivers_begin_at_springs_of_a_list_or_a_file) {
    write_terrain("dem.tif");
    const Grid grid = read_raster_info(path("dem.tif")).grid;
    const Position place = grid.centre(grid.columns / 2, grid.rows / 2);
    const std::string spring = fmt::format("{},{}", place.x, place.y);
    write("springs.geojson",
          R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":)"
          R"("urn:ogc:def:crs:EPSG::32611"}},"features":[{"type":"Feature","properties":{},)"
          R"("geometry":{"type":"Point","coordinates":[)" +
              spring + "]}}]}");
    const Ran by_list =
        run({"rivers", "dem.tif", "--headwaters", "springs", "--springs", spring, "-o", "a.gpkg"});
    ASSERT_EQ(by_list.exit_code, 0) << by_list.errors;
    const Ran by_file = run({"rivers", "dem.tif", "--headwaters", "springs", "--springs-file",
                             "springs.geojson", "-o", "b.gpkg"});
    ASSERT_EQ(by_file.exit_code, 0) << by_file.errors;
    EXPECT_EQ(read_network(path("a.gpkg")).reaches.size(), 1U);
    EXPECT_EQ(read("a.gpkg"), read("b.gpkg"));
    const Ran none = run({"rivers", "dem.tif", "--headwaters", "springs", "-o", "c.gpkg"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.errors, HasSubstr("needs springs"));
    const Ran unused = run({"rivers", "dem.tif", "--springs", spring, "-o", "c.gpkg"});
    EXPECT_EQ(unused.exit_code, 2);
    EXPECT_THAT(unused.errors, HasSubstr("headwaters is not"));
    const Ran outside =
        run({"rivers", "dem.tif", "--headwaters", "springs", "--springs", "-5,-5", "-o", "c.gpkg"});
    EXPECT_EQ(outside.exit_code, 2);
    EXPECT_THAT(outside.errors, HasSubstr("outside the grid"));
}

TEST_F(Verbs, info_tells_what_a_network_and_a_project_hold) {
    write_terrain("dem.tif");
    ASSERT_EQ(run({"rivers", "dem.tif", "--min-area", "5e4", "-o", "rivers.gpkg"}).exit_code, 0);
    const RiverNetwork network = read_network(path("rivers.gpkg"));
    const Ran ran = run({"info", "rivers.gpkg"});
    EXPECT_THAT(ran.output, HasSubstr(std::to_string(network.reaches.size()) + " reaches"));
    EXPECT_THAT(ran.output, HasSubstr("UTM zone 11N"));
    ASSERT_EQ(run({"rivers", "dem.tif", "--min-area", "5e4", "-o", "rivers.geojson"}).exit_code, 0);
    EXPECT_EQ(run({"info", "rivers.geojson"}).output, ran.output);
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    const Ran project = run({"info", "valley.toml"});
    EXPECT_EQ(project.exit_code, 0) << project.errors;
    EXPECT_THAT(project.output, HasSubstr("valley"));
}

}  // namespace
}  // namespace thalweg
