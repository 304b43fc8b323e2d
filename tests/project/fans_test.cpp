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
    double laid = 0.0, told = 0.0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        ASSERT_EQ(deposit[cell], std::max(0.0F, after[cell] - before[cell]));
        laid += static_cast<double>(deposit[cell]) * before.grid().cell_area();
    }
    for (const auto& [key, value] : result.report.stages.back().diagnostics.values)
        if (key == "laid_m3") told = std::get<double>(value);
    EXPECT_GT(told, 1e7);
    EXPECT_NEAR(laid, told, 0.01 * told);
}

constexpr const char* kBasin = R"([[stage]]
use = "strokes"
layer = "elevation"
strokes = [{points = [3000.0, 5200.0, 9800.0, 5200.0], radius = 600.0, falloff = 600.0, strength = -40.0}]
)";

std::int64_t count(const RunResult& result, const std::string& name) {
    for (const auto& [key, value] : result.report.stages.back().diagnostics.values)
        if (key == name) return std::get<std::int64_t>(value);
    return -1;
}

/// Cells without a lower neighbour, off the edges.
int pits(const Field<float>& z) {
    int found = 0;
    for (int row = 1; row + 1 < z.rows(); ++row)
        for (int column = 1; column + 1 < z.columns(); ++column) {
            bool is_pit = true;
            for (int i = -1; i <= 1; ++i)
                for (int k = -1; k <= 1; ++k)
                    is_pit = is_pit && ((i == 0 && k == 0) || z(column + k, row + i) > z(column, row));
            found += is_pit ? 1 : 0;
        }
    return found;
}

TEST(FansStage, builds_deltas_into_lakes_that_stay_and_drains_them_otherwise) {
    const std::string fans = "[[stage]]\nuse = \"fans\"\nfan_thickness = 2.0\n";
    const RunResult with = run_stages(kBasin + fans + "lakes = true\n"), without = run_stages(kBasin + fans);
    const Field<float> before = run_stages(kBasin).landscape.layer("elevation");
    EXPECT_GT(count(with, "deltas"), 2);
    EXPECT_EQ(count(without, "deltas"), 0);
    EXPECT_EQ(pits(without.landscape.layer("elevation")), 0);
    const Field<float>&after = with.landscape.layer("elevation"), &deposit = with.landscape.layer("deposit");
    // The bed of the lake lies where it lay, but for deltas, which shoal it.
    int bed = 0, shoaled = 0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        const double y = before.grid().y(before.grid().row_of(cell));
        if (before[cell] > -15.0F || y > 5800.0 || y < 4600.0) continue;
        ++bed;
        shoaled += deposit[cell] > 0.5F ? 1 : 0;
        ASSERT_GE(after[cell], before[cell] - 1e-3F);
    }
    EXPECT_GT(bed, 300);
    EXPECT_GT(shoaled, bed / 50);
    EXPECT_LT(shoaled, bed / 2);
}

TEST(FansStage, tells_where_no_river_is_large_enough) {
    const RunResult result = run_stages("[[stage]]\nuse = \"fans\"\nfan_area = 1e12\n");
    EXPECT_THAT(result.report.stages.back().diagnostics.notes,
                ElementsAre("no river of fan_area leaves a steep valley: there are no fans"));
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
