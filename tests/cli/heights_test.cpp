// Heights out in 16 bits and back in: every file says, or is told, what its numbers are in metres.
#include "thalweg/io/pictures.hpp"
#include "thalweg/io/raster.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "tests/cli/verbs.hpp"
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Heights : public Verbs {
  protected:
    [[nodiscard]] Json json(const std::string& name) const { return Json::parse(read(name)); }

    /// The largest difference, m, and whether both have the same place and cells without data.
    void expect_same(const std::string& a, const std::string& b, double tolerance,
                     const RasterHints& hints = {}) const {
        const Field<float> first = read_raster(path(a));
        const Field<float> second = read_raster(path(b), hints);
        ASSERT_EQ(first.grid().columns, second.grid().columns);
        EXPECT_EQ(first.grid().cell_size, second.grid().cell_size);
        for (std::int64_t i = 0; i < first.size(); ++i) {
            ASSERT_EQ(is_no_data(first[i]), is_no_data(second[i])) << i;
            if (is_no_data(first[i])) continue;
            ASSERT_NEAR(first[i], second[i], tolerance) << i;
        }
    }
};

const std::vector<std::string> kErode = {"erode", "dem.tif", "--time", "1e4"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST_F(Heights, in_16_bits_are_told_in_a_note_a_sidecar_and_the_report) {
    write_terrain("dem.tif");
    expect_done(with(kErode, {"-o", "e.tif"}), "e.tif\n");
    for (const std::string name : {"e.r16", "e.png"}) {
        const Ran ran = run(with(kErode, {"-o", name, "--report", "report.json"}));
        EXPECT_EQ(ran.exit_code, 0);
        EXPECT_EQ(ran.output, name + "\n" + name + ".json\n");
        const Json sidecar = json(name + ".json");
        const double scale = sidecar["scale"].get<double>();
        EXPECT_THAT(ran.errors, HasSubstr(name + " holds elevation in 16 bits: m = stored x " +
                                          sidecar["scale"].dump() + " + "));
        EXPECT_EQ(json("report.json")["rasters"][0]["scale"], scale);
        EXPECT_EQ(json("report.json")["rasters"][0]["offset"], sidecar["offset"]);
        EXPECT_EQ(sidecar["no_data"], 0.0);
        EXPECT_EQ(sidecar["unit"], "m");
        EXPECT_NEAR(scale, (sidecar["maximum"].get<double>() - sidecar["minimum"].get<double>()) / 65534.0,
                    1e-12);
        expect_same("e.tif", name, 0.51 * scale);
    }
}

TEST_F(Heights, never_replace_an_input_by_their_sidecar) {
    write_terrain("dem.tif");
    ASSERT_EQ(run({"rivers", "dem.tif", "-o", "e.r16.json", "--min-area", "1e5"}).exit_code, 0);
    const std::string before = read("e.r16.json");
    const Ran ran = run({"flow", "dem.tif", "--rivers-file", "e.r16.json", "-o", "e.r16"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.errors, HasSubstr("e.r16.json is an input"));
    EXPECT_EQ(read("e.r16.json"), before);
}

TEST_F(Heights, of_other_layers_and_of_a_build_are_told_too) {
    write_terrain("dem.tif");
    const Ran flow = run({"flow", "dem.tif", "-o", "area.tif", "--also", "slope=slope.png"});
    EXPECT_EQ(flow.exit_code, 0) << flow.errors;
    EXPECT_THAT(flow.errors, HasSubstr("slope.png holds slope in 16 bits: m/m = stored x"));
    write("p.toml",
          "[project]\nname = \"p\"\n[grid]\ncells = 32\n[[stage]]\nuse = \"noise\"\n[output]\n"
          "formats = [\"r16\", \"geotiff\"]\npictures = []\n");
    const Ran build = run({"build", "p.toml"});
    EXPECT_EQ(build.exit_code, 0) << build.errors;
    EXPECT_THAT(build.errors, HasSubstr("p_elevation.r16 holds elevation in 16 bits"));
    const Json files = json("out/manifest.json")["files"];
    EXPECT_EQ(files[0]["file"], "p_elevation.r16");
    EXPECT_EQ(files[1]["file"], "p_elevation.r16.json");
    EXPECT_EQ(files[1]["kind"], "encoding");
    EXPECT_EQ(json("out/p_elevation.r16.json")["scale"], files[0]["scale"]);
    expect_same("out/p_elevation.tif", "out/p_elevation.r16", files[0]["scale"].get<double>());
}

TEST_F(Heights, of_all_frames_of_a_series_have_one_scale) {
    write("p.toml",
          "[project]\nname = \"p\"\n[grid]\nextent = [9600.0, 9600.0]\ncells = 32\n[[stage]]\nuse = "
          "\"noise\"\n[[stage]]\nuse = \"erode\"\nuplift = 1e-3\n[output]\nlayers = [\"elevation\"]\n"
          "formats = [\"geotiff\", \"r16\", \"png16\"]\npictures = []\n");
    const Ran ran = run({"build", "p.toml", "--times", "0,1e5,1e6"});
    ASSERT_EQ(ran.exit_code, 0) << ran.errors;
    const Json frames = json("out/frames.json")["frames"];
    ASSERT_EQ(frames.size(), 3U);
    double highest = 0.0;
    std::set<double> ranges;
    for (const std::string& frame : {std::string("0000"), std::string("0001"), std::string("0002")}) {
        for (const std::string& name :
             {"out/p_elevation_" + frame + ".r16", "out/p_elevation_" + frame + ".png"}) {
            const Json sidecar = json(name + ".json");
            EXPECT_EQ(sidecar["scale"], json("out/p_elevation_0000.r16.json")["scale"]);
            EXPECT_EQ(sidecar["offset"], json("out/p_elevation_0000.r16.json")["offset"]);
            highest = std::max(highest, sidecar["maximum"].get<double>());
            ranges.insert(sidecar["maximum"].get<double>());
            expect_same("out/p_elevation_" + frame + ".tif", name, 0.51 * sidecar["scale"].get<double>());
        }
    }
    const Json first = json("out/p_elevation_0000.r16.json");
    EXPECT_EQ(ranges.size(), 3U);
    EXPECT_NEAR(65535.0 * first["scale"].get<double>() + first["offset"].get<double>(), highest, 1e-6);
    for (const Json& frame : frames)
        for (const Json& file : frame["files"])
            EXPECT_EQ(read("out/" + file["file"].get<std::string>()).size(),
                      file["bytes"].get<std::size_t>());
}

TEST_F(Heights, come_back_from_every_format_as_a_dem) {
    write_terrain("dem.tif");
    for (const std::string name : {"e.r16", "e.png", "e.exr"}) {
        ASSERT_EQ(run(with(kErode, {"-o", name})).exit_code, 0);
        const Ran flow = run({"flow", name, "-o", "area.tif"});
        EXPECT_EQ(flow.exit_code, 0) << flow.errors;
        EXPECT_THAT(flow.errors, IsEmpty());
        EXPECT_EQ(read_raster_info(path("area.tif")).grid.west, 400000.0);
        EXPECT_NE(read_raster_info(path("area.tif")).grid.crs, "");
        EXPECT_THAT(run({"info", name}).output, HasSubstr("48 x 48 cells"));
        EXPECT_EQ(run({"render", name, "-o", "map.png", "--size", "100"}).exit_code, 0);
    }
    const Ran tiled = run({"flow", "e.r16", "--memory-limit", "64", "-o", "area.tif"});
    EXPECT_EQ(tiled.exit_code, 2);
    EXPECT_THAT(tiled.errors, HasSubstr("e.r16 can't be read in tiles"));
}

TEST_F(Heights, come_back_by_flags_where_nothing_is_beside_the_file) {
    write_terrain("dem.tif");
    ASSERT_EQ(run(with(kErode, {"-o", "e.r16"})).exit_code, 0);
    const Json sidecar = json("e.r16.json");
    std::filesystem::remove(path("e.r16.json"));
    const double lowest = sidecar["offset"].get<double>();
    const double highest = lowest + 65535.0 * sidecar["scale"].get<double>();
    const std::string range = Json(lowest).dump() + "," + Json(highest).dump();
    EXPECT_EQ(run({"flow", "e.r16", "-o", "area.tif"}).exit_code, 2);
    const Ran guessed = run({"flow", "e.r16", "--height-range", range, "--nodata", "0", "-o", "area.tif"});
    EXPECT_EQ(guessed.exit_code, 0) << guessed.errors;
    EXPECT_THAT(guessed.errors, HasSubstr("e.r16 says nothing of its place: its cells are taken as 1 m"));
    const Ran told = run(
        {"flow", "e.r16", "--height-range", range, "--nodata", "0", "--cell-size", "30", "-o", "area.tif"});
    EXPECT_THAT(told.errors, IsEmpty());
    EXPECT_EQ(read_raster_info(path("area.tif")).grid.cell_size, 30.0);
    ASSERT_EQ(run(with(kErode, {"-o", "e.tif"})).exit_code, 0);
    expect_same("e.tif", "e.r16", 0.51 * sidecar["scale"].get<double>(),
                {.height_range = {{lowest, highest}}, .cell_size = 30.0, .no_data = 0.0});
    EXPECT_THAT(run({"flow", "e.r16", "--height-range", "5,1", "-o", "x.tif"}).errors,
                HasSubstr("give the lower height first"));
    ASSERT_EQ(
        run({"import", "e.r16", "--from", "e.tif", "--height-range", range, "--nodata", "0", "-o", "in.tif"})
            .exit_code,
        0);
    expect_same("e.tif", "in.tif", 0.51 * sidecar["scale"].get<double>());
    write("p.toml",
          "[grid]\nfrom = \"e.tif\"\n[[stage]]\nuse = \"import\"\nfile = \"e.r16\"\nheight_range = [" +
              Json(lowest).dump() + ", " + Json(highest).dump() +
              "]\n[output]\nlayers = [\"elevation\"]\npictures = []\n");
    ASSERT_EQ(run({"build", "p.toml", "--out", "p"}).exit_code, 0);
    EXPECT_THAT(run({"build", "p.toml", "--set", "import.height_range=5,1"}).errors,
                HasSubstr("height_range = [5, 1] is not allowed: give two heights, the lower first"));
    EXPECT_EQ(run({"rain", "e.r16", "--height-range", range, "--cell-size", "30", "--events", "0", "-o",
                   "rain.tif"})
                  .exit_code,
              0);
}

TEST_F(Heights, of_a_picture_that_says_nothing_are_noted) {
    Image image{.width = 4, .height = 3, .rgb = std::vector<std::uint8_t>(36)};
    for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = static_cast<std::uint8_t>(7 * i);
    write_png(path("x.png"), image);
    EXPECT_THAT(
        run({"flow", "x.png", "-o", "area.tif"}).errors,
        HasSubstr("x.png says nothing of its place and heights: its cells are taken as 1 m and its numbers "
                  "as metres"));
    const Ran told = run({"flow", "x.png", "-o", "area.tif", "--cell-size", "5", "--height-range", "0,100"});
    EXPECT_EQ(told.exit_code, 0) << told.errors;
    EXPECT_THAT(told.errors, Not(HasSubstr("says nothing")));
}

TEST_F(Heights, that_stand_for_no_data_are_told_and_left_out_by_a_flag) {
    Field<float> voids(make_grid(480.0, 480.0, 16), 100.0F);
    for (int i = 0; i < 16; ++i) voids(i, 3) = 100.0F + static_cast<float>(i);
    voids(2, 2) = voids(3, 2) = -32768.0F;
    write_raster(path("dem.tif"), voids, RasterFormat::GeoTiff);
    EXPECT_THAT(run({"flow", "dem.tif", "-o", "area.tif"}).errors,
                HasSubstr("2 of 256 cells hold -32768, which often stands for no data"));
    EXPECT_EQ(run({"flow", "dem.tif", "-o", "area.tif", "--nodata", "-32768"}).errors, "");
    EXPECT_TRUE(is_no_data(read_raster(path("area.tif"))(2, 2)));
    const Ran imported =
        run({"import", "dem.tif", "--from", "dem.tif", "--nodata", "-32768", "-o", "in.tif"});
    EXPECT_EQ(imported.errors, "");
    EXPECT_TRUE(is_no_data(read_raster(path("in.tif"))(2, 2)));
    EXPECT_EQ(read_raster(path("in.tif"))(1, 2), 100.0F);
    write(
        "p.toml",
        "[grid]\nfrom = \"dem.tif\"\n[[stage]]\nuse = \"import\"\nfile = \"dem.tif\"\nnodata = [1.0, 2.0]\n");
    EXPECT_THAT(run({"build", "p.toml"}).errors, HasSubstr("nodata has 2 numbers: give one"));
    const std::string whole = read("area.tif");
    EXPECT_EQ(
        run({"flow", "dem.tif", "-o", "tiled.tif", "--nodata", "-32768", "--memory-limit", "64"}).exit_code,
        0);
    EXPECT_TRUE(is_no_data(read_raster(path("tiled.tif"))(2, 2)));
}

TEST_F(Heights, of_basins_and_orders_declare_where_there_is_none) {
    write_terrain("dem.tif");
    ASSERT_EQ(run({"flow", "dem.tif", "-o", "area.tif", "--also", "basin=basin.tif", "--also",
                   "strahler=strahler.tif", "--also", "receiver=receiver.tif"})
                  .exit_code,
              0);
    for (const char* name : {"basin.tif", "strahler.tif", "receiver.tif"}) {
        EXPECT_EQ(read_raster_info(path(name)).no_data, -9999.0) << name;
        EXPECT_TRUE(is_no_data(read_raster(path(name))[0])) << name;
    }
}

}  // namespace
}  // namespace thalweg
