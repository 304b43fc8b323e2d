// The stage `water`: what it leaves, and how it moves.
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "brook.hpp"
#include "scratch_folder.hpp"
#include "tests/refusal.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

TEST(WaterStage, flows_where_beds_are_and_nowhere_else) {
    const RunResult result = built(water_at(0.0));
    const Landscape& land = result.landscape;
    const Field<float>& level = land.layer("water_elevation");
    std::int64_t wet = 0;
    for (std::int64_t cell = 0; cell < level.size(); ++cell) {
        const bool is_wet = !is_no_data(level[cell]);
        wet += is_wet ? 1 : 0;
        EXPECT_EQ(is_wet, land.layer("water_depth")[cell] > 0.0F);
        EXPECT_GE(land.layer("foam")[cell], 0.0F);
        EXPECT_LE(land.layer("foam")[cell], 1.0F);
        if (is_wet) {
            EXPECT_NE(land.layer("bed_material")[cell], 0.0F);
            EXPECT_NEAR(land.layer("velocity")[cell],
                        std::hypot(land.layer("velocity_east")[cell], land.layer("velocity_north")[cell]),
                        1e-6);
        } else {
            EXPECT_EQ(land.layer("velocity")[cell], 0.0F);
        }
    }
    EXPECT_GT(wet, 60);
    const auto& values = result.report.stages.back().diagnostics.values;
    const auto told = [&](const char* name) {
        return std::ranges::any_of(values, [&](const auto& value) { return value.first == name; });
    };
    for (const char* const name : {"seed_ms", "index_ms", "primitives_water", "bytes_per_primitive",
                                   "coverage_holes", "evaluations_per_second"})
        EXPECT_TRUE(told(name)) << name;
}

TEST(WaterStage, moves_and_comes_round_after_its_loop_period) {
    const auto level = [&](double time) { return built(water_at(time)).landscape.layer("water_elevation"); };
    const Field<float> first = level(0.0);
    const Field<float> later = level(3.0);
    const Field<float> round = level(10.0);
    std::int64_t moved = 0;
    for (std::int64_t cell = 0; cell < first.size(); ++cell) {
        if (is_no_data(first[cell]) || is_no_data(later[cell])) continue;
        moved += std::abs(first[cell] - later[cell]) > 1e-4F ? 1 : 0;
        if (!is_no_data(round[cell])) {
            EXPECT_NEAR(first[cell], round[cell], 1e-5);
        }
    }
    EXPECT_GT(moved, 40);
}

TEST(WaterStage, is_the_same_from_the_cache) {
    const ScratchFolder folder;
    const auto built_into = [&](const char* name, const std::string& water) {
        ProjectOverrides overrides;
        overrides.output_directory = folder / name;
        overrides.assignments = {"output.pictures="};
        return run_project(parse_project(land(water), "brook.toml", "", overrides),
                           {.cache = folder / "cache"});
    };
    built_into("first", water_at(1.0));
    const RunResult again = built_into("again", water_at(2.0));
    EXPECT_TRUE(again.report.stages[2].is_from_cache);  // rivers
    EXPECT_FALSE(again.report.stages[4].is_from_cache);
    for (const StageReport& stage : built_into("third", water_at(2.0)).report.stages)
        EXPECT_TRUE(stage.is_from_cache) << stage.label;
    const RunResult anew = built(water_at(2.0));
    for (const char* const name : {"water_depth", "foam", "velocity_east"})
        EXPECT_EQ(anew.landscape.layer(name), again.landscape.layer(name)) << name;
}

TEST(WaterStage, tells_how_many_cells_its_edits_leave_dry) {
    const Landscape land = built(water_at(0.0)).landscape;
    const Field<float>& depth = land.layer("water_depth");
    const auto deepest = std::ranges::max_element(depth) - depth.begin();
    const auto notes_after = [&](const char* command) {
        const RunResult edited = built(
            water_at(0.0) + fmt::format("[[stage.edits]]\ncommand = \"{}\"\nx = {}\ny = {}\nradius = 3.0\n",
                                        command, land.grid.x(land.grid.column_of(deepest)),
                                        land.grid.y(land.grid.row_of(deepest))));
        return fmt::format("{}", fmt::join(edited.report.stages.back().diagnostics.notes, "; "));
    };
    EXPECT_THAT(notes_after("remove"),
                ::testing::ContainsRegex("edits leave [1-9][0-9]* wet cells of beds without water"));
    EXPECT_EQ(notes_after("retune"), "");
}

TEST(WaterStage, wants_beds_before_any_stage_runs) {
    const auto refusal = [](const std::string& carve) {
        return refusal_of([&] {
            parse_project(
                "[project]\nname = \"dry\"\n[grid]\nextent = [80.0, 80.0]\ncells = 16\n"
                "[[stage]]\nuse = \"shape\"\n" +
                    carve + "[[stage]]\nuse = \"water\"\n",
                "dry.toml", "", {});
        });
    };
    EXPECT_THAT(refusal(""),
                HasSubstr("stage water goes on with what stage carve leaves: put carve before it"));
    EXPECT_THAT(refusal("[[stage]]\nuse = \"carve\"\nenabled = false\n"),
                HasSubstr("carve has enabled = false"));
}

}  // namespace
}  // namespace thalweg
