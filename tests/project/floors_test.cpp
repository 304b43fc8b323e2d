// The stage `floors`: its layers, its parameters as layers, and what it tells.
#include "thalweg/core/error.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kLand = R"([project]
name = "floors"
seed = 4
[grid]
extent = [12800.0, 12800.0]
cells = 256
[[stage]]
use = "noise"
kind = "white"
amplitude = 1.0
[[stage]]
use = "erode"
)";

RunResult run_stages(const std::string& more) {
    return run_project(parse_project(kLand + more, "floors.toml", "", {}), {.write_outputs = false});
}

std::string floors(const std::string& parameters) {
    return "[[stage]]\nuse = \"floors\"\n" + parameters;
}

double sum(const Field<float>& layer) {
    double sum = 0.0;
    for (std::int64_t cell = 0; cell < layer.size(); ++cell) sum += static_cast<double>(layer[cell]);
    return sum;
}

Value told(const RunResult& result, const std::string& name) {
    for (const auto& [key, value] : result.report.stages.back().diagnostics.values)
        if (key == name) return value;
    ADD_FAILURE() << "no " << name;
    return 0.0;
}

TEST(FloorsStage, leaves_floors_and_tells_how_much_it_took) {
    const Field<float> before = run_stages("").landscape.layer("elevation");
    const RunResult result = run_stages(floors(""));
    const Field<float>& wear = result.landscape.layer("wear");
    const Field<float>& after = result.landscape.layer("elevation");
    for (std::int64_t cell = 0; cell < wear.size(); ++cell) ASSERT_EQ(wear[cell], before[cell] - after[cell]);
    const double removed = std::get<double>(told(result, "removed_m3"));
    EXPECT_GT(removed, 1e7);
    EXPECT_NEAR(sum(wear) * wear.grid().cell_area(), removed, 1e-3 * removed);
    EXPECT_GT(sum(result.landscape.layer("floor")), 500.0);
    EXPECT_GT(std::get<std::int64_t>(told(result, "cut_cells")), 500);
}

TEST(FloorsStage, takes_incision_and_rock_strength_from_layers) {
    const std::string hard =
        "[[stage]]\nuse = \"strokes\"\nlayer = \"strength\"\nstrokes = [{points = "
        "[6400.0, 6400.0], radius = 20000.0, falloff = 1.0, strength = 4.0}]\n";
    const double plain = sum(run_stages(floors("")).landscape.layer("wear"));
    EXPECT_LT(sum(run_stages(hard + floors("rock_strength = \"strength\"\n")).landscape.layer("wear")),
              0.6 * plain);
    EXPECT_LT(sum(run_stages(floors("rock_strength = 4.0\n")).landscape.layer("wear")), 0.6 * plain);
    EXPECT_LT(sum(run_stages(floors("incision_rate = 0.1\n")).landscape.layer("wear")), 0.3 * plain);
    EXPECT_LT(sum(run_stages(floors("erodibility = 2e-3\n")).landscape.layer("wear")), 0.3 * plain);
}

TEST(FloorsStage, fills_valleys_after_it_has_cut_them_and_tells_how_much) {
    const Field<float> before = run_stages("").landscape.layer("elevation");
    const RunResult result = run_stages(floors("fill = 60.0\nfill_slope = 0.3\n"));
    const Field<float>& wear = result.landscape.layer("wear");
    const Field<float>& deposit = result.landscape.layer("deposit");
    const Field<float>& after = result.landscape.layer("elevation");
    const Field<float>& floor = result.landscape.layer("floor");
    for (std::int64_t cell = 0; cell < wear.size(); ++cell) {
        ASSERT_NEAR(after[cell], before[cell] - wear[cell] + deposit[cell], 1e-3);
        ASSERT_TRUE(deposit[cell] < 0.5F || floor[cell] == 1.0F);
    }
    const double filled = std::get<double>(told(result, "filled_m3"));
    EXPECT_GT(filled, 1e7);
    EXPECT_NEAR(sum(deposit) * wear.grid().cell_area(), filled, 1e-4 * filled);
    EXPECT_EQ(sum(run_stages(floors("")).landscape.layer("deposit")), 0.0);
}

TEST(FloorsStage, tells_where_no_river_drains_enough) {
    const RunResult result = run_stages(floors("floor_area = 1e12\n"));
    EXPECT_THAT(result.report.stages.back().diagnostics.notes,
                ElementsAre("no river drains a fiftieth of floor_area: there are no floors"));
    EXPECT_EQ(sum(result.landscape.layer("wear")), 0.0);
}

TEST(FloorsStage, refuses_a_height_of_walls_of_0) {
    try {
        run_stages(floors("wall_height = 0.0\n"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("wall_height = 0.0 m is not allowed: give above 0 up to 100000 m"));
    }
}

}  // namespace
}  // namespace thalweg
