// The same mountains and rivers at every size: what is previewed is what is built.
#include "thalweg/erosion/erode.hpp"
#include "thalweg/project/model/layer_inputs.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stages/erode_stage.hpp"

#include <cstdint>
#include <string>

#include "tests/long_test.hpp"
#include "tests/terrain_likeness.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kTrunkArea = 1e7;  // m^2: rivers above 10 km^2

Project range(int cells, const std::string& time = "1.5e6") {
    ProjectOverrides overrides;
    overrides.cells = cells;
    overrides.assignments = {"erode.time=" + time};
    return read_project(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples/range.toml", overrides);
}

Landscape built(int cells, const std::string& time = "1.5e6") {
    return run_project(range(cells, time), {.write_outputs = false}).landscape;
}

/// Cells of `coarse` with a trunk river of the landscape.
Field<std::uint8_t> trunks(const Landscape& landscape, const Grid& coarse) {
    return tests::river_cells(landscape.layer("drainage_area"), coarse, kTrunkArea);
}

/// Correlation of the coarse elevation with the fine one's mean over each coarse cell.
double elevation_correlation(const Landscape& coarse, const Landscape& fine) {
    QuietProgress quiet;
    return tests::correlation(coarse.layer("elevation"),
                              field_source(fine.layer("elevation"))(coarse.grid, quiet));
}

/// How much of a small build's rivers and mountains a large one shows.
struct Likeness {
    double rivers = 0.0;     // 1, intersection over union
    double mountains = 0.0;  // 1, correlation of elevation
};

/// Compares builds of range.toml on the cells of the small one; prints and records what it finds.
Likeness likeness(const Landscape& small, int cells, const std::string& time = "1.5e6") {
    const Landscape large = built(cells, time);
    const Likeness found{
        .rivers = tests::agreement_within_one_cell(trunks(small, small.grid), trunks(large, small.grid)),
        .mountains = elevation_correlation(small, large)};
    testing::Test::RecordProperty("river_intersection_over_union_" + std::to_string(cells),
                                  std::to_string(found.rivers));
    testing::Test::RecordProperty("elevation_correlation_" + std::to_string(cells),
                                  std::to_string(found.mountains));
    std::printf("%d/%d: rivers above 10 km^2 IoU %.3f, elevation correlation %.4f\n", small.grid.columns,
                cells, found.rivers, found.mountains);
    return found;
}

/// The terrain of the level of `side` cells along a side inside the erosion of range.toml at `cells` cells;
/// what comes after that level is not computed.
Field<float> level_of_range(int cells, int side) {
    const Project project = range(cells);
    QuietProgress quiet;
    Landscape landscape;
    landscape.grid = project.grid;
    landscape.seed = project.seed;
    StageContext context{.landscape = landscape, .base_directory = "", .progress = quiet, .diagnostics = {}};
    Field<float> level;
    for (const StageUse& use : project.stages) {
        if (use.stage->name != "erode") {
            use.stage->run(use.parameters.get(), context);
            continue;
        }
        const auto& parameters = *static_cast<const ErodeParameters*>(use.parameters.get());
        ErosionInputs inputs;
        inputs.grid = landscape.grid;
        inputs.elevation = input_source({.layer = "elevation"}, context);
        inputs.uplift = input_source(parameters.uplift, context);
        const auto keep = [&](const Grid& grid, const Field<float>& terrain) {
            if (grid.columns != side) return;
            level = terrain;
            quiet.cancel();
        };
        EXPECT_THROW(erode(inputs, parameters.erosion, project.seed, quiet, keep), Cancelled);
        break;
    }
    return level;
}

TEST(Resolution, range_has_the_same_trunk_rivers_and_mountains_at_256_512_and_1024_cells) {
    const Landscape small = built(256);
    for (const int cells : {512, 1024}) {
        const Likeness found = likeness(small, cells);
        EXPECT_GT(found.rivers, 0.9);
        EXPECT_GT(found.mountains, 0.98);
    }
}

TEST(Resolution, range_has_the_same_trunk_rivers_and_mountains_at_256_and_512_cells_after_a_million_years) {
    const Likeness found = likeness(built(256, "1e6"), 512, "1e6");
    EXPECT_GT(found.rivers, 0.9);
    EXPECT_GT(found.mountains, 0.98);
}

/// Correlation of the logarithm of drainage area.
double drainage_correlation(const Landscape& a, const Landscape& b) {
    const auto with_logarithm = [](const Landscape& landscape) {
        Field<float> logarithm = landscape.layer("drainage_area");
        for (float& area : logarithm) area = std::log(area);
        Landscape result;
        result.grid = landscape.grid;
        result.set("elevation", std::move(logarithm));
        return result;
    };
    return elevation_correlation(with_logarithm(a), with_logarithm(b));
}

TEST(Resolution, range_keeps_its_valleys_from_a_million_years_to_one_per_cent_more) {
    const double found = drainage_correlation(built(512, "1e6"), built(512, "1.01e6"));
    RecordProperty("drainage_correlation", std::to_string(found));
    EXPECT_GT(found, 0.9);
}

TEST(Resolution, range_solves_its_level_of_256_cells_to_the_same_bits_in_runs_at_256_512_and_1024_cells) {
    const Field<float> alone = level_of_range(256, 256);
    ASSERT_EQ(alone.size(), 256 * 256);
    for (const int cells : {512, 1024}) EXPECT_EQ(level_of_range(cells, 256), alone);
}

using LongResolution = LongTest;

TEST_F(LongResolution, range_has_the_same_trunk_rivers_and_mountains_at_512_1024_and_2048_cells) {
    const Landscape small = built(512);
    for (const int cells : {1024, 2048}) {
        const Likeness found = likeness(small, cells);
        EXPECT_GT(found.rivers, 0.9);
        EXPECT_GT(found.mountains, 0.98);
    }
}

}  // namespace
}  // namespace thalweg
