// meander, by its verb.
#include "thalweg/grid/sampling.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"

#include <string>
#include <vector>

#include "tests/cli/verbs.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

class MeanderVerb : public Verbs {
  protected:
    MeanderVerb() { write("line.csv", "x_m,y_m,width_m\n1000,5000,60\n11000,5000,60\n"); }
};

TEST_F(MeanderVerb, writes_the_rivers_and_tells_what_they_did) {
    expect_done({"meander", "line.csv", "--years", "100", "-o", "out.gpkg", "--report", "report.json"},
                "out.gpkg\n");
    const RiverNetwork rivers = read_network(path("out.gpkg"));
    ASSERT_EQ(rivers.reaches.size(), 1U);
    EXPECT_GT(rivers.reaches[0].sinuosity, 1.5);
    const auto told = nlohmann::json::parse(read("report.json")).at("diagnostics");
    EXPECT_EQ(told.at("points"), rivers.reaches[0].points.size());
    EXPECT_EQ(told.at("steps"), 200);
    EXPECT_GT(told.at("ms_per_step"), 0.0);
    EXPECT_NEAR(told.at("sinuosity").get<double>(), rivers.reaches[0].sinuosity, 1e-6);
    EXPECT_GT(told.at("wavelength_m"), 500.0);
    EXPECT_EQ(told.at("reach_wavelengths_m").size(), 1U);
    for (const char* count : {"cutoffs", "avulsions", "collisions"}) EXPECT_GE(told.at(count), 0) << count;
    EXPECT_EQ(told.at("self_crossings"), 0);
}

TEST_F(MeanderVerb, measures_what_rivers_do_as_a_table_and_as_charts) {
    expect_done({"meander", "line.csv", "--years", "60", "--metrics-window", "20", "-o", "out.gpkg", "--also",
                 "meander_metrics=m.csv", "--also", "meander_metrics=m.png", "--report", "report.json"},
                "out.gpkg\nm.csv\nm.png\n");
    EXPECT_THAT(read("m.csv"), HasSubstr("\n60,all,60,"));
    EXPECT_EQ(read("m.png").substr(1, 3), "PNG");
    const auto told = nlohmann::json::parse(read("report.json")).at("diagnostics");
    EXPECT_EQ(told.at("recorded_yr").size(), 13U);
    EXPECT_EQ(told.at("recorded_sinuosity").size(), 13U);
    EXPECT_GT(told.at("belt_width_m"), 60.0);
    EXPECT_THAT(run({"meander", "line.csv", "-o", "out.gpkg", "--also", "meander_metrics=m.tif"}).errors,
                HasSubstr("metrics of rivers are written as .csv, .json, .png or .svg"));
}

TEST_F(MeanderVerb, lays_rivers_on_a_terrain) {
    expect_done({"shape", "--kind", "plane", "--height", "10", "--direction", "270", "--extent",
                 "12000,10000", "--cells", "60", "-o", "plain.tif"},
                "plain.tif\n");
    expect_done({"meander", "line.csv", "--terrain", "plain.tif", "--years", "20", "-o", "out.gpkg"},
                "out.gpkg\n");
    const RiverNetwork rivers = read_network(path("out.gpkg"));
    const Reach& river = rivers.reaches[0];
    const Field<float> plain = read_raster(path("plain.tif"));
    EXPECT_NEAR(river.points.front().z, sample_bilinear(plain, {.x = 1000.0, .y = 5000.0}) - river.depth,
                0.01);
    EXPECT_NEAR(river.points.back().z, sample_bilinear(plain, {.x = 11000.0, .y = 5000.0}) - river.depth,
                0.01);
    EXPECT_LT(river.points.back().z, river.points.front().z);
}

TEST_F(MeanderVerb, leaves_frames_with_the_bytes_of_single_runs_and_an_animation) {
    const Ran ran = run({"meander", "line.csv", "--years", "60", "--every", "25", "--frames", "frames",
                         "--animation", "a.webp", "--animation-size", "64"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_GT(read("a.webp").size(), 100U);
    const auto frames = nlohmann::json::parse(read("frames/frames.json")).at("frames");
    std::vector<double> years;
    for (const auto& frame : frames) years.push_back(frame.at("time_yr"));
    EXPECT_EQ(years, (std::vector<double>{0.0, 25.0, 50.0, 60.0}));
    for (std::size_t i = 0; i < years.size(); ++i) {
        expect_done({"meander", "line.csv", "--years", fmt::format("{}", years[i]), "-o", "alone.gpkg"},
                    "alone.gpkg\n");
        EXPECT_EQ(read_network(path("alone.gpkg")),
                  read_network(path(fmt::format("frames/rivers_{:04}.gpkg", i))))
            << years[i];
    }
}

TEST_F(MeanderVerb, with_the_same_seed_gives_the_same_bytes_on_any_number_of_threads) {
    std::vector<std::string> bytes;
    for (const char* threads : {"1", "2", "8"}) {
        expect_done({"meander", "line.csv", "--years", "150", "--threads", threads, "-o", "out.geojson"},
                    "out.geojson\n");
        bytes.push_back(read("out.geojson"));
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_EQ(bytes[0], bytes[2]);
    expect_done({"meander", "line.csv", "--years", "150", "--seed", "2", "-o", "out.geojson"},
                "out.geojson\n");
    EXPECT_NE(bytes[0], read("out.geojson"));
}

TEST_F(MeanderVerb, says_in_one_sentence_what_it_lacks) {
    EXPECT_EQ(run({"meander", "-o", "out.gpkg"}).errors,
              "thalweg: RIVERS is missing: give a file of rivers\n");
    const Ran twice = run({"meander", "line.csv", "--network", "line.csv", "-o", "out.gpkg"});
    EXPECT_EQ(twice.exit_code, 2);
    EXPECT_THAT(twice.errors, HasSubstr("name one file of rivers"));
    EXPECT_EQ(run({"meander", "line.csv", "--years", "-1", "-o", "out.gpkg"}).exit_code, 2);
}

}  // namespace
}  // namespace thalweg
