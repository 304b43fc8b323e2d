// Every input that can't be worked on gets one clear sentence and exit code 2, and leaves nothing behind.
#include "thalweg/io/raster.hpp"

#include <algorithm>
#include <limits>

#include "tests/cli/program.hpp"
#include "tests/sanitizers.hpp"
#include <gmock/gmock.h>
#include <unistd.h>

namespace thalweg {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;
constexpr std::uintmax_t kMebibyte = 1024 * 1024;

class BadInput : public Program {
  protected:
    /// Expects a refusal in one sentence that holds every one of `words`, and no new file.
    void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words,
                        const Surroundings& surroundings = {}) const {
        expect_ended(kWrongInput, arguments, words, surroundings);
    }

    /// Expects the same of work that fails.
    void expect_failed(const std::vector<std::string>& arguments, const std::vector<std::string>& words,
                       const Surroundings& surroundings = {}) const {
        expect_ended(kFailed, arguments, words, surroundings);
    }

    void expect_ended(int exit_code, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words, const Surroundings& surroundings) const {
        const std::vector<std::string> before = files();
        const Ran ran = run(arguments, surroundings);
        EXPECT_EQ(ran.exit_code, exit_code) << ran.errors;
        EXPECT_EQ(ran.output, "");
        EXPECT_THAT(ran.errors, StartsWith("thalweg: "));
        EXPECT_EQ(std::count(ran.errors.begin(), ran.errors.end(), '\n'), 1) << ran.errors;
        for (const std::string& word : words) EXPECT_THAT(ran.errors, HasSubstr(word));
        EXPECT_EQ(files(), before);
    }

    void write_field(const std::string& name, int columns, int rows, const std::vector<float>& values) const {
        Grid grid{.columns = columns, .rows = rows, .cell_size = 30.0};
        Field<float> field(grid);
        std::copy(values.begin(), values.end(), field.begin());
        write_raster(path(name), field, RasterFormat::GeoTiff);
    }
};

TEST_F(BadInput, missing_raster_is_named) {
    for (const std::string verb : {"erode", "rivers", "flow"})
        expect_refused({verb, "nowhere.tif", "-o", verb == "rivers" ? "out.gpkg" : "out.tif"},
                       {"nowhere.tif"});
}

TEST_F(BadInput, grid_by_its_cells_is_whole_and_alone) {
    const auto refused = [this](std::vector<std::string> arguments, const std::vector<std::string>& words) {
        arguments.insert(arguments.begin(), "rain");
        arguments.insert(arguments.end(), {"-o", "out.tif"});
        expect_refused(arguments, words);
    };
    refused({"--columns", "0", "--rows", "5"}, {"columns = 0 is not allowed", "from 1"});
    refused({"--columns", "5", "--rows", "-2"}, {"rows = -2 is not allowed"});
    refused({"--columns", "5"}, {"--columns is given without --rows"});
    refused({"--rows", "5"}, {"--rows is given without --columns"});
    refused({"--columns", "1", "--rows", "1"}, {"1 x 1 cells"});
    refused({"--columns", "1000000", "--rows", "1000000"}, {"1000000 x 1000000 cells"});
    refused({"--cell-size", "5"}, {"--cell-size is given without --columns and --rows"});
    refused({"--columns", "5", "--rows", "5", "--cell-size", "0"}, {"cell_size = 0.0 m is not allowed"});
    refused({"--columns", "5", "--rows", "5", "--cells", "5"}, {"--columns and --cells are given"});
    refused({"--events", "-1"}, {"events = -1 is not allowed"});
    refused({"--landslide", "0"}, {"landslide = 0.0 unit is not allowed"});
    refused({"--start", "terrain", "--columns", "5", "--rows", "5"}, {"there is no layer \"elevation\""});
    write_terrain("dem.tif");
    refused({"dem.tif", "--columns", "5", "--rows", "5"}, {"dem.tif and --columns are given"});
    refused({"nowhere.tif"}, {"nowhere.tif"});
}

TEST_F(BadInput, elevation_that_is_no_terrain_is_refused) {
    write("high.asc", "ncols 3\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 1e30\n");
    expect_refused({"flow", "high.asc", "-o", "out.tif"}, {"high.asc holds an elevation of 1e+30 m"});
    expect_refused({"import", "high.asc", "--from", "high.asc", "-o", "out.tif"},
                   {"high.asc holds an elevation of 1e+30 m"});
}

TEST_F(BadInput, raster_in_degrees_that_breaks_off_is_named_as_it_was_typed) {
    write("degrees.asc", "ncols 3\nnrows 2\nxllcorner 8\nyllcorner 47\ncellsize 0.01\n1 2 3\n4 5 6\n");
    EXPECT_EQ(run({"flow", "--reproject", "degrees.asc", "-o", "out.tif"}).exit_code, 0);
    write("degrees.asc", "ncols 3\nnrows 2\nxllcorner 8\nyllcorner 47\ncellsize 0.01\n1 2 3\n4");
    const Ran ran = run({"flow", "--reproject", "degrees.asc", "-o", "other.tif"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.errors, HasSubstr("degrees.asc "));
    EXPECT_THAT(ran.errors, Not(HasSubstr("vrt")));
}

TEST_F(BadInput, truncated_raster_is_named) {
    write_terrain("whole.tif", 200);
    const std::string bytes = read("whole.tif");
    write("half.tif", bytes.substr(0, bytes.size() / 2));
    expect_refused({"erode", "half.tif", "-o", "out.tif"}, {"half.tif"});
    write("start.tif", bytes.substr(0, 100));
    expect_refused({"erode", "start.tif", "-o", "out.tif"}, {"start.tif"});
}

TEST_F(BadInput, text_that_is_called_a_raster_is_named) {
    write("poem.tif", "The river knows\n");
    expect_refused({"erode", "poem.tif", "-o", "out.tif"}, {"poem.tif"});
    expect_refused({"info", "poem.tif"}, {"poem.tif"});
    expect_refused({"info", "-"},
                   {"standard input can't be opened as a raster: it is in no format that GDAL"},
                   {.input = "The river knows\n"});
    expect_refused({"erode", "-", "-o", "out.tif"}, {"standard input"}, {.input = ""});
}

TEST_F(BadInput, raster_without_any_data_is_named) {
    write_field("empty.tif", 4, 4, std::vector<float>(16, kNoData));
    expect_refused({"erode", "empty.tif", "-o", "out.tif"}, {"empty.tif", "data"});
    expect_refused({"rivers", "empty.tif", "-o", "out.gpkg"}, {"empty.tif"});
}

TEST_F(BadInput, times_that_make_no_frames_are_refused) {
    write_terrain("dem.tif");
    const auto refuse = [&](const std::string& times, const std::vector<std::string>& words) {
        expect_refused({"erode", "dem.tif", "--times", times, "-o", "frames"}, words);
    };
    refuse("", {"--times \"\" is not allowed"});
    refuse("0:1e6:1", {"the count is 1"});
    refuse("-5:1e6:3", {"the time -5 yr is negative"});
    refuse("nan:1e6:3", {"\"nan\" is not a number"});
    refuse("0:inf:3", {"finite ends"});
    refuse("2e5:1e5:3", {"must end after its start"});
    refuse("0:1e6:10001", {"at most 10000 frames"});
    for (const std::string output : {"dem.tif", "new.tif", "-", ""})
        expect_refused({"erode", "dem.tif", "--times", "0:1e5:2", "-o", output}, {"folder for the frames"});
    expect_refused({"erode", "dem.tif", "--times", "0:1e5:2", "--time", "5", "-o", "frames"},
                   {"--time is not allowed beside --times"});
    expect_refused({"erode", "dem.tif", "--times", "0:1e5:2", "--repeat", "5", "-o", "frames"},
                   {"--repeat is not allowed beside --times"});
    const auto refuse_also = [&](const std::string& also, const std::string& word,
                                 const char* times = "0,1e5") {
        expect_refused({"erode", "dem.tif", "--times", times, "--also", also, "-o", "frames"}, {word});
    };
    refuse_also("elevation=e/e.tif", "give a name without a folder");
    refuse_also("wear=elevation.tif", "would both be elevation.tif");
    refuse_also("waer=w.tif", "did you mean \"wear\"?");
    refuse_also("wear=w.jpg", ".jpg");
    refuse_also(
        "wear=w.tif",
        "frame at steady state: --also wear=w.tif: erode leaves no \"wear\" so: it takes a finite time",
        "0,inf");
    expect_refused({"noise", "--times", "0:1e5:2", "-o", "frames"}, {"--times"});
    const std::vector<std::string> frames = {"erode", "dem.tif", "--times", "0:1e5:2", "-o", "frames"};
    const auto refuse_with = [&](std::vector<std::string> more, const std::vector<std::string>& words) {
        more.insert(more.begin(), frames.begin(), frames.end());
        expect_refused(more, words);
    };
    refuse_with({"--animation", "a.gif"}, {"--animation a.gif", "ends in .webp"});
    refuse_with({"--frame-rate", "5"}, {"--frame-rate is for an animation: add --animation"});
    refuse_with({"--animation", "a.webp", "--frame-rate", "0"}, {"frame_rate = 0", "from 0.1 to 60"});
    refuse_with({"--animation", "a.webp", "--animation-size", "9999"}, {"from 64 to 2048 pixels"});
    refuse_with({"--animation-layer", "slope"}, {"--animation-layer is for an animation: add --animation"});
    refuse_with({"--animation", "a.webp", "--animation-layer", "slops"},
                {"--animation-layer names \"slops\"", "did you mean \"slope\"?"});
    expect_refused({"erode", "dem.tif", "-o", "a.tif", "--animation", "a.webp"},
                   {"--animation needs frames: add --times"});
    write("flat.toml", "[grid]\ncells = 16\n[[stage]]\nuse = \"noise\"\n");
    expect_refused({"build", "flat.toml", "--times", "0:1e5:2"},
                   {"--times: frames need a stage that knows time"});
    expect_refused({"build", "flat.toml", "--every", "1e5"},
                   {"--every: frames need a stage that knows time, such as erode, and flat.toml has none"});
    expect_refused({"build", "flat.toml", "--times", "0:1e5:2", "--dry-run"},
                   {"frames need a stage that knows time"});
    expect_refused({"erode", "dem.tif", "--every", "1e5", "-o", "frames"},
                   {"--every 1e5", "time of erode is inf"});
    expect_refused({"erode", "dem.tif", "--every", "1e5", "--times", "0,1", "-o", "frames"},
                   {"--times and --every are given"});
    expect_refused({"erode", "dem.tif", "--time", "1e5", "--every", "5e4", "-o", ""},
                   {"--out \"\" is not allowed with --every: name a folder"});
    expect_refused({"erode", "dem.tif", "--frames", "frames"},
                   {"--frames needs frames: add --times or --every"});
    refuse_with({"--frames", "other"}, {"--out frames and --frames other are given: name one folder"});
    expect_refused({"rain", "--times", "0,100", "--events", "5", "--frames", "frames"},
                   {"--events is not allowed beside --times"});
    write("aged.toml", "[grid]\ncells = 16\n[[stage]]\nuse = \"noise\"\n[[stage]]\nuse = \"erode\"\n");
    expect_refused({"build", "aged.toml", "--times", "0:1e5:x", "--dry-run"}, {"\"x\" is not a number"});
}

TEST_F(BadInput, frames_that_do_not_fit_into_memory_are_foretold) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take more address space than there is memory";
    write_terrain("dem.tif", 1500);
    expect_refused({"erode", "dem.tif", "--times", "0:1e5:2", "-o", "frames", "--threads", "1"},
                   {"of memory and", "is available: take fewer cells"},
                   {.largest_address_space = 500 * kMebibyte});
}

TEST_F(BadInput, raster_of_one_cell_is_refused) {
    write_field("one.tif", 1, 1, {7.0F});
    for (const std::string verb : {"erode", "flow"})
        expect_refused({verb, "one.tif", "-o", "out.tif"}, {"one.tif", "1 x 1"});
    expect_refused({"rivers", "one.tif", "-o", "out.gpkg"}, {"one.tif", "1 x 1"});
    for (const std::string flag : {"--no-legend", "--view", "--layer=slope", "--min-area=5"})
        expect_refused({"render", "one.tif", flag, "-o", "out.png"}, {"one.tif", "1 x 1"});
    expect_refused({"render", "-", "-o", "out.png"}, {"standard input", "1 x 1"}, {.input = read("one.tif")});
    expect_refused({"import", "--file", "one.tif", "--cells", "1", "-o", "out.tif"}, {"1 x 1"});
    write("one.toml", "[grid]\nfrom = \"one.tif\"\n[[stage]]\nuse = \"import\"\nfile = \"one.tif\"\n");
    expect_refused({"build", "one.toml"}, {"one.toml:2", "one.tif", "1 x 1"});
}

TEST_F(BadInput, sources_that_cannot_be_are_refused_with_what_is_allowed) {
    write_terrain("dem.tif");
    for (const auto& [text, words] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {"1000,200", {"sources", "x,y,area"}},
             {"1000,here,1e9", {"y", "here", "a number"}},
             {"1000,200,0", {"area", "0", "above 0"}},
             {"-1e7,0,1e9", {"source 1", "-10000000", "outside the terrain"}}})
        expect_refused({"erode", "dem.tif", "--sources=" + text, "-o", "out.tif"}, words);
}

TEST_F(BadInput, raster_too_small_to_erode_is_refused_with_the_least_size) {
    write_field("strip.tif", 2, 3, std::vector<float>(6, 1.0F));
    expect_refused({"erode", "strip.tif", "-o", "out.tif"}, {"2 x 3", "at least 3 x 3"});
}

TEST_F(BadInput, raster_without_any_number_is_refused) {
    write_bare_raster("nan.img", 4, 4, 1, std::vector<float>(16, kNoData));
    expect_refused({"flow", "nan.img", "-o", "out.tif"}, {"nan.img", "all 4 x 4 cells are no-data"});
}

TEST_F(BadInput, raster_for_a_parameter_keeps_to_its_range) {
    write_field("dem.tif", 5, 5, std::vector<float>(25, 100.0F));
    std::vector<float> values(25, 0.001F);
    values[13] = 5.5F;
    write_field("fast.tif", 5, 5, values);
    expect_refused({"erode", "dem.tif", "--uplift", "fast.tif", "-o", "out.tif"},
                   {"fast.tif at column 3, row 2: uplift = 5.5 m/yr", "from -1 to 1 m/yr"});
    values[13] = 0.0F;
    write_field("hard.tif", 5, 5, values);
    expect_refused({"erode", "dem.tif", "--erodibility", "hard.tif", "-o", "out.tif"},
                   {"hard.tif", "erodibility = 0.0 m^(1-2m)/yr", "above 0 up to 1"});
    values[13] = -0.1F;
    write_field("dry.tif", 5, 5, values);
    expect_refused({"erode", "dem.tif", "--precipitation-factor", "dry.tif", "-o", "out.tif"},
                   {"dry.tif", "precipitation_factor = -0.1 is", "from 0 to 100"});
}

TEST_F(BadInput, raster_for_a_parameter_has_a_value_wherever_there_is_elevation) {
    write_field("dem.tif", 5, 5, std::vector<float>(25, 100.0F));
    std::vector<float> values(25, 0.001F);
    values[3] = values[12] = kNoData;
    write_field("gaps.tif", 5, 5, values);
    expect_refused({"erode", "dem.tif", "--uplift", "gaps.tif", "-o", "out.tif"},
                   {"gaps.tif has no uplift at 2 of 25 cells", "from -1 to 1 m/yr"});
    write_bare_raster("nan.img", 5, 5, 1, values);
    expect_refused({"erode", "dem.tif", "--erodibility", "nan.img", "-o", "out.tif"},
                   {"nan.img has no erodibility at 2 of 25 cells", "NaN", "above 0 up to 1"});
}

TEST_F(BadInput, raster_for_a_parameter_covers_the_terrain_to_within_one_cell) {
    write_field("dem.tif", 6, 5, std::vector<float>(30, 100.0F));
    write_field("narrow.tif", 4, 5, std::vector<float>(20, 0.001F));
    expect_refused({"erode", "dem.tif", "--uplift", "narrow.tif", "-o", "out.tif"},
                   {"narrow.tif ends 45 m short of the terrain", "30 m"});
}

TEST_F(BadInput, raster_of_nothing_but_infinities_is_refused) {
    write_field("endless.tif", 4, 4, std::vector<float>(16, std::numeric_limits<float>::infinity()));
    expect_refused({"erode", "endless.tif", "-o", "out.tif"}, {"endless.tif"});
}

TEST_F(BadInput, negative_time_names_what_is_allowed) {
    write_terrain("dem.tif");
    expect_refused({"erode", "dem.tif", "--time", "-5", "-o", "out.tif"}, {"time", "-5", "0"});
    expect_refused({"erode", "dem.tif", "--time=-5", "-o", "out.tif"}, {"time", "-5", "0"});
    expect_refused({"erode", "dem.tif", "--time", "nan", "-o", "out.tif"}, {"time"});
    expect_refused({"erode", "dem.tif", "--time", "long", "-o", "out.tif"}, {"time", "long"});
}

TEST_F(BadInput, slope_exponent_at_a_finite_time_names_the_method_that_takes_it) {
    write_terrain("dem.tif");
    expect_refused({"erode", "dem.tif", "--time", "1e5", "--slope-exponent", "2", "-o", "out.tif"},
                   {"slope_exponent = 2", "time = inf", "method = \"stepping\""});
    expect_refused({"erode", "dem.tif", "--method", "guessing", "-o", "out.tif"},
                   {"guessing", "fixed_point"});
}

TEST_F(BadInput, unknown_command_names_the_nearest) {
    expect_refused({"erodes"}, {"erodes", "erode"});
    expect_refused({"xyzzy"}, {"xyzzy", "--help"});
}

TEST_F(BadInput, unknown_flag_names_the_nearest) {
    write_terrain("dem.tif");
    expect_refused({"erode", "dem.tif", "--tme", "5", "-o", "out.tif"}, {"--tme", "--time"});
    expect_refused({"erode", "dem.tif", "--tme=5", "-o", "out.tif"}, {"--tme", "--time"});
    expect_refused({"erode", "dem.tif", "--no-hilslope", "-o", "out.tif"},
                   {"--no-hilslope", "--no-hillslope"});
}

TEST_F(BadInput, missing_and_surplus_arguments_are_named) {
    write_terrain("dem.tif");
    expect_refused({"erode"}, {"DEM"});
    expect_refused({"erode", "dem.tif"}, {"--out"});
    expect_refused({"erode", "dem.tif", "-o"}, {"-o"});
    expect_refused({"erode", "dem.tif", "other.tif", "-o", "out.tif"}, {"other.tif"});
    expect_refused({"build"}, {"PROJECT.toml"});
}

TEST_F(BadInput, unknown_key_of_a_project_is_named_with_its_place_and_the_nearest) {
    write("bad.toml", "[project]\nname = \"bad\"\n[[stage]]\nuse = \"erode\"\ntme = 5.0\n");
    expect_refused({"build", "bad.toml"}, {"bad.toml:5", "tme", "time"});
}

TEST_F(BadInput, unknown_stage_of_a_project_is_named) {
    write("bad.toml", "[[stage]]\nuse = \"eroode\"\n");
    expect_refused({"build", "bad.toml"}, {"bad.toml:2", "eroode", "erode"});
}

TEST_F(BadInput, broken_project_file_is_named_with_its_place) {
    write("bad.toml", "[project\nname = \"bad\"\n");
    expect_refused({"build", "bad.toml"}, {"bad.toml:1"});
    expect_refused({"build", "missing.toml"}, {"missing.toml"});
}

TEST_F(BadInput, wrong_assignment_is_named) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    expect_refused({"build", "valley.toml", "--set", "history.tme=5"}, {"tme", "time"});
    expect_refused({"build", "valley.toml", "--set", "nonsense"}, {"nonsense"});
    expect_refused({"build", "valley.toml", "--set", "grid.extent=[1, 2"}, {"--set", "[1, 2", "extent"});
    expect_refused({"build", "valley.toml", "--set", "grid.extent=[1, -2]"}, {"extent", "greater than 0"});
    expect_refused({"build", "valley.toml", "--set", "project.name=\"a\"b"}, {"\"a\"b", "name"});
    expect_refused({"build", "valley.toml", "--cells", "-3"}, {"cells", "-3"});
    expect_refused({"build", "valley.toml", "--seed", "x"}, {"seed", "x"});
}

TEST_F(BadInput, output_in_a_missing_folder_is_named_before_any_work) {
    write_terrain("dem.tif");
    expect_refused({"erode", "dem.tif", "-o", "nowhere/out.tif"}, {"nowhere/out.tif"});
    expect_refused({"erode", "dem.tif", "-o", "out.tif", "--also", "drainage_area=nowhere/area.tif"},
                   {"nowhere/area.tif"});
    expect_refused({"erode", "dem.tif", "-o", "out.tif", "--report", "nowhere/report.json"},
                   {"nowhere/report.json"});
}

TEST_F(BadInput, output_that_can_not_be_written_is_named) {
    write_terrain("dem.tif");
    std::filesystem::create_directory(path("out.tif"));
    expect_refused({"erode", "dem.tif", "-o", "out.tif"}, {"out.tif"});
    // No one makes files there, not even root.
    expect_refused({"erode", "dem.tif", "-o", "/proc/out.tif"}, {"/proc/out.tif"});
    expect_refused({"erode", "dem.tif", "-o", "other.tif", "--report", "/proc/r.json"}, {"/proc/r.json"});
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    expect_refused({"build", "valley.toml", "--cells", "64", "--out", "/proc/valley"}, {"/proc/valley"});
}

TEST_F(BadInput, output_with_an_unknown_extension_is_named) {
    write_terrain("dem.tif");
    expect_refused({"erode", "dem.tif", "-o", "out.bmp"}, {"out.bmp", ".tif"});
    expect_refused({"rivers", "dem.tif", "-o", "out.tif"}, {"out.tif", ".gpkg"});
}

TEST_F(BadInput, input_is_never_overwritten) {
    write_terrain("dem.tif");
    std::filesystem::create_symlink("dem.tif", path("link.tif"));
    const std::string before = read("dem.tif");
    expect_refused({"erode", "dem.tif", "-o", "dem.tif"}, {"dem.tif"});
    expect_refused({"erode", "dem.tif", "-o", "link.tif"}, {"link.tif"});
    expect_refused({"erode", "dem.tif", "-o", "./x/../dem.tif"}, {"dem.tif"});
    expect_refused({"erode", "dem.tif", "-o", "out.tif", "--report", "dem.tif"}, {"dem.tif"});
    EXPECT_EQ(read("dem.tif"), before);
}

TEST_F(BadInput, input_is_never_overwritten_by_a_frame) {
    std::filesystem::create_directory(path("frames"));
    write_terrain("frames/elevation_0001.tif");
    write_terrain("rain.tif");
    std::filesystem::create_symlink("../rain.tif", path("frames/elevation_0000.tif"));
    const std::string before = read("frames/elevation_0001.tif");
    const std::vector<std::string> words = {"is an input and would be overwritten: name another folder"};
    expect_refused({"erode", "frames/elevation_0001.tif", "--times", "0,1e5", "-o", "frames"}, words);
    expect_refused({"erode", "frames/elevation_0001.tif", "--times", "0,1e5", "-o", "x/../frames"}, words);
    write_terrain("dem.tif");
    expect_refused(
        {"erode", "dem.tif", "--times", "0,1e5", "--precipitation-factor", "rain.tif", "-o", "frames"},
        {"elevation_0000.tif is an input"});
    expect_refused({"erode", "dem.tif", "--times", "0,1e5", "-o", "f", "--precipitation-factor", "dem.webp",
                    "--animation", "dem.webp"},
                   {"dem.webp"});
    EXPECT_EQ(read("frames/elevation_0001.tif"), before);
}

TEST_F(BadInput, report_or_animation_in_a_file_of_the_frames_is_refused) {
    write_terrain("dem.tif");
    std::filesystem::create_directory(path("frames"));
    write("valley.toml",
          "[project]\nname = \"v\"\n[grid]\ncells = 16\n[[stage]]\nuse = \"noise\"\n"
          "[[stage]]\nuse = \"erode\"\n[output]\npictures = []\n");
    for (std::vector<std::string> verb : {std::vector<std::string>{"erode", "dem.tif", "-o", "frames"},
                                          {"build", "valley.toml", "--out", "frames"}}) {
        const std::string first = verb[0] == "erode" ? "elevation_0000.tif" : "v_elevation_0000.tif";
        const auto refuse_with = [&](const std::vector<std::string>& more) {
            std::vector<std::string> arguments = verb;
            arguments.insert(arguments.end(), {"--times", "0,1e5"});
            arguments.insert(arguments.end(), more.begin(), more.end());
            expect_refused(arguments, {more.back(), "is named for two outputs"});
        };
        refuse_with({"--report", "frames/frames.json"});
        refuse_with({"--report", "frames/" + first});
        refuse_with({"--animation", "a.webp", "--report", "a.webp"});
    }
    EXPECT_EQ(files(), (std::vector<std::string>{"dem.tif", "valley.toml"}));
}

TEST_F(BadInput, input_is_never_overwritten_by_a_build) {
    std::filesystem::create_directory(path("out"));
    write_terrain("out/v_elevation.tif");
    write_terrain("out/v_elevation_0000.tif");
    const auto project = [&](const std::string& file) {
        write("v.toml", "[project]\nname = \"v\"\n[grid]\nfrom = \"" + file +
                            "\"\n[[stage]]\nuse = \"import\"\nfile = \"" + file +
                            "\"\n[[stage]]\nuse = \"erode\"\n[output]\npictures = []\n");
    };
    project("out/v_elevation.tif");
    expect_refused({"build", "v.toml", "--out", "out"}, {"v_elevation.tif is an input"});
    project("out/v_elevation_0000.tif");
    expect_refused({"build", "v.toml", "--out", "out", "--times", "0,1e5"},
                   {"v_elevation_0000.tif is an input"});
}

TEST_F(BadInput, two_results_in_one_file_are_refused) {
    write_terrain("dem.tif");
    expect_refused({"erode", "dem.tif", "-o", "out.tif", "--report", "out.tif"}, {"out.tif"});
    expect_refused({"erode", "dem.tif", "-o", "-", "--report", "-"}, {"standard output"});
}

TEST_F(BadInput, unknown_layer_to_write_names_the_known) {
    write_terrain("dem.tif");
    expect_refused({"flow", "dem.tif", "-o", "out.tif", "--also", "aria=a.tif"}, {"aria", "drainage_area"});
    expect_refused({"flow", "dem.tif", "-o", "out.tif", "--also", "drainage_area"}, {"layer=FILE"});
    expect_refused({"flow", "dem.tif", "-o", "out.tif", "--also", "sloppe=a.tif"},
                   {"there is no layer \"sloppe\" (did you mean \"slope\"?)"});
    expect_refused({"flow", "dem.tif", "-o", "out.tif", "--also", "wera=a.tif"},
                   {"there is no layer \"wera\" (did you mean \"wear\"?)"});
    expect_refused({"flow", "dem.tif", "-o", "out.tif", "--also", "wear=a.tif"}, {"flow leaves no \"wear\""});
    expect_refused(
        {"erode", "dem.tif", "-o", "out.tif", "--also", "deposit=a.tif"},
        {"erode leaves no \"deposit\" so: it takes a finite time, because a steady state has no start"});
}

TEST_F(BadInput, layer_that_is_sent_to_two_files_is_refused_with_both) {
    write_terrain("dem.tif");
    expect_refused({"flow", "dem.tif", "-o", "out.tif", "--also", "slope=a.tif", "--also", "slope=b.tif"},
                   {"slope", "a.tif", "b.tif"});
}

TEST_F(BadInput, output_without_a_name_is_refused) {
    write_terrain("dem.tif");
    expect_refused({"flow", "dem.tif", "-o", ""}, {"--out \"\"", "standard output"});
    expect_refused({"render", "dem.tif", "-o", ""}, {".png"});
    expect_refused({"new", "valley", "-o", ""}, {"--out \"\""});
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    expect_refused({"build", "valley.toml", "--out", ""}, {"--out \"\"", "folder"});
}

TEST_F(BadInput, build_does_not_stream_its_files) {
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    expect_refused({"build", "valley.toml", "--out", "-"}, {"--out -", "several files", "folder"});
}

TEST_F(BadInput, disk_that_is_full_is_named) {
    write_terrain("dem.tif", 200);
    expect_failed({"erode", "dem.tif", "-o", "out.tif"}, {"thalweg: out.tif can't be written"},
                  {.largest_file_size = 4096});
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    expect_failed({"build", "valley.toml", "--cells", "64", "--progress", "none", "--out", "out"},
                  {"thalweg: out/valley_"}, {.largest_file_size = 4096});
}

TEST_F(BadInput, project_that_needs_more_memory_than_there_is_tells_both_figures) {
    constexpr double kCells = 46000.0 * 46000.0;
    constexpr double kLeastBytesPerCell = 40.0;  // erosion takes more
    const double memory =
        static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (memory > kCells * kLeastBytesPerCell)
        GTEST_SKIP() << "this machine has memory enough for the largest grid";
    ASSERT_EQ(run({"new", "valley"}).exit_code, 0);
    expect_refused({"build", "valley.toml", "--cells", "46000"}, {"memory", "available"});
    expect_refused({"noise", "--cells", "1000000", "-o", "out.tif"}, {"1000000"});
}

TEST_F(BadInput, run_that_does_not_fit_into_its_address_space_is_refused_before_any_work) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take more address space than there is memory";
    const Surroundings small{.largest_address_space = 600 * kMebibyte};
    expect_refused({"noise", "--cells", "8000", "-o", "out.tif", "--threads", "2"},
                   {"this needs about", "MiB is available"}, small);
    write_field("dem.tif", 100, 100, std::vector<float>(10000, 1.0F));
    for (const std::string size : {"--size=8000", "--view"})
        expect_refused({"render", "dem.tif", "-o", "out.png", size, "--threads", "2",
                        size == "--view" ? "--width=8000" : "--no-legend"},
                       {"this needs about", "MiB is available"}, small);
    expect_refused({"flow", "dem.tif", "-o", "out.tif"}, {"this needs about 64 MiB"},
                   {.largest_address_space = 250 * kMebibyte});
}

TEST_F(BadInput, lack_of_memory_in_the_midst_of_work_is_one_sentence) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take more address space than there is memory";
    constexpr std::uintmax_t kCells = 16000;
    write("large.r16", "");  // which is read whole
    std::filesystem::resize_file(path("large.r16"), kCells * kCells * sizeof(std::uint16_t));
    expect_refused({"info", "large.r16", "--height-range", "0,1"}, {"there is not enough memory for this"},
                   {.largest_address_space = 450 * kMebibyte});
}

TEST_F(BadInput, names_an_input_that_is_empty_text) {
    expect_refused({"erode", "", "--time", "1000", "-o", "out.tif"}, {"\"\" does not exist"});
}

TEST_F(BadInput, ends_with_1_when_standard_output_is_full) {
    const Ran ran = run({"stages"}, {.largest_file_size = 100});
    EXPECT_EQ(ran.exit_code, kFailed);
    EXPECT_THAT(ran.errors, StartsWith("thalweg: standard output can't be written: "));
}

}  // namespace
}  // namespace thalweg
