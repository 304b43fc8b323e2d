// The stage `fans`: its layer and what it tells.
#include "thalweg/core/error.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kFront = R"([project]
name = "fans"
seed = 5
[grid]
extent = [12800.0, 12800.0]
cells = 128
[[stage]]
use = "noise"
amplitude = 10.0
wavelength = 6400.0
[[stage]]
use = "strokes"
layer = "uplift"
strokes = [{points = [-10000.0, 12800.0, 22800.0, 12800.0], radius = 6000.0, falloff = 800.0, strength = 1e-3}]
[[stage]]
use = "erode"
time = 1e6
uplift = "uplift"
)";

RunResult run_stages(const std::string& more) {
    return run_project(parse_project(kFront + more, "fans.toml", "", {}), {.write_outputs = false});
}

TEST(FansStage, tells_the_volume_that_its_deposit_holds) {
    const Field<float> before = run_stages("").landscape.layer("elevation");
    const RunResult result = run_stages("[[stage]]\nuse = \"fans\"\n");
    const Field<float>& after = result.landscape.layer("elevation");
    const Field<float>& deposit = result.landscape.layer("deposit");
    double laid = 0.0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        // Breaching lowers the ground, and does not raise it.
        ASSERT_GE(deposit[cell], std::max(0.0F, after[cell] - before[cell]));
        laid += static_cast<double>(deposit[cell]) * before.grid().cell_area();
    }
    const auto told = [&](const std::string& name) {
        for (const auto& [key, value] : result.report.stages.back().diagnostics.values)
            if (key == name) return std::get<double>(value);
        return 0.0;
    };
    EXPECT_GT(told("laid_m3"), 1e7);
    EXPECT_NEAR(laid, told("laid_m3"), 1e-5 * laid);
    EXPECT_NEAR(told("laid_m3") - told("cut_m3"), told("demanded_m3") - told("left_m3"), 0.001 * laid);
}

TEST(FansStage, takes_its_sediment_from_wear) {
    const auto demanded = [](const std::string& share) {
        const RunResult result =
            run_stages("[[stage]]\nuse = \"fans\"\nfan_thickness = \"wear\"\nfan_share = " + share + "\n");
        for (const auto& [key, value] : result.report.stages.back().diagnostics.values)
            if (key == "demanded_m3") return std::get<double>(value);
        return 0.0;
    };
    EXPECT_GT(demanded("0.1"), 1e7);
    EXPECT_NEAR(demanded("0.2"), 2.0 * demanded("0.1"), 1e-6 * demanded("0.2"));
}

TEST(FansStage, tells_where_no_river_is_large_enough) {
    const RunResult result = run_stages("[[stage]]\nuse = \"fans\"\nfan_area = 1e12\n");
    EXPECT_THAT(result.report.stages.back().diagnostics.notes,
                ElementsAre("no river of fan_area leaves a steep valley: there are no fans"));
}

TEST(FansStage, leaves_a_level_floor_of_fine_sediment_in_a_basin_that_stays_closed) {
    const std::string basin =
        "[[stage]]\nuse = \"strokes\"\nstrokes = [{points = [6400.0, 3500.0], radius = 500.0, falloff = "
        "2500.0, "
        "strength = -60.0}]\n";
    const auto laid = [&](const std::string& depressions) {
        return run_stages(basin + "[[stage]]\nuse = \"fans\"\nplaya_thickness = 0.3\n" + depressions);
    };
    const RunResult closed = laid("depressions = \"lakes\"\n");
    const Field<float>& after = closed.landscape.layer("elevation");
    const float floor = *std::ranges::min_element(after);
    EXPECT_GT(std::ranges::count(after, floor), 50) << "level";
    EXPECT_LT(floor, -20.0F) << "far below the rim";
    EXPECT_THAT(laid("").report.stages.back().diagnostics.notes,
                ::testing::Contains(HasSubstr("no depression holds sediment")));
}

TEST(FansStage, refuses_a_slope_of_0) {
    try {
        run_stages("[[stage]]\nuse = \"fans\"\nfan_slope = 0.0\n");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("fan_slope = 0.0 m/m is not allowed"));
    }
}

}  // namespace
}  // namespace thalweg
