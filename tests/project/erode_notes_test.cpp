// What the stage `erode` says of boundary cells.
#include "thalweg/io/raster.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stages/erode_stage.hpp"

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The notes of an erosion of 32 x 32 cells.
std::vector<std::string> notes_of(const std::string& stages) {
    const std::string text =
        "[project]\nname = \"notes\"\n[grid]\nextent = [3200.0, 3200.0]\ncells = 32\n[[stage]]\nuse = "
        "\"noise\"\n" +
        stages;
    const Project project = parse_project(text, "notes.toml", "", {});
    QuietProgress quiet;
    return run_project(project, {.write_outputs = false}, quiet).report.stages.back().diagnostics.notes;
}

/// A layer that is `strength` within `radius` of the middle.
std::string painted(const std::string& layer, const std::string& radius, const std::string& strength) {
    return "[[stage]]\nuse = \"strokes\"\nlayer = \"" + layer +
           "\"\n[[stage.strokes]]\npoints = [1600.0, 1600.0]\nfalloff = 0.0\nstrength = " + strength +
           "\nradius = " + radius + "\n";
}

TEST(ErodeNotes, tell_once_of_painted_uplift_on_the_cells_of_a_mask) {
    const std::string erode = "[[stage]]\nuse = \"erode\"\ntime = 1e5\nuplift = \"uplift\"\n";
    const std::string outlet = painted("mask_outlet", "200.0", "1.0");  // 12 cells
    const std::string everywhere = painted("uplift", "9000.0", "1e-3");
    EXPECT_THAT(notes_of(everywhere + outlet + erode + "boundary = \"mask_outlet\"\n"),
                ElementsAre("uplift on 12 boundary cells is ignored, since they keep their elevation"));
    EXPECT_THAT(notes_of(painted("uplift", "200.0", "0.0") + outlet + erode + "boundary = \"mask_outlet\"\n"),
                IsEmpty());
    EXPECT_THAT(notes_of(everywhere + erode), IsEmpty());
}

TEST(ErodeNotes, tell_of_land_that_a_mask_leaves_out) {
    const ScratchFolder folder;
    const Grid grid = make_grid(3200.0, 3200.0, 32);
    Field<float> land(grid, 10.0F);
    Field<float> mask(grid, 0.0F);
    for (int row = 0; row < 32; ++row) {
        land(16, row) = kNoData;
        mask(0, row) = 1.0F;
    }
    write_raster(folder / "land.tif", land, RasterFormat::GeoTiff);
    write_raster(folder / "mask.tif", mask, RasterFormat::GeoTiff);
    ErodeParameters parameters;
    parameters.erosion.time = 1e5;
    parameters.boundary.layer = (folder / "mask.tif").string();
    QuietProgress quiet;
    const RunResult result =
        run_verb(find_stage("erode"), &parameters, {.raster = folder / "land.tif", .grid = {}},
                 {.primary = folder / "aged.tif", .layers = {}}, quiet);
    EXPECT_THAT(
        result.report.stages.back().diagnostics.notes,
        ElementsAre("there is 1 piece of land without a boundary cell: there the lowest cell keeps its "
                    "elevation and takes the water"));
}

}  // namespace
}  // namespace thalweg
