// The stage `carve`: what it leaves, tells and refuses.
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <algorithm>
#include <string>

#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLand = R"([project]
name = "carve"
seed = 4
[grid]
extent = [1600.0, 1600.0]
cells = 160
[[stage]]
use = "noise"
amplitude = 120.0
mean = 500.0
wavelength = 1500.0
)";

RunResult run_stages(const std::string& more) {
    return run_project(parse_project(kLand + more, "carve.toml", "", {}), {.write_outputs = false});
}

constexpr const char* kRiversStage = "[[stage]]\nuse = \"rivers\"\nmin_area = 5e4\n";

TEST(CarveStage, leaves_beds_with_water_in_them_and_tells_types) {
    const RunResult before = run_stages(kRiversStage);
    const RunResult after = run_stages(std::string(kRiversStage) + "[[stage]]\nuse = \"carve\"\n");
    const Field<float>& depth = after.landscape.layer("water_depth");
    const Field<float>& material = after.landscape.layer("bed_material");
    std::int64_t wet = 0, unlike = 0;
    for (std::int64_t cell = 0; cell < depth.size(); ++cell) {
        wet += depth[cell] > 0.0F ? 1 : 0;
        unlike += depth[cell] > 0.0F && material[cell] == 0.0F ? 1 : 0;
    }
    EXPECT_GT(wet, 10);
    EXPECT_EQ(unlike, 0);
    EXPECT_NE(before.landscape.layer("elevation"), after.landscape.layer("elevation"));
    const auto& values = after.report.stages.back().diagnostics.values;
    for (const char* name : {"types", "primitives_terrain"})
        EXPECT_TRUE(std::ranges::any_of(values, [&](const auto& value) { return value.first == name; }))
            << name;
}

TEST(CarveStage, finds_the_rivers_of_the_terrain_where_there_are_none_and_says_which_cells_it_takes) {
    const RunResult result = run_stages("[[stage]]\nuse = \"carve\"\n");
    ASSERT_FALSE(result.report.stages.back().diagnostics.notes.empty());
    EXPECT_THAT(result.report.stages.back().diagnostics.notes.back(),
                testing::AnyOf(HasSubstr("there are no rivers"), HasSubstr("needs cells of")));
}

TEST(CarveStage, refuses_a_type_for_a_reach_that_is_not_there) {
    EXPECT_THAT(
        refusal_of([] {
            run_stages(std::string(kRiversStage) +
                       "[[stage]]\nuse = \"carve\"\nreach_types = [{reach = 999999, type = \"C\"}]\n");
        }),
        HasSubstr("there is no reach 999999"));
}

}  // namespace
}  // namespace thalweg
