// How soon runs answer when they are cancelled, and what they leave.
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stages/erode_stage.hpp"
#include "thalweg/project/stages/flow_stage.hpp"
#include "thalweg/project/stages/import_stage.hpp"
#include "thalweg/project/stages/noise_stage.hpp"
#include "thalweg/project/stages/rivers_stage.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include "tests/cancelling_progress.hpp"
#include "tests/poll_watch.hpp"
#include "tests/sanitizers.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Work that is told of a Progress.
using Work = std::function<RunResult(Progress&)>;

class Polls : public ::testing::Test {
  protected:
    void make_terrain(int cells) const {
        const NoiseStageParameters parameters;
        VerbInput input;
        input.grid.extent = {cells * 30.0, cells * 30.0};
        input.grid.cells = cells;
        QuietProgress quiet;
        run_verb(find_stage("noise"), &parameters, input, {.primary = folder / "dem.tif", .layers = {}},
                 quiet);
    }

    [[nodiscard]] Work verb(const char* stage, const void* parameters, VerbOutput output) const {
        return [this, stage, parameters, output](Progress& progress) {
            const ExecutionScope answers({.progress = &progress});
            const VerbInput input{.raster = folder / "dem.tif", .grid = {}};
            return run_verb(find_stage(stage), parameters, input, output, progress);
        };
    }

    /// Routing with all its layers, vectors and analyses.
    [[nodiscard]] Work all_of_flow(const FlowStageParameters& parameters) const {
        VerbOutput output{.primary = folder / "area.tif", .layers = {}};
        for (const std::string layer :
             {"chi", "strahler", "basin", "ksn", "discharge", "flow_length", "distance_to_outlet", "receiver",
              "specific_area", "wetness_index", "height_above_drainage", "stream_power", "curvature"})
            output.layers.emplace(layer, folder / (layer + (layer == "chi" ? ".png" : ".tif")));
        output.layers.emplace("analyses", folder / "analyses.json");
        output.layers.emplace("basins", folder / "basins.gpkg");
        return verb("flow", &parameters, output);
    }

    [[nodiscard]] Work rivers(const RiversParameters& parameters, const std::string& extension) const {
        return verb("rivers", &parameters,
                    {.primary = folder / ("r." + extension), .layers = {{"profiles", folder / "p.csv"}}});
    }

    [[nodiscard]] Work build(int cells, const std::string& pictures) const {
        return [this, cells, pictures](Progress& progress) {
            ProjectOverrides overrides;
            overrides.cells = cells;
            overrides.assignments = {"output.pictures=" + pictures};
            overrides.output_directory = folder / "out";
            return run_project(read_project(THALWEG_SOURCE_DIR "/examples/range.toml", overrides), {},
                               {.progress = &progress});
        };
    }

    ScratchFolder folder;
    ExecutionScope on_one_thread{{.threads = 1}};
};

RiversParameters dense_rivers(double min_area) {
    RiversParameters parameters;
    parameters.network.min_area = min_area;
    return parameters;
}

/// Expects no stretch of work between two polls that a user would wait for.
void expect_polls(const Work& work) {
    constexpr double kLongest = 0.1;  // s of processor time; twice what engines promise, for a slow machine
    PollWatch watch;
    work(watch);
    EXPECT_LT(watch.longest(), kLongest);
}

/// Expects that the work can be cancelled at any poll, and leaves nothing then.
void expect_leaves_nothing(const ScratchFolder& folder, const Work& work) {
    const int moments = std::getenv("THALWEG_LONG_TESTS") != nullptr ? 200 : 6;
    const std::vector<std::string> before = folder.names();
    PollWatch watch;
    work(watch);
    for (const std::string& name : folder.names())
        if (!std::ranges::binary_search(before, name)) std::filesystem::remove_all(folder / name);
    for (int i = 0; i < moments; ++i) {
        const std::uint64_t draw = random_bits(1, Stream::Render, 0, static_cast<std::uint64_t>(i), 0);
        const auto poll = static_cast<int>(draw % static_cast<std::uint64_t>(watch.polls()));
        ImpatientProgress progress(poll);
        EXPECT_THROW(work(progress), Cancelled) << poll;
        EXPECT_EQ(folder.names(), before) << poll;
    }
}

TEST_F(Polls, of_routing_its_layers_and_analyses_follow_each_other_soon) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take several times as long between polls";
    make_terrain(1500);
    const FlowStageParameters parameters;
    expect_polls(all_of_flow(parameters));
}

TEST_F(Polls, of_dense_networks_follow_each_other_soon) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take several times as long between polls";
    make_terrain(800);
    const RiversParameters dense = dense_rivers(2e4);
    expect_polls(rivers(dense, "geojson"));
    expect_polls(rivers(dense, "gpkg"));
}

TEST_F(Polls, of_an_import_and_of_erosion_follow_each_other_soon) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take several times as long between polls";
    make_terrain(1500);
    ImportParameters import;
    import.file = folder / "dem.tif";
    expect_polls(verb("import", &import, {.primary = folder / "i.tif", .layers = {}}));
    make_terrain(500);
    const ErodeParameters erode;
    expect_polls(verb("erode", &erode, {.primary = folder / "e.tif", .layers = {}}));
}

TEST_F(Polls, of_a_build_with_its_pictures_follow_each_other_soon) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take several times as long between polls";
    expect_polls(build(512, "[\"map\", \"view\"]"));
}

TEST_F(Polls, end_a_run_at_any_moment_and_leave_nothing) {
    make_terrain(100);
    const FlowStageParameters flow;
    expect_leaves_nothing(folder, all_of_flow(flow));
    const RiversParameters parameters = dense_rivers(2e4);
    expect_leaves_nothing(folder, rivers(parameters, "gpkg"));
    expect_leaves_nothing(folder, rivers(parameters, "geojson"));
    expect_leaves_nothing(folder, build(64, "[\"map\"]"));
}

}  // namespace
}  // namespace thalweg
