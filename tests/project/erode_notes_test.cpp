// What the stage `erode` says of boundary cells, drawn rivers and frames.
#include "thalweg/io/raster.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/run/frames.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stages/erode_stage.hpp"
#include "thalweg/project/verb_start.hpp"

#include "run_verb.hpp"
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
    return run_project(project, {.write_outputs = false}).report.stages.back().diagnostics.notes;
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

TEST(ErodeNotes, say_that_outlets_fall_where_there_is_a_base_slope) {
    EXPECT_THAT(
        notes_of(painted("uplift", "9000.0", "1e-3") + painted("mask_outlet", "200.0", "1.0") +
                 "[[stage]]\nuse = \"erode\"\ntime = 1e5\nuplift = \"uplift\"\nboundary = \"mask_outlet\"\n"
                 "base_slope = 1e-3\n"),
        ElementsAre("uplift on 12 boundary cells is ignored, since they fall as base_slope says"));
}

TEST(ErodeNotes, tell_which_drawn_rivers_have_no_effect) {
    EXPECT_THAT(
        notes_of("[[stage]]\nuse = \"erode\"\ntime = 1e5\n"
                 "[[stage.rivers]]\npoints = [1600.0, 1600.0, 1600.0, 0.0]\n"
                 "[[stage.rivers]]\npoints = [50.0, 2000.0, 50.0, 500.0]\nlocked = true\n"),
        ElementsAre("river 2 has no effect: it runs over boundary cells and cells without data alone"));
}

/// Writes two pieces of land, land.tif, and the edge of one, mask.tif, into `folder`.
void write_land_and_mask(const ScratchFolder& folder) {
    const Grid grid = make_grid(3200.0, 3200.0, 32);
    Field<float> land(grid, 10.0F);
    Field<float> mask(grid, 0.0F);
    for (int row = 0; row < 32; ++row) {
        land(16, row) = kNoData;
        mask(0, row) = 1.0F;
    }
    write_raster(folder / "land.tif", land, RasterFormat::GeoTiff);
    write_raster(folder / "mask.tif", mask, RasterFormat::GeoTiff);
}

const std::string kLeftOut = "there is 1 piece of land without a boundary cell: there the lowest cell ";

TEST(ErodeNotes, tell_of_land_that_a_mask_leaves_out) {
    const ScratchFolder folder;
    write_land_and_mask(folder);
    ErodeParameters parameters;
    parameters.erosion.time = 1e5;
    parameters.boundary.layer = (folder / "mask.tif").string();
    const auto notes = [&] {
        QuietProgress quiet;
        return run_verb(find_stage("erode"), &parameters, {.raster = folder / "land.tif", .grid = {}},
                        {.primary = folder / "aged.tif", .layers = {}}, quiet)
            .report.stages.back()
            .diagnostics.notes;
    };
    EXPECT_THAT(notes(), ElementsAre(kLeftOut + "keeps its elevation and takes the water"));
    parameters.erosion.law.base_slope = 1e-3;
    EXPECT_THAT(notes(), ElementsAre(kLeftOut + "falls as base_slope says and takes the water"));
}

TEST(ErodeNotes, are_told_with_frames_too_and_values_that_cost_nothing) {
    const ScratchFolder folder;
    write_land_and_mask(folder);
    ErodeParameters parameters;
    parameters.boundary.layer = (folder / "mask.tif").string();
    parameters.erosion.deposition = 0.5;
    parameters.rivers = {{.points = {50.0, 2000.0, 50.0, 500.0}, .locked = true}};
    const Project verb =
        verb_on(find_stage("erode"), &parameters, {.raster = folder / "land.tif", .grid = {}});
    const RunResult result = run_project(in_folder(verb, folder / "frames"), {.times = {1e4, 1e5}});
    const std::string left_out = kLeftOut + "keeps its elevation and takes the water";
    ASSERT_EQ(result.report.stages.size(), 2U);
    EXPECT_THAT(result.report.stages[0].diagnostics.notes,
                ElementsAre("river 1 has no effect: it runs over boundary cells and cells without data alone",
                            left_out));
    EXPECT_THAT(result.report.stages[1].diagnostics.notes, IsEmpty()) << "they are those of the first frame";
    for (const StageReport& stage : result.report.stages) {
        std::vector<std::string> names;
        for (const auto& [name, value] : stage.diagnostics.values) names.push_back(name);
        EXPECT_THAT(names, ElementsAre("levels", "iterations", "eroded_m3_yr", "deposited_m3_yr",
                                       "exported_m3_yr", "limited_deposits"));
    }
}

}  // namespace
}  // namespace thalweg
