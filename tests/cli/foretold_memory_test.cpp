// Memory that a run is said to need, beside what it takes.
#include "thalweg/core/execution.hpp"
#include "thalweg/io/raster_windows.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/stages/flow_stage.hpp"
#include "thalweg/project/stages/import_stage.hpp"
#include "thalweg/project/stages/rivers_stage.hpp"
#include "thalweg/project/verb_start.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "program.hpp"
#include "tests/sanitizers.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

class ForetoldMemory : public Program {
  protected:
    void SetUp() override {
        if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
    }

    void make_noise(const std::string& name, int cells) const {
        ASSERT_EQ(run({"noise", "--cells", fmt::format("{}", cells), "-o", name}).exit_code, 0);
    }

    /// What the command took, MiB.
    [[nodiscard]] double peak_of(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--report", "report.json"});
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        return nlohmann::json::parse(read("report.json"))["peak_memory_bytes"].get<double>() / kMebibyte;
    }

    /// What a stage on a raster is said to take, MiB.
    [[nodiscard]] double foretold(const char* stage, const void* parameters, const std::string& raster,
                                  std::vector<NamedFile> files) const {
        Project project = verb_project(find_stage(stage), find_stage(stage).copy_parameters(parameters));
        start_from(project, {.file = path(raster)});
        project.base_directory = path("");
        project.named_files = std::move(files);
        return static_cast<double>(plan_project(project).peak_bytes) / kMebibyte;
    }
};

MATCHER_P(IsWithinAFifthOf, taken, fmt::format("is within 20 % of {}", taken)) {
    return std::abs(arg - taken) <= 0.2 * taken;
}

TEST_F(ForetoldMemory, of_routing_depends_on_the_layers_that_are_written) {
    make_noise("dem.tif", 2400);
    const FlowStageParameters flow;
    EXPECT_THAT(foretold("flow", &flow, "dem.tif", {{"drainage_area", "a.tif"}}),
                IsWithinAFifthOf(peak_of({"flow", "dem.tif", "-o", "a.tif"})));
    EXPECT_THAT(foretold("flow", &flow, "dem.tif",
                         {{"drainage_area", "a.tif"}, {"strahler", "b.tif"}, {"chi", "c.tif"}}),
                IsWithinAFifthOf(peak_of(
                    {"flow", "dem.tif", "-o", "a.tif", "--also", "strahler=b.tif", "--also", "chi=c.tif"})));
    EXPECT_THAT(
        foretold("flow", &flow, "dem.tif", {{"drainage_area", "a.tif"}, {"chi_profiles", "b.json"}}),
        IsWithinAFifthOf(peak_of({"flow", "dem.tif", "-o", "a.tif", "--also", "chi_profiles=b.json"})));
}

TEST_F(ForetoldMemory, of_a_network_grows_with_its_points_and_depends_on_its_file) {
    make_noise("dem.tif", 800);
    RiversParameters rivers;
    rivers.network.min_area = 5000.0;
    rivers.network.spacing = 4.0;
    for (const std::string format : {"gpkg", "geojson"}) {
        const double peak =
            peak_of({"rivers", "dem.tif", "-o", "r." + format, "--min-area", "5000", "--spacing", "4"});
        EXPECT_THAT(foretold("rivers", &rivers, "dem.tif", {{"rivers", "r." + format}}),
                    IsWithinAFifthOf(peak))
            << format;
    }
}

TEST_F(ForetoldMemory, of_an_import_is_that_of_the_raster_that_is_read) {
    make_noise("large.tif", 5000);
    make_noise("small.tif", 64);
    ImportParameters import;
    import.file = "large.tif";
    EXPECT_THAT(foretold("import", &import, "small.tif", {{"elevation", "a.tif"}}),
                IsWithinAFifthOf(peak_of({"import", "large.tif", "--cells", "64", "-o", "a.tif"})));
}

TEST_F(ForetoldMemory, of_describing_a_terrain_grows_with_its_cells) {
    make_noise("dem.tif", 2400);
    const Plan plan = plan_description(read_raster_info(path("dem.tif")).grid);
    EXPECT_THAT(static_cast<double>(plan.peak_bytes) / kMebibyte,
                IsWithinAFifthOf(peak_of({"describe", "dem.tif"})));
}

/// A project that draws so many strokes.
std::string strokes_project(int strokes) {
    std::string text =
        "[project]\nname = \"s\"\n[grid]\nextent = [10000.0, 10000.0]\ncells = 64\n[output]\nlayers = []\n"
        "pictures = []\n[[stage]]\nuse = \"noise\"\n[[stage]]\nuse = \"strokes\"\n";
    for (int i = 0; i < strokes; ++i)
        text += fmt::format("[[stage.strokes]]\npoints = [{}.5, {}.0, 100.0, 300.0]\nradius = 50.0\n",
                            i % 10000, (7 * i) % 10000);
    return text;
}

TEST_F(ForetoldMemory, of_a_project_grows_with_the_rows_of_its_lists) {
    write("strokes.toml", strokes_project(60000));
    const Plan plan = plan_project(read_project(path("strokes.toml")));
    EXPECT_THAT(static_cast<double>(plan.peak_bytes) / kMebibyte,
                IsWithinAFifthOf(peak_of({"build", "strokes.toml", "--out", "out"})));
}

TEST_F(ForetoldMemory, of_many_files_at_once_is_that_of_their_formats) {
    write("formats.toml",
          "[project]\nname = \"f\"\n[grid]\nextent = [20000.0, 20000.0]\ncells = 2400\n[output]\n"
          "layers = [\"elevation\"]\nformats = [\"geotiff\", \"png16\", \"r16\", \"exr\"]\npictures = []\n"
          "[[stage]]\nuse = \"noise\"\n");
    // On a busy machine one thread may write two files after each other.
    constexpr int kRuns = 3;
    double peak = 0.0;
    for (int i = 0; i < kRuns; ++i)
        peak = std::max(peak, peak_of({"build", "formats.toml", "--out", "out", "--threads", "16"}));
    const ExecutionScope on_sixteen_threads({.threads = 16});
    const Plan plan = plan_project(read_project(path("formats.toml")));
    EXPECT_THAT(static_cast<double>(plan.peak_bytes) / kMebibyte, IsWithinAFifthOf(peak));
}

TEST_F(ForetoldMemory, is_little_for_looking_into_a_raster_of_any_size) {
    constexpr int kSide = 20000;
    {
        RasterWriter sparse(path("sparse.tif"), make_grid(kSide * 10.0, kSide * 10.0, kSide), false);
        sparse.write({.first_column = 0, .end_column = 4, .first_row = 0, .end_row = 4},
                     std::vector<float>(16, 5.0F));
        sparse.close();
    }
    // The raster itself is 1600 MB; with the libraries, 700 MiB of address space are enough to look at all of
    // it.
    const Ran ran = run({"info", "sparse.tif"}, {.largest_address_space = 700UL << 20});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_NE(ran.output.find("20000 x 20000 cells"), std::string::npos);
}

TEST_F(ForetoldMemory, of_a_project_that_never_ends_is_not_waited_for) {
    const Ran endless = run({"build", "/dev/zero"}, {.largest_address_space = 700UL << 20});
    EXPECT_EQ(endless.exit_code, 2);
    EXPECT_NE(endless.errors.find("/dev/zero: holds a byte 0: give a project file"), std::string::npos);
    write("large.toml", strokes_project(300000));
    const Ran large = run({"build", "large.toml"}, {.largest_address_space = 500UL << 20});
    EXPECT_EQ(large.exit_code, 2);
    EXPECT_NE(large.errors.find("MiB of memory and"), std::string::npos) << large.errors;
}

}  // namespace
}  // namespace thalweg
