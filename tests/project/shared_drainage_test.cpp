#include "thalweg/project/model/shared_drainage.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/evaluation.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/river/network.hpp"

#include <cmath>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kTerrain = R"([project]
name = "hills"
seed = 5
[grid]
extent = [6400.0, 6400.0]
cells = 64
[[stage]]
use = "noise"
amplitude = 300.0
)";
constexpr const char* kMoreNoise = "[[stage]]\nuse = \"noise\"\nmode = \"add\"\namplitude = 20.0\n";

std::string flow_with(const std::string& parameters) {
    return "[[stage]]\nuse = \"flow\"\n" + parameters + "\n";
}
std::string rivers_with(const std::string& parameters) {
    return "[[stage]]\nuse = \"rivers\"\nmin_area = 1e5\n" + parameters + "\n";
}

/// Counts how often water is routed.
class RoutingCount final : public Progress {
  public:
    int routings = 0;

  protected:
    void show(double, std::string_view phrase) override { routings += phrase == "letting depressions drain"; }
};

class SharedDrainage : public ::testing::Test {
  protected:
    struct Run {
        int routings = 0;
        std::vector<Reach> reaches;
        Evaluated evaluated;
    };

    [[nodiscard]] Project project(const std::string& stages) const {
        return parse_project(kTerrain + stages, "hills.toml", folder / "");
    }

    [[nodiscard]] Run run(const std::string& stages) const {
        Evaluation evaluation;
        RoutingCount count;
        Run run{.evaluated = evaluation.evaluate(project(stages), {.progress = &count})};
        run.routings = count.routings;
        run.reaches = run.evaluated.landscape.get<RiverNetwork>(kRivers).reaches;
        return run;
    }

    ScratchFolder folder;
};

TEST_F(SharedDrainage, saves_rivers_their_routing_and_changes_none_of_their_bits) {
    for (const char* parameters :
         {"", "depressions = \"fill\"", "depressions = \"lakes\"\nrunoff = 0.5", "sea_level = 20.0",
          "edges = \"closed\"", "sources = [{x = 3200.0, y = 3200.0, area = 1e8}]"}) {
        const Run alone = run(rivers_with(parameters));
        const Run after = run(flow_with(parameters) + rivers_with(parameters));
        EXPECT_EQ(alone.routings, 1) << parameters;
        EXPECT_EQ(after.routings, 1) << parameters;
        ASSERT_THAT(alone.reaches, Not(IsEmpty()));
        EXPECT_TRUE(after.reaches == alone.reaches) << parameters;
        EXPECT_FALSE(after.evaluated.landscape.has(kDrainage));
        const Diagnostics& told = after.evaluated.reports.back().diagnostics;
        const Diagnostics& expected = alone.evaluated.reports.back().diagnostics;
        EXPECT_EQ(told.notes, expected.notes);
        ASSERT_EQ(told.values.size(), expected.values.size());
        for (std::size_t i = 0; i < told.values.size(); ++i) {
            const auto& [name, value] = told.values[i];
            const auto* const number = std::get_if<double>(&value);
            if (name == "cells_per_second") {
                EXPECT_TRUE(std::isnan(std::get<double>(value))) << "nothing was measured";
            } else if (number == nullptr || !std::isnan(*number)) {
                EXPECT_EQ(told.values[i], expected.values[i]) << parameters;
            }
        }
    }
}

TEST_F(SharedDrainage, is_not_taken_where_rivers_would_route_otherwise) {
    std::ofstream(folder / "line.geojson")
        << R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{},)"
           R"("geometry":{"type":"LineString","coordinates":[[1000,1000],[5000,5000]]}}]})";
    struct Case {
        const char* flow;
        const char* rivers;
    };
    for (const Case& of :
         {Case{"depressions = \"fill\"", ""}, Case{"routing = \"freeman\"", ""},
          Case{"routing = \"random\"", ""}, Case{"", "breach_depth = 1.0"}, Case{"", "edges = \"closed\""},
          Case{"", "sea_level = 20.0"}, Case{"", "sources = [{x = 3200.0, y = 3200.0, area = 1e8}]"},
          Case{"depressions = \"lakes\"\nrunoff = 0.5", "depressions = \"lakes\"\nrunoff = 1.0"},
          Case{"", "drawn_file = \"line.geojson\""}, Case{"", "rivers_file = \"line.geojson\""},
          Case{"rivers_file = \"line.geojson\"", ""}}) {
        const Run after = run(flow_with(of.flow) + rivers_with(of.rivers));
        EXPECT_EQ(after.routings, 2) << of.flow << " / " << of.rivers;
        EXPECT_TRUE(after.reaches == run(rivers_with(of.rivers)).reaches) << of.flow << " / " << of.rivers;
    }
}

TEST_F(SharedDrainage, is_not_taken_on_terrain_that_has_changed) {
    const Run after = run(flow_with("") + kMoreNoise + rivers_with(""));
    EXPECT_EQ(after.routings, 2);
    EXPECT_TRUE(after.reaches == run(kMoreNoise + rivers_with("")).reaches);
    EXPECT_EQ(run(flow_with("condition = true") + rivers_with("")).routings, 2);
}

TEST_F(SharedDrainage, is_made_only_where_rivers_follow_on_the_same_terrain) {
    const auto wants = [&](const std::string& later) {
        return wanted_layers(project(flow_with("") + later), 1).has(kDrainage);
    };
    EXPECT_TRUE(wants(rivers_with("")));
    EXPECT_TRUE(wants(flow_with("") + rivers_with("")));
    EXPECT_FALSE(wants(""));
    EXPECT_FALSE(wants(kMoreNoise + rivers_with("")));
}

TEST_F(SharedDrainage, stays_with_an_evaluation_but_not_in_a_folder_of_results) {
    const std::string before = flow_with("") + rivers_with("");
    const std::string changed = flow_with("") + rivers_with("spacing = 200.0");
    Evaluation evaluation;
    evaluation.evaluate(project(before));
    RoutingCount count;
    EXPECT_THAT(evaluation.evaluate(project(changed), {.progress = &count}).ran, ElementsAre("rivers"));
    EXPECT_EQ(count.routings, 0);

    const auto build = [&](const std::string& stages) {
        Project built = project(stages);
        built.output.pictures = {};
        built.output_directory = folder / "out";
        const RunResult result = run_project(built, {.cache = folder / "cache"}, {.progress = &count});
        return result.landscape.get<RiverNetwork>(kRivers).reaches;
    };
    build(before);
    EXPECT_EQ(count.routings, 1);
    EXPECT_TRUE(build(changed) == run(changed).reaches);
    EXPECT_EQ(count.routings, 2) << "flow was kept, and rivers routed";
}

TEST(Drainage, is_of_the_values_that_were_routed_whichever_dataset_holds_them) {
    Field<float> z(make_grid(40.0, 40.0, 4), 1.0F);
    z[3] = kNoData;
    FlowBoundary boundary{.roots = Field<std::uint8_t>(z.grid(), 0)};
    const Drainage drainage{nullptr, Dataset(Layer{z, {}}), boundary, {}};
    EXPECT_TRUE(is_of(drainage, drainage.elevation, boundary, {}));
    EXPECT_TRUE(is_of(drainage, Dataset(Layer{z, {}}), boundary, {}));
    boundary.water.runoff = 3.0;
    EXPECT_FALSE(is_of(drainage, drainage.elevation, boundary, {}));
    boundary = drainage.boundary;
    boundary.sources = {{.node = 2, .area = 1e6}};
    EXPECT_FALSE(is_of(drainage, drainage.elevation, boundary, {}));
    boundary = drainage.boundary;
    boundary.roots[5] = 1;
    EXPECT_FALSE(is_of(drainage, drainage.elevation, boundary, {}));
    z[7] = 2.0F;
    EXPECT_FALSE(is_of(drainage, Dataset(Layer{z, {}}), drainage.boundary, {}));
}

}  // namespace
}  // namespace thalweg
