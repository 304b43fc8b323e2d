// The stage `carve`: what it leaves, tells and refuses.
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include "scratch_folder.hpp"
#include "tests/refusal.hpp"
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
    RiverNetwork named = after.landscape.get<RiverNetwork>("rivers");
    for (Reach& reach : named.reaches) {
        EXPECT_NE(reach.type, "");
        reach.type.clear();
    }
    EXPECT_EQ(named, before.landscape.get<RiverNetwork>("rivers"));
    const auto& values = after.report.stages.back().diagnostics.values;
    for (const char* name : {"types", "primitives_terrain", "flow_error_max"})
        EXPECT_TRUE(std::ranges::any_of(values, [&](const auto& value) { return value.first == name; }))
            << name;
}

TEST(CarveStage, carves_a_network_that_it_has_named_the_types_of_as_before) {
    const ScratchFolder folder;
    const RunResult first = run_stages(std::string(kRiversStage) + "[[stage]]\nuse = \"carve\"\n");
    const std::string file = (folder / "rivers.gpkg").string();
    write_network(file, first.landscape.get<RiverNetwork>("rivers"));
    const RunResult again = run_stages("[[stage]]\nuse = \"carve\"\nnetwork = \"" + file + "\"\n");
    EXPECT_EQ(again.landscape.layer("elevation"), first.landscape.layer("elevation"));
}

TEST(CarveStage, finds_the_rivers_of_the_terrain_where_there_are_none_and_says_which_cells_it_takes) {
    const RunResult result = run_stages("[[stage]]\nuse = \"carve\"\n");
    ASSERT_FALSE(result.report.stages.back().diagnostics.notes.empty());
    EXPECT_THAT(result.report.stages.back().diagnostics.notes.back(),
                testing::AnyOf(HasSubstr("there are no rivers"), HasSubstr("needs cells of")));
}

TEST(CarveStage, lets_lakes_stand_and_so_does_water) {
    const std::string lakes =
        "[[stage]]\nuse = \"flow\"\ndepressions = \"lakes\"\n[[stage]]\nuse = \"rivers\"\nmin_area = "
        "1e5\ndepressions = \"lakes\"\n";
    const std::string carve = "[[stage]]\nuse = \"carve\"\n";
    const auto depth_after = [&](const std::string& stages) {
        return run_stages(lakes + stages).landscape.layer("water_depth");
    };
    const Field<float> before = depth_after("");
    const Field<float> carved = depth_after(carve);
    const Field<float> flowing = depth_after(carve + "[[stage]]\nuse = \"water\"\ndensity = 0.05\n");
    std::int64_t lake = 0, dry = 0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        if (!(before[cell] > 0.0F)) continue;
        ++lake;
        if (before[cell] > 2.0F) {
            EXPECT_GE(carved[cell], before[cell] - 1e-3F);
        }
        if (before[cell] > 2.0F) {
            EXPECT_GE(flowing[cell], before[cell] - 1e-3F);
        }
        dry += carved[cell] > 0.0F && flowing[cell] > 0.0F ? 0 : 1;
    }
    EXPECT_GT(lake, 500);
    EXPECT_LT(dry, lake / 50);  // banks at shores
}

/// What carving the brook of the examples says, once `change` has been done to it: a refusal, or notes.
template <class Change>
std::string told_of_brook(const Change& change) {
    const ScratchFolder folder;
    RiverNetwork brook = read_network(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples/brook.geojson");
    change(brook);
    write_network(folder / "brook.gpkg", brook);
    const std::string project =
        "[project]\nname = \"bad\"\n[grid]\nextent = [80.0, 60.0]\ncells = 40\n"
        "[[stage]]\nuse = \"shape\"\nkind = \"plane\"\nheight = 1.2\n"
        "direction = 270.0\n[[stage]]\nuse = \"carve\"\nnetwork = \"" +
        (folder / "brook.gpkg").string() + "\"\n";
    try {
        const RunResult result =
            run_project(parse_project(project, "bad.toml", "", {}), {.write_outputs = false});
        return fmt::format("{}", fmt::join(result.report.stages.back().diagnostics.notes, "; "));
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Input);
        return error.what();
    }
}

TEST(CarveStage, says_in_one_sentence_what_is_wrong_with_a_network) {
    const auto told = [](auto change) {
        return told_of_brook([&](RiverNetwork& brook) { change(brook, brook.reaches.front()); });
    };
    EXPECT_THAT(told([](RiverNetwork&, Reach& reach) { reach.points[5].z += 3.0; }), HasSubstr("reach 1"));
    EXPECT_THAT(told([](RiverNetwork&, Reach& reach) {
                    reach.bankfull_discharge = reach.width = reach.depth = reach.velocity = 0.0;
                }),
                HasSubstr("give rivers with a discharge"));
    EXPECT_THAT(told([](RiverNetwork&, Reach& reach) { reach.type = "A+"; }),
                HasSubstr("too level for type A+"));
    EXPECT_THAT(told([](RiverNetwork& brook, Reach& reach) {
                    reach.points.resize(2);
                    reach.length = 2.5;
                    brook.nodes.back().point = reach.points.back();
                }),
                HasSubstr("1 of 1 reaches are shorter than they are wide, as reach 1 with 2.5 m to 5 m"));
    EXPECT_THAT(told([](RiverNetwork&, Reach&) {}), HasSubstr("needs cells of"));
}

TEST(CarveStage, tells_how_much_of_reaches_keeps_its_own_type_since_it_is_too_steep_for_the_one_set) {
    const ScratchFolder folder;
    const auto told = [&](double upper_slope) {
        RiverNetwork river =
            read_network(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples/brook.geojson");
        Reach& reach = river.reaches.front();
        reach.type = "C";
        reach.length = 1400.0;  // m
        reach.points.clear();
        for (double x = 0.0; x <= reach.length; x += 10.0)
            reach.points.push_back(
                {100.0 + x, 800.0, 560.0 - 0.005 * x + upper_slope * std::max(0.0, 700.0 - x)});
        river.nodes.front().point = reach.points.front();
        river.nodes.back().point = reach.points.back();
        write_network(folder / "river.gpkg", river);
        const RunResult result = run_stages("[[stage]]\nuse = \"carve\"\nnetwork = \"" +
                                            (folder / "river.gpkg").string() + "\"\n");
        return fmt::format("{}", fmt::join(result.report.stages.back().diagnostics.notes, "; "));
    };
    EXPECT_THAT(told(0.06), HasSubstr("of 1.4 km of reaches whose type is set keep their own, as type"));
    EXPECT_THAT(told(0.0), Not(HasSubstr("keep their own")));
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
