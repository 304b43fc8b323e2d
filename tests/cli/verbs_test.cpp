// The verbs that work on files.
#include "tests/cli/verbs.hpp"

#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using testing::HasSubstr;

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

TEST_F(Verbs, flow_and_rivers_take_sources_from_beyond_the_raster) {
    expect_done({"noise", "--cells", "64", "--extent", "6400,6400", "-o", "dem.tif"}, "dem.tif\n");
    for (const char* routing : {"d8", "freeman"}) {
        expect_done({"flow", "dem.tif", "--sources", "3200,3200,1e9", "--sources", "1200,4200,5e8",
                     "--routing", routing, "--report", "report.json", "-o", "area.tif"},
                    "area.tif\n");
        EXPECT_LT(nlohmann::json::parse(read("report.json"))["stages"][0]["diagnostics"]["outlet_area_error"],
                  1e-12);
    }
    const Field<float> area = read_raster(path("area.tif"));
    EXPECT_GT(*std::ranges::max_element(area), 5e8F);
    expect_done({"rivers", "dem.tif", "--sources", "3200,3200,1e9", "-o", "rivers.gpkg"}, "rivers.gpkg\n");
    const RiverNetwork network = read_network(path("rivers.gpkg"));
    EXPECT_GT(std::ranges::max_element(network.reaches, {}, &Reach::upland_area)->upland_area, 1e9);
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
    expect_done({"import", "dem.tif", "-o", "own-place.tif"}, "own-place.tif\n");
    EXPECT_EQ(read("own-place.tif"), read("a.tif"));
    expect_done({"import", "dem.tif", "--cells", "12", "-o", "coarse.tif"}, "coarse.tif\n");
    EXPECT_EQ(read_raster(path("coarse.tif")).columns(), 12);
    EXPECT_EQ(read_raster(path("coarse.tif")).grid().west, read_raster(path("a.tif")).grid().west);
    EXPECT_THAT(run({"import", "dem.tif", "--extent", "100", "-o", "elsewhere.tif"}).errors,
                HasSubstr("does not touch the landscape"));
    const Ran ran = run({"import", "dem.tif", "--file", "a.tif", "-o", "c.tif"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.errors, HasSubstr("dem.tif and --file a.tif are given"));
}

TEST_F(Verbs, flow_makes_each_analysis_alone_as_with_everything_else) {
    write_terrain("dem.tif", 96);
    for (const std::string analysis : {"slope_area", "hack", "hypsometry", "chi_profiles"}) {
        const std::vector<std::string> alone = {
            "flow", "dem.tif",  "--analysis-area", "1e4",
            "-o",   "area.tif", "--also",          analysis + "=analysis.json"};
        ASSERT_EQ(run(alone).exit_code, 0) << analysis;
        const std::string found = read("analysis.json");
        std::vector<std::string> with_all = alone;
        for (const char* also : {"chi=chi.tif", "strahler=order.tif", "stream_power=power.tif"})
            with_all.insert(with_all.end(), {"--also", also});
        ASSERT_EQ(run(with_all).exit_code, 0) << analysis;
        EXPECT_EQ(read("analysis.json"), found) << analysis;
    }
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
    write_raster(path("-two.tif"), field, RasterFormat::GeoTiff);
    EXPECT_EQ(run({"info", "--", "two.tif"}).output, ran.output);
    EXPECT_EQ(run({"info", "--", "-two.tif"}).output, ran.output);  // what follows -- is a file
    EXPECT_EQ(run({"info", "--", "two.tif", "two.tif"}).exit_code, 2);
}

TEST_F(Verbs, info_describes_a_raster_of_one_cell_since_it_needs_no_terrain) {
    write_bare_raster("one.img", 1, 1, 1, {7.0F});
    const Ran ran = run({"info", "one.img"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("1 x 1 cells"));
    EXPECT_THAT(ran.output, HasSubstr("mean         7"));
}

/// What is said of a raster without coordinates.
std::string placeless(const std::string& file) {
    return file + " says nothing of its place: its cells are taken as 1 m; --cell-size gives another";
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
        std::vector<std::string> notes = {note};
        if (verb == "flow") notes.push_back(placeless("dem.img"));  // a picture has no need of a place
        EXPECT_EQ(ran.errors, fmt::format("note: {}\n", fmt::join(notes, "\nnote: ")));
        EXPECT_EQ(nlohmann::json::parse(read("report.json"))["notes"], nlohmann::json(notes));
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
              "note: bands.img has 3 bands, of which band 1 is read\nnote: " + placeless("bands.img") + "\n");
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
