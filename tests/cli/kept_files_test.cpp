// Files that a run may not change: its inputs, wherever their names lead, and those of others.
#include "thalweg/io/raster.hpp"

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cli/program.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class KeptFiles : public Program {
  protected:
    void write_view(const std::string& name, const std::string& source) const {
        write(name, fmt::format(
                        R"(<VRTDataset rasterXSize="48" rasterYSize="48">
  <GeoTransform>400000, 30, 0, 3800000, 0, -30</GeoTransform>
  <VRTRasterBand dataType="Float32" band="1"><SimpleSource>
    <SourceFilename relativeToVRT="{}">{}</SourceFilename><SourceBand>1</SourceBand>
  </SimpleSource></VRTRasterBand></VRTDataset>)",
                        fs::path(source).is_absolute() ? 0 : 1, source));
    }
    void write_project(const std::string& output, const std::string& first_stage = "use = \"noise\"") const {
        write("p.toml", "[project]\nname = \"p\"\n[grid]\ncells = 32\n[[stage]]\n" + first_stage +
                            "\n[output]\n" + output);
    }
    void expect_refused(const std::vector<std::string>& arguments, const std::string& words,
                        const Surroundings& surroundings = {}) const {
        const std::vector<std::string> before = files();
        const Ran ran = run(arguments, surroundings);
        EXPECT_EQ(ran.exit_code, 2) << ran.errors;
        EXPECT_THAT(ran.errors, HasSubstr(words));
        EXPECT_EQ(files(), before);
    }
    void expect_done(const std::vector<std::string>& arguments) const {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    }
};

TEST_F(KeptFiles, output_behind_a_link_is_written_where_the_system_finds_it) {
    fs::create_directories(path("far/deep"));
    fs::create_symlink("far/deep", path("link"));
    write_terrain("dem.tif");
    const std::string before = read("dem.tif");
    expect_done({"flow", "dem.tif", "-o", "link/../dem.tif"});
    EXPECT_EQ(read("dem.tif"), before);
    EXPECT_TRUE(fs::exists(path("far/dem.tif")));
    expect_refused({"flow", "far/dem.tif", "-o", "link/../dem.tif"}, "is an input");
}

TEST_F(KeptFiles, source_of_a_view_is_never_overwritten) {
    write_terrain("dem.tif");
    const std::string before = read("dem.tif");
    write_view("v.vrt", "dem.tif");
    write_view("w.vrt", "v.vrt");
    expect_refused({"flow", "v.vrt", "-o", "dem.tif"}, "dem.tif is an input");
    expect_refused({"flow", "w.vrt", "-o", "dem.tif"}, "dem.tif is an input");
    expect_refused({"flow", "w.vrt", "-o", "v.vrt.tif", "--report", "v.vrt"}, "v.vrt is an input");
    write_view("from-the-root.vrt", path("dem.tif").string());
    expect_refused({"flow", "-", "-o", "dem.tif"}, "dem.tif is an input",
                   {.input = read("from-the-root.vrt")});
    EXPECT_EQ(read("dem.tif"), before);
}

TEST_F(KeptFiles, raster_that_gives_a_project_its_grid_is_never_overwritten) {
    fs::create_directory(path("out"));
    write_terrain("out/p_elevation.tif");
    write("p.toml",
          "[project]\nname = \"p\"\n[grid]\nfrom = \"out/p_elevation.tif\"\n[[stage]]\nuse = "
          "\"noise\"\n[output]\npictures = []\n");
    expect_refused({"build", "p.toml"}, "p_elevation.tif is an input");
}

TEST_F(KeptFiles, equal_names_among_outputs_are_refused) {
    for (const char* lists : {"formats = [\"geotiff\", \"geotiff\"]", "pictures = [\"map\", \"map\"]",
                              "networks = [\"gpkg\", \"gpkg\"]\npictures = [\"map\", \"view\", \"map\"]"}) {
        write_project(lists);
        expect_refused({"build", "p.toml"}, "would both be p_");
    }
    write_project("formats = [\"png16\"]\npictures = [\"map\"]",
                  "use = \"noise\"\nlayer = \"map\"\n[[stage]]\n"
                  "use = \"noise\"");
    expect_refused({"build", "p.toml"}, "layer \"map\" as png16 and picture map would both be p_map.png");
    write_project("pictures = [\"layers\"]\nformats = [\"png16\"]",
                  "use = \"noise\"\n[[stage]]\nuse = \"noise\"\nlayer = \"elevation_map\"");
    expect_refused({"build", "p.toml"}, "p_elevation_map.png");
}

TEST_F(KeptFiles, folder_outside_the_working_one_is_refused_unless_the_user_names_it) {
    fs::create_directories(path("inner/work"));
    for (const std::string& outside :
         {std::string("../.."), std::string("a/../../b"), path("there").string()}) {
        write_project("pictures = []\ndirectory = \"" + outside + "\"");
        expect_refused({"build", "p.toml"}, "is not allowed: give a folder below the working one");
    }
    expect_done({"build", "p.toml", "--out", path("there").string()});
    expect_done({"build", "p.toml", "--set", "output.directory=" + path("there").string()});
    EXPECT_TRUE(fs::exists(path("there/p_elevation.tif")));
    write_project("pictures = []\ndirectory = \"a/../b\"");
    expect_done({"build", "p.toml"});
}

TEST_F(KeptFiles, manifest_of_another_program_is_not_replaced) {
    fs::create_directory(path("out"));
    write("out/manifest.json", "{\"name\": \"a web page\"}");
    write("out/frames.json", "no JSON");
    write_project("pictures = []", "use = \"noise\"\n[[stage]]\nuse = \"erode\"");
    expect_refused({"build", "p.toml"}, "manifest.json is of another program");
    expect_refused({"build", "p.toml", "--times", "0,1e5"}, "frames.json is of another program");
    EXPECT_EQ(read("out/manifest.json"), "{\"name\": \"a web page\"}");
    expect_done({"build", "p.toml", "--out", "other"});
    expect_done({"build", "p.toml", "--out", "other"});
}

TEST_F(KeptFiles, manifest_holds_no_folder_of_the_machine) {
    write_terrain("dem.tif");
    write_project("pictures = []", "use = \"import\"\nfile = \"" + path("dem.tif").string() + "\"");
    write("p.toml", "[grid]\nfrom = \"dem.tif\"\n[[stage]]\nuse = \"import\"\nfile = \"" +
                        path("dem.tif").string() + "\"\n[[stage]]\nuse = \"erode\"\nprecipitation = \"" +
                        path("rain.tif").string() + "\"\n[output]\npictures = []\n");
    Field<float> rain(read_raster_info(path("dem.tif")).grid, 1.0F);
    write_raster(path("rain.tif"), rain, RasterFormat::GeoTiff);
    expect_done({"build", "p.toml"});
    EXPECT_THAT(read("out/manifest.json"), Not(HasSubstr(path("").string())));
    const auto stages = nlohmann::json::parse(read("out/manifest.json"))["stages"];
    EXPECT_EQ(stages[0]["parameters"]["file"], "dem.tif");
    EXPECT_EQ(stages[1]["parameters"]["precipitation_factor"], "rain.tif");
}

TEST_F(KeptFiles, replaced_output_keeps_its_mode_and_the_link_to_it) {
    write_terrain("dem.tif");
    fs::create_directory(path("disk"));
    write("disk/area.tif", "old");
    ::chmod(path("disk/area.tif").c_str(), 0640);
    fs::create_symlink("disk/area.tif", path("area.tif"));
    fs::create_symlink("disk/to.tif", path("to.tif"));
    expect_done({"flow", "dem.tif", "-o", "area.tif", "--also", "receiver=to.tif"});
    EXPECT_TRUE(fs::is_symlink(path("area.tif")));
    EXPECT_TRUE(fs::is_symlink(path("to.tif")));
    EXPECT_TRUE(fs::exists(path("disk/to.tif")));
    EXPECT_EQ(fs::status(path("disk/area.tif")).permissions(), fs::perms{0640});
    EXPECT_EQ(read_raster_info(path("disk/area.tif")).grid.columns, 48);
}

TEST_F(KeptFiles, pipe_takes_an_output_and_stays_a_pipe) {
    write_terrain("dem.tif");
    expect_done({"flow", "dem.tif", "-o", "file.tif"});
    ASSERT_EQ(::mkfifo(path("pipe.tif").c_str(), 0600), 0);
    std::string carried;
    std::thread reader([&] { carried = read("pipe.tif"); });
    const Ran ran = run({"flow", "dem.tif", "-o", "pipe.tif"});
    if (ran.exit_code != 0 || !fs::is_fifo(path("pipe.tif"))) std::ofstream(path("pipe.tif")) << "";
    reader.join();
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_TRUE(fs::is_fifo(path("pipe.tif")));
    EXPECT_EQ(carried, read("file.tif"));
}

TEST_F(KeptFiles, of_an_earlier_build_are_removed_where_this_one_writes_them_no_more) {
    write_project("formats = [\"geotiff\", \"exr\"]\npictures = [\"map\"]",
                  "use = \"noise\"\n[[stage]]\nuse = "
                  "\"flow\"");
    expect_done({"build", "p.toml", "--no-cache"});
    EXPECT_THAT(files(), IsSupersetOf({"out/p_slope.exr", "out/p_map.png"}));
    write("out/mine.txt", "mine");
    write("out/p_slope.exr", "changed by me");
    expect_done({"build", "p.toml", "--no-cache", "--set", "output.formats=geotiff", "--set",
                 "output.layers=elevation", "--set", "output.pictures="});
    EXPECT_THAT(files(), ElementsAre("out/manifest.json", "out/mine.txt", "out/p_elevation.tif",
                                     "out/p_slope.exr", "p.toml"));
    expect_done({"build", "p.toml", "--no-cache", "--set", "project.name=q", "--set", "output.pictures="});
    EXPECT_THAT(files(), Contains("out/p_elevation.tif"));
}

TEST_F(KeptFiles, of_a_longer_series_are_removed_but_for_one_that_is_an_input) {
    write_terrain("dem.tif");
    expect_done({"erode", "dem.tif", "--times", "0:1e4:5", "-o", "f"});
    EXPECT_THAT(files(), Contains("f/elevation_0004.tif"));
    expect_done({"erode", "f/elevation_0004.tif", "--times", "0:1e4:2", "-o", "f"});
    EXPECT_THAT(files(), ElementsAre("dem.tif", "f/elevation_0000.tif", "f/elevation_0001.tif",
                                     "f/elevation_0004.tif", "f/frames.json"));
}

TEST_F(KeptFiles, names_that_stand_for_no_cells_are_refused_for_layers) {
    for (const char* name : {"rivers", "lakes", "hack", "chi_profiles", "analyses", "all"})
        expect_refused({"noise", "--cells", "16", "--layer", name, "-o", "k.gpkg"}, "give another name");
    write_project("pictures = []", "use = \"noise\"\nlayer = \"hack\"");
    expect_refused({"build", "p.toml"}, "an analysis, give another name");
}

TEST_F(KeptFiles, layer_that_a_stage_is_told_to_make_is_written) {
    write_project("pictures = []", "use = \"noise\"\nlayer = \"chi\"");
    expect_done({"build", "p.toml"});
    EXPECT_THAT(files(), Contains("out/p_chi.tif"));
}

}  // namespace
}  // namespace thalweg
