#include "thalweg/core/error.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/river/network.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Those that begin with a few lines, or with one large river.
constexpr const char* kOfFewRivers[] = {
    "river-widths.toml",       "meander-belt.toml",    "valley-meanders.toml", "avulsions.toml",
    "river-network.toml",      "meanders.toml",        "steep-rivers.toml",    "flood-plain.toml",
    "regional-avulsions.toml", "carved-meanders.toml", "braided-river.toml",   "river-delta.toml",
    "vegetated-river.toml",    "riverscape.toml",      "edited-water.toml",    "plateau-river.toml",
    "river-collisions.toml",   "particle-canyon.toml"};

/// Those without: a desert that keeps its water, and droplets alone.
constexpr const char* kOfNoRivers[] = {"playas.toml", "pigment-washing.toml", "particle-plain.toml",
                                       "particle-soil.toml"};

/// Those whose rivers take as long at any number of cells: they are read, and built by the pictures of docs.
constexpr const char* kLargeExamples[] = {"braided-valley.toml", "mountain-rivers.toml"};

class Example : public ::testing::TestWithParam<const char*> {};

/// Expects fractions that never fall.
class RisingProgress final : public Progress {
  protected:
    void show(double fraction, std::string_view phrase) override {
        constexpr double kRounding = 1e-9;
        EXPECT_GE(fraction, last_ - kRounding) << phrase;
        last_ = fraction;
    }

  private:
    double last_ = 0.0;
};

/// An example at 64 cells, without pictures, whose files go to `out`; fewer cells have none of a mask that
/// one of them reads.
RunResult built_example(const char* name, const std::filesystem::path& out,
                        const std::filesystem::path& cache) {
    ProjectOverrides overrides;
    overrides.cells = 64;
    overrides.output_directory = out;
    overrides.assignments = {"output.pictures="};
    RisingProgress progress;
    return run_project(read_project(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples" / name, overrides),
                       {.cache = cache}, {.progress = &progress});
}

void expect_equal_files(const RunResult& a, const RunResult& b) {
    ASSERT_EQ(a.files.size(), b.files.size());
    for (std::size_t i = 0; i < a.files.size(); ++i)
        EXPECT_TRUE(bytes_of(a.files[i]) == bytes_of(b.files[i])) << a.files[i];
}

TEST_P(Example, builds_at_64_cells_and_again_from_the_cache) {
    const ScratchFolder folder;
    const RunResult result = built_example(GetParam(), folder / "kept", folder / "cache");
    if (std::string_view(GetParam()) != "riverscape.toml") {  // which ends in a window
        EXPECT_EQ(std::max(result.landscape.grid.columns, result.landscape.grid.rows), 64);
    }
    const auto is_among = [](const auto& names) {
        return std::ranges::find(names, std::string_view(GetParam())) != std::end(names);
    };
    if (!is_among(kOfNoRivers)) {
        EXPECT_GT(result.landscape.get<RiverNetwork>("rivers").reaches.size(),
                  is_among(kOfFewRivers) ? 0U : 10U);
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "kept/manifest.json"));

    const RunResult again = built_example(GetParam(), folder / "again", folder / "cache");
    for (const StageReport& stage : again.report.stages) EXPECT_TRUE(stage.is_from_cache) << stage.label;
    expect_equal_files(again, result);
}

TEST(Examples, are_the_same_with_and_without_a_cache) {
    for (const char* const name : {"mountains.toml", "aging.toml", "masks.toml", "meander-belt.toml"}) {
        const ScratchFolder folder;
        const RunResult kept = built_example(name, folder / "kept", folder / "cache");
        expect_equal_files(kept, built_example(name, folder / "anew", {}));
    }
}

constexpr const char* kExamples[] = {
    "range.toml",           "island.toml",          "aged-dem.toml",
    "slope-classes.toml",   "drawn-rivers.toml",    "mountain-front.toml",
    "aging.toml",           "escarpment.toml",      "canyon.toml",
    "kept-network.toml",    "paper-variant.toml",   "leheny.toml",
    "lakes.toml",           "lake-sources.toml",    "drawn-network.toml",
    "rock-and-rain.toml",   "hillslopes.toml",      "baselines.toml",
    "coast.toml",           "masks.toml",           "mountains.toml",
    "creep.toml",           "floors.toml",          "fans.toml",
    "meanders.toml",        "river-widths.toml",    "meander-belt.toml",
    "river-network.toml",   "valley-meanders.toml", "avulsions.toml",
    "steep-rivers.toml",    "flood-plain.toml",     "controlled-rivers.toml",
    "editing-rivers.toml",  "carved-meanders.toml", "regional-avulsions.toml",
    "braided-river.toml",   "river-delta.toml",     "vegetated-river.toml",
    "riverscape.toml",      "edited-water.toml",    "plateau-river.toml",
    "particle-plain.toml",  "playas.toml",          "river-collisions.toml",
    "particle-canyon.toml", "pigment-washing.toml", "particle-soil.toml",
    "valley-fill.toml"};

INSTANTIATE_TEST_SUITE_P(Examples, Example, ::testing::ValuesIn(kExamples));

TEST(Examples, are_all_tested) {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples"))
        if (entry.path().extension() == ".toml") names.push_back(entry.path().filename().string());
    std::vector<std::string> tested(std::begin(kExamples), std::end(kExamples));
    tested.insert(tested.end(), std::begin(kLargeExamples), std::end(kLargeExamples));
    EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(tested));
}

TEST(Examples, that_are_large_can_be_read) {
    for (const char* const name : kLargeExamples) {
        const Project project = read_project(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples" / name);
        EXPECT_EQ(project.stages.back().label, "water") << name;
    }
}

TEST(Examples, rivers_of_the_island_end_at_the_sea) {
    ProjectOverrides overrides;
    overrides.cells = 64;
    const Project project =
        read_project(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples/island.toml", overrides);
    const RunResult result = run_project(project, {.write_outputs = false});
    for (const Reach& reach : result.landscape.get<RiverNetwork>("rivers").reaches)
        EXPECT_GT(reach.points.front().z, 0.0) << "reach " << reach.id;
}

TEST(Examples, rivers_collide_upstream_and_downstream_of_a_mouth_and_where_there_was_none) {
    ProjectOverrides overrides;
    overrides.cells = 64;
    const RunResult result = run_project(
        read_project(std::filesystem::path(THALWEG_SOURCE_DIR) / "examples/river-collisions.toml", overrides),
        {.write_outputs = false});
    const std::vector<RiverNode>& nodes = result.landscape.get<RiverNetwork>("rivers").nodes;
    const std::vector<MeanderEvent>& events = result.landscape.get<MeanderHistory>("courses").events;
    // Mouths were at 4000 and 8500 m north in the west and in the middle; rivers run south.
    struct Scene {
        double west, east, south, north;  // m, where the mouth is then
    };
    for (const Scene scene : {Scene{0.0, 8000.0, 7000.0, 9500.0}, Scene{8000.0, 17000.0, 3500.0, 6000.0},
                              Scene{17000.0, 26000.0, 4000.0, 9000.0}}) {
        const auto is_in_scene = [&](double x, double y) {
            return x > scene.west && x < scene.east && y > scene.south && y < scene.north;
        };
        EXPECT_TRUE(std::ranges::any_of(events, [&](const MeanderEvent& event) {
            return event.kind == MeanderEventKind::Capture && is_in_scene(event.x, event.y);
        })) << scene.west;
        std::int64_t mouths = 0;
        for (const RiverNode& node : nodes) {
            if (node.kind != NodeKind::Confluence || node.point.x < scene.west || node.point.x > scene.east)
                continue;
            ++mouths;
            EXPECT_TRUE(is_in_scene(node.point.x, node.point.y)) << node.point.x << " " << node.point.y;
        }
        EXPECT_EQ(mouths, 1) << scene.west;
    }
}

TEST(StarterProject, builds_at_64_cells) {
    ProjectOverrides overrides;
    overrides.cells = 64;
    const Project project = parse_project(starter_project("first"), "first.toml", "", overrides);
    const RunResult result = run_project(project, {.write_outputs = false});
    EXPECT_GT(result.landscape.get<RiverNetwork>("rivers").reaches.size(), 10U);
}

}  // namespace
}  // namespace thalweg
