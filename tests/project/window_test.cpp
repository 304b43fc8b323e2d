// The stage `window`: a part of the landscape on other cells, and what follows the change of the grid.
#include "thalweg/core/execution.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/evaluation.hpp"
#include "thalweg/project/history.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/report.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_grids.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "scratch_folder.hpp"
#include "tests/refusal.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kLand = R"([project]
name = "close"
seed = 4
[grid]
extent = [600.0, 600.0]
cells = 30
[[stage]]
use = "noise"
amplitude = 60.0
mean = 500.0
wavelength = 900.0
)";
constexpr const char* kBeds = "[[stage]]\nuse = \"rivers\"\nmin_area = 6e4\n[[stage]]\nuse = \"carve\"\n";

std::string window_text(const std::string& window, double cell_size) {
    return fmt::format("[[stage]]\nuse = \"window\"\nwindow = [{}]\nresolution = {}\n", window, cell_size);
}

Project project_of(const std::string& stages) {
    return parse_project(kLand + stages, "close.toml", "", {});
}

RunResult run_all(const std::string& stages) {
    return run_project(project_of(stages), {.write_outputs = false});
}

/// Ground of 20 x 20 cells of 10 m from (0, 0), and what of it a window leaves.
class Window : public ::testing::Test {
  protected:
    void run_window(const std::string& window, double cell_size) {
        const Project project = project_of(window_text(window, cell_size));
        run_stage(project.stages.back(), {}, land, progress);
    }

    QuietProgress progress;
    Landscape land{.grid = make_grid(200.0, 200.0, 20), .seed = 1, .datasets = {}};
};

Field<float> plane_on(const Grid& grid) {
    Field<float> plane(grid);
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
        plane[cell] =
            static_cast<float>(100.0 + 0.25 * grid.x(grid.column_of(cell)) - 0.5 * grid.y(grid.row_of(cell)));
    return plane;
}

TEST_F(Window, of_a_plane_is_that_plane) {
    land.set("elevation", plane_on(land.grid));
    run_window("50.0, 60.0, 110.0, 90.0", 0.5);
    EXPECT_EQ(land.grid, (Grid{.columns = 120, .rows = 60, .cell_size = 0.5, .west = 50.0, .north = 90.0}));
    const Field<float>& elevation = land.layer("elevation");
    const Field<float> exact = plane_on(land.grid);
    ASSERT_EQ(elevation.grid(), land.grid);
    for (std::int64_t cell = 0; cell < exact.size(); ++cell)
        ASSERT_NEAR(elevation[cell], exact[cell], 2e-5F) << cell;
}

TEST_F(Window, evaluates_layers_that_are_functions_on_its_own_cells) {
    land.set("elevation", plane_on(land.grid));
    const LayerSource waves = [](const Grid& grid, Progress&) {
        Field<float> values(grid);
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
            values[cell] = static_cast<float>(std::sin(grid.x(grid.column_of(cell))));
        return values;
    };
    land.set("waves", waves(land.grid, progress), waves);
    run_window("50.0, 60.0, 110.0, 90.0", 0.5);
    EXPECT_EQ(land.layer("waves"), waves(land.grid, progress));
}

TEST_F(Window, takes_numbers_of_things_from_the_nearest_cell_and_keeps_shares_within_their_range) {
    land.set("elevation", plane_on(land.grid));
    Field<float> basins(land.grid);
    Field<float> forest(land.grid);
    for (std::int64_t cell = 0; cell < basins.size(); ++cell) {
        basins[cell] = land.grid.column_of(cell) < 10 ? 3.0F : 8.0F;
        forest[cell] = land.grid.column_of(cell) < 10 ? 0.0F : 1.0F;
    }
    land.set("basin", basins);
    land.set("forest", forest);
    run_window("80.0, 60.0, 120.0, 90.0", 1.0);
    const Field<float>& numbers = land.layer("basin");
    int between = 0;
    for (std::int64_t cell = 0; cell < numbers.size(); ++cell) {
        EXPECT_EQ(numbers[cell], land.grid.x(land.grid.column_of(cell)) < 100.0 ? 3.0F : 8.0F);
        const float share = land.layer("forest")[cell];
        EXPECT_TRUE(share >= 0.0F && share <= 1.0F);
        between += share > 0.0F && share < 1.0F ? 1 : 0;
    }
    EXPECT_GT(between, 0);
}

TEST_F(Window, leaves_out_what_lies_on_other_cells_and_water_from_beyond_it) {
    land.set("elevation", plane_on(land.grid));
    land.put(kHistory, History{});
    land.set_boundary({.sources = {{.x = 60.0, .y = 70.0, .area = 1e6}, {.x = 10.0, .y = 10.0, .area = 2e6}},
                       .outlets = Field<std::uint8_t>(land.grid, 1),
                       .sea_level = -3.0});
    run_window("50.0, 60.0, 110.0, 90.0", 10.0);
    EXPECT_FALSE(land.has(kHistory));
    ASSERT_EQ(land.boundary().sources.size(), 1U);
    EXPECT_EQ(land.boundary().sources.front().area, 1e6);
    EXPECT_TRUE(land.boundary().outlets.empty());
    EXPECT_EQ(land.boundary().sea_level, -3.0);
}

TEST_F(Window, of_the_whole_with_cells_of_its_size_changes_nothing) {
    land.set("elevation", plane_on(land.grid));
    const Landscape before = land;
    run_window("", 0.0);
    EXPECT_EQ(land.grid, before.grid);
    EXPECT_EQ(land.layer("elevation"), before.layer("elevation"));
}

TEST(WindowStage, shows_beds_with_water_in_them_at_full_detail) {
    const RunResult whole = run_all(kBeds);
    const RunResult close = run_all(std::string(kBeds) + window_text("300.0, 0.0, 360.0, 60.0", 0.5));
    const Grid& grid = close.landscape.grid;
    EXPECT_EQ(grid.cell_size, 0.5);
    EXPECT_EQ(grid.columns, 120);
    EXPECT_EQ(close.report.grid, grid);
    const Field<float>& depth = close.landscape.layer("water_depth");
    EXPECT_GT(std::ranges::count_if(depth, [](float value) { return value > 0.0F; }), 100);
    EXPECT_TRUE(close.landscape.has(kRivers));
    QuietProgress progress;
    for (const char* name : {"elevation", "water_depth", "water_elevation", "bed_material"}) {
        const LayerSource& source = whole.landscape.get<Layer>(name).source;
        const Field<float> direct = source(grid, progress);
        const Field<float>& layer = close.landscape.layer(name);
        for (std::int64_t cell = 0; cell < direct.size(); ++cell)
            ASSERT_TRUE(layer[cell] == direct[cell] || (is_no_data(layer[cell]) && is_no_data(direct[cell])))
                << name << " " << cell;
    }
}

TEST(WindowStage, is_what_the_resolution_of_beds_is_judged_by) {
    const auto notes_on_cells = [](double cell_size) {
        std::vector<std::string> found;
        for (const std::string& note :
             notes_of(run_all(std::string(kBeds) + window_text("300.0, 0.0, 360.0, 60.0", cell_size)).report))
            if (note.find("do not show all beds") != std::string::npos) found.push_back(note);
        return found;
    };
    EXPECT_THAT(notes_on_cells(2.0), ElementsAre(HasSubstr("cells of 2 m")));
    EXPECT_THAT(notes_on_cells(0.05), IsEmpty());
    EXPECT_THAT(notes_of(run_all(kBeds).report), ElementsAre(HasSubstr("cells of 20 m")));
}

TEST(WindowStage, is_followed_by_plans_manifests_and_stages_behind_it) {
    const std::string coarse = "[[stage]]\nuse = \"flow\"\n";
    const Project plain = project_of(coarse);
    const Project close = project_of(window_text("100.0, 100.0, 500.0, 300.0", 0.5) + coarse);
    EXPECT_EQ(grids_of(close).at(0), close.grid);
    EXPECT_EQ(grids_of(close).at(1), grids_of(close).at(0));
    EXPECT_EQ(grids_of(close).back().columns, 800);
    EXPECT_EQ(grids_of(close).back().rows, 400);
    const Plan foretold = plan_project(close);
    // The noise needs what it needs without the window, and flow as much for each of more cells.
    const double more = 800.0 * 400.0 / (30.0 * 30.0);
    EXPECT_EQ(foretold.steps.at(0).peak_bytes, plan_project(plain).steps.at(0).peak_bytes);
    EXPECT_NEAR(static_cast<double>(foretold.steps.at(2).peak_bytes),
                more * static_cast<double>(plan_project(plain).steps.at(1).peak_bytes), 1e5);
    EXPECT_GE(foretold.steps.at(1).peak_bytes, 4 * (800 * 400 + 30 * 30));
    EXPECT_THAT(plan_text(close, foretold), HasSubstr("outputs: 800 x 400 cells of 0.5 m"));
}

class WindowFiles : public ::testing::Test {
  protected:
    RunResult build(const std::string& stages, const std::string& out, bool is_cached) const {
        Project project = project_of(stages + "[output]\nlayers = [\"elevation\", \"water_depth\"]\n");
        project.output.pictures = {};
        project.output_directory = folder / out;
        RunOptions options;
        if (is_cached) options.cache = folder / "cache";
        return run_project(project, options);
    }
    static std::vector<std::string> ran(const RunResult& result) {
        std::vector<std::string> labels;
        for (const StageReport& stage : result.report.stages)
            if (!stage.is_from_cache) labels.push_back(stage.label);
        return labels;
    }
    void expect_equal(const std::string& a, const std::string& b) const {
        for (const char* file : {"close_elevation.tif", "close_water_depth.tif", "manifest.json"}) {
            EXPECT_GT(bytes_of(folder / a / file).size(), 100U) << file;
            EXPECT_EQ(bytes_of(folder / a / file), bytes_of(folder / b / file)) << file;
        }
    }

    ScratchFolder folder;
    std::string place = "300.0, 0.0, 360.0, 60.0";
};

TEST_F(WindowFiles, are_equal_with_results_that_are_kept_and_after_edits_of_the_window) {
    const std::string first = kBeds + window_text(place, 1.0);
    const std::string finer = kBeds + window_text(place, 0.5);
    build(first, "plain", false);
    build(first, "kept", true);
    EXPECT_THAT(ran(build(first, "kept", true)), IsEmpty());
    expect_equal("plain", "kept");
    // Beds are functions, which no folder keeps: carve runs again for another window.
    EXPECT_THAT(ran(build(finer, "kept", true)), ElementsAre("noise", "carve", "window"));
    build(finer, "plain", false);
    expect_equal("plain", "kept");
    const nlohmann::json manifest = nlohmann::json::parse(bytes_of(folder / "kept" / "manifest.json"));
    EXPECT_EQ(manifest["grid"]["columns"], 120);
}

TEST_F(WindowFiles, let_nothing_before_the_window_run_again_for_a_stage_behind_it) {
    const std::string stages = kBeds + window_text(place, 1.0);
    build(stages + "[[stage]]\nuse = \"hillslopes\"\n", "kept", true);
    EXPECT_THAT(ran(build(stages + "[[stage]]\nuse = \"hillslopes\"\ntime = 77.0\n", "kept", true)),
                ElementsAre("hillslopes"));
}

TEST(WindowStage, is_evaluated_anew_with_its_own_parameters_alone) {
    Evaluation evaluation;
    evaluation.evaluate(project_of(kBeds + window_text("300.0, 0.0, 360.0, 60.0", 1.0)), {});
    const Project finer = project_of(kBeds + window_text("300.0, 0.0, 360.0, 60.0", 0.5));
    const Evaluated evaluated = evaluation.evaluate(finer, {});
    EXPECT_THAT(evaluated.ran, ElementsAre("window"));
    EXPECT_EQ(evaluated.landscape.grid, grids_of(finer).back());
    EXPECT_EQ(evaluated.landscape.layer("elevation").grid(), grids_of(finer).back());
    // Again, from results alone.
    const Evaluated again = evaluation.evaluate(finer, {});
    EXPECT_THAT(again.ran, IsEmpty());
    EXPECT_EQ(again.landscape.grid, grids_of(finer).back());
}

TEST(WindowStage, stays_when_only_layers_from_before_it_are_wanted) {
    Project project = project_of(kBeds + window_text("300.0, 0.0, 360.0, 60.0", 1.0));
    project.output = {
        .layers = {"water_depth"}, .formats = {}, .networks = {}, .analyses = {}, .pictures = {}};
    drop_unused_stages(project);
    EXPECT_EQ(project.stages.back().stage->name, "window");
    EXPECT_TRUE(wanted_layers(project, project.stages.size() - 2).has("water_depth"));
}

TEST(WindowStage, gives_equal_bits_on_any_number_of_threads) {
    const auto elevation_on = [](int threads) {
        const ExecutionScope scope({.threads = threads});
        return run_all("[[stage]]\nuse = \"erode\"\n" + window_text("200.0, 200.0, 400.0, 400.0", 1.0))
            .landscape.layer("elevation");
    };
    const Field<float> one = elevation_on(1);
    for (const int threads : {2, 8}) EXPECT_TRUE(elevation_on(threads) == one) << threads;
}

TEST(WindowStage, refuses_windows_that_are_none) {
    const auto refusal = [](const std::string& window, double cell_size, const std::string& more = "") {
        return refusal_of([&] { project_of(window_text(window, cell_size) + more); });
    };
    EXPECT_THAT(refusal("1.0, 2.0, 3.0", 0.0), HasSubstr("window = [1, 2, 3] is not allowed"));
    EXPECT_THAT(refusal("100.0, 100.0, 100.0, 200.0", 0.0), HasSubstr("has no area"));
    EXPECT_THAT(refusal("nan, 100.0, 200.0, 200.0", 0.0), HasSubstr("window"));
    EXPECT_THAT(
        refusal("100.0, 100.0, 700.0, 200.0", 0.0),
        HasSubstr("window = [100, 100, 700, 200] reaches beyond the landscape: give one within [0, 0, "
                  "600, 600]"));
    EXPECT_THAT(refusal("100.0, 100.0, 200.0, 130.0", 31.0),
                HasSubstr("cells of 31 m are larger than the window of 100 x 30 m"));
    EXPECT_THAT(refusal("0.0, 0.0, 600.0, 600.0", 0.01), HasSubstr("2147483647 are allowed"));
    EXPECT_THAT(refusal("0.0, 0.0, 600.0, 600.0", 1e-300), HasSubstr("2147483647 are allowed"));
    EXPECT_THAT(refusal("100.0, 100.0, 200.0, 200.0", 100.0), HasSubstr("1 x 1 cells"));
    // A window of a window lies within the first.
    EXPECT_THAT(refusal("100.0, 100.0, 400.0, 400.0", 0.0, window_text("0.0, 0.0, 200.0, 200.0", 0.0)),
                HasSubstr("give one within [100, 100, 400, 400]"));
}

TEST(WindowStage, leaves_no_history_to_write) {
    EXPECT_THAT(refusal_of([] {
                    project_of("[[stage]]\nuse = \"rain\"\nevents = 10\nhistory_every = 5\n" +
                               window_text("100.0, 100.0, 400.0, 400.0", 0.0) +
                               "[output]\nlayers = [\"history\"]\n");
                }),
                HasSubstr("stage window leaves it out"));
}

}  // namespace
}  // namespace thalweg
