// Where water enters and leaves a landscape, as later stages know it.
#include "thalweg/core/error.hpp"
#include "thalweg/flow/terrain_analyses.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/run/frames.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stages/flow_stage.hpp"
#include "thalweg/project/stages/rivers_stage.hpp"
#include "thalweg/river/network.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kSourceArea = 1e10;  // m^2
constexpr double kSide = 6400.0;      // m, of the landscape

/// A plain that a river from beyond its east edge crosses, to a painted outlet in the west.
const std::string kPlain = R"(
[grid]
extent = [6400.0, 6400.0]
cells = 64
[[stage]]
use = "shape"
kind = "plane"
height = 60.0
base = 500.0
direction = 90.0
[[stage]]
use = "noise"
amplitude = 5.0
[[stage]]
use = "strokes"
layer = "mouth"
[[stage.strokes]]
points = [0.0, 3000.0]
radius = 250.0
falloff = 0.0
strength = 1.0
)";

const std::string kErode = R"(
[[stage]]
use = "erode"
time = 2.0e5
uplift = 0.0
boundary = "mouth"
[[stage.sources]]
x = 6250.0
y = 3400.0
area = 1.0e10
)";

const std::string kRivers = "[[stage]]\nuse = \"rivers\"\nmin_area = 5e5\n";

Landscape built(const std::string& text) {
    return run_project(parse_project(text, "p.toml", "", {}), {.write_outputs = false}).landscape;
}

std::vector<Reach> last_reaches(const RiverNetwork& network) {
    std::vector<Reach> last;
    for (const Reach& reach : network.reaches)
        if (reach.next_down < 0) last.push_back(reach);
    return last;
}

double drained(const RiverNetwork& network) {
    double area = 0.0;
    for (const Reach& reach : last_reaches(network)) area += reach.upland_area;
    return area;
}

double greatest_of(const Field<float>& values) {
    double greatest = 0.0;
    for (const float value : values)
        if (!is_no_data(value)) greatest = std::max(greatest, static_cast<double>(value));
    return greatest;
}

TEST(WaterBoundary, of_erosion_is_that_of_all_stages_after_it) {
    const Landscape landscape = built(kPlain + kErode + "[[stage]]\nuse = \"flow\"\n" + kRivers);
    const std::vector<Reach> last = last_reaches(landscape.get<RiverNetwork>("rivers"));
    ASSERT_FALSE(last.empty());
    for (const Reach& reach : last) {
        EXPECT_LT(reach.points.back().x, 300.0);
        EXPECT_NEAR(reach.points.back().y, 3000.0, 300.0);
    }
    // The river from beyond the map is there, with what its area brings, and joins nothing smaller.
    const Reach& trunk = *std::ranges::max_element(last, {}, &Reach::upland_area);
    EXPECT_GT(trunk.upland_area, kSourceArea);
    EXPECT_LE(drained(landscape.get<RiverNetwork>("rivers")), kSourceArea + kSide * kSide);
    EXPECT_DOUBLE_EQ(trunk.discharge, mean_discharge(trunk.upland_area, {}));
    EXPECT_DOUBLE_EQ(trunk.bankfull_discharge, bankfull_discharge(trunk.upland_area, {}));
    EXPECT_GT(trunk.width, 40.0);
    EXPECT_NEAR(greatest_of(landscape.layer("drainage_area")), trunk.upland_area, 1e-6 * kSourceArea);
    // Water leaves nowhere else.
    const Field<float>& basins = landscape.layer("basin");
    EXPECT_LE(greatest_of(basins), 25.0);
}

TEST(WaterBoundary, that_a_stage_names_takes_the_place_of_that_before) {
    const std::string text = kPlain + kErode;
    const double domain = kSide * kSide;
    const Landscape open = built(text + "[[stage]]\nuse = \"rivers\"\nmin_area = 5e5\nedges = \"open\"\n");
    EXPECT_TRUE(std::ranges::any_of(last_reaches(open.get<RiverNetwork>("rivers")),
                                    [](const Reach& reach) { return reach.points.back().x > 300.0; }));
    const Landscape other = built(text + kRivers + "[[stage.sources]]\nx = 3000.0\ny = 5000.0\narea = 3e8\n");
    EXPECT_GT(drained(other.get<RiverNetwork>("rivers")), 3e8);
    EXPECT_LE(drained(other.get<RiverNetwork>("rivers")), 3e8 + domain);
}

TEST(WaterBoundary, is_shared_from_one_erosion_to_the_next) {
    const std::string later = "[[stage]]\nuse = \"erode\"\ntime = 1e5\nuplift = 0.0\n";
    const std::string same = later +
                             "boundary = \"mouth\"\n[[stage.sources]]\nx = 6250.0\ny = "
                             "3400.0\narea = 1.0e10\n";
    EXPECT_EQ(built(kPlain + kErode + later).layer("elevation"),
              built(kPlain + kErode + same).layer("elevation"));
}

TEST(WaterBoundary, with_a_sea_reaches_as_far_in_later_stages) {
    const std::string text = kPlain + "[[stage]]\nuse = \"erode\"\ntime = 1e5\nsea_level = 520.0\n";
    const Landscape landscape = built(text + kRivers);
    EXPECT_EQ(landscape.boundary().sea_level, 520.0);
    const Landscape told = built(text + kRivers + "sea_level = 520.0\n");
    ASSERT_EQ(landscape.get<RiverNetwork>("rivers").reaches.size(),
              told.get<RiverNetwork>("rivers").reaches.size());
    EXPECT_EQ(drained(landscape.get<RiverNetwork>("rivers")), drained(told.get<RiverNetwork>("rivers")));
    for (const Reach& reach : last_reaches(landscape.get<RiverNetwork>("rivers")))
        EXPECT_LE(reach.points.back().z, 521.0);
}

TEST(WaterBoundary, has_the_sea_around_an_island) {
    const std::string island =
        "[grid]\nextent = [6400.0, 6400.0]\ncells = 64\n[[stage]]\nuse = \"shape\"\n"
        "kind = \"island\"\nbase = 30.0\n";
    EXPECT_EQ(built(island).boundary().sea_level, 30.0);
    EXPECT_TRUE(std::isinf(built(island + "layer = \"hardness\"\n").boundary().sea_level));
    EXPECT_TRUE(std::isinf(built(kPlain).boundary().sea_level));
}

/// A plane that falls to the south, without its rims.
Field<float> slope_to_the_south() {
    Field<float> z(make_grid(kSide, kSide, 64));
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        z[cell] = static_cast<float>(z.grid().rows - z.grid().row_of(cell) +
                                     0.05 * std::abs(z.grid().column_of(cell) - 31.0));
    return z;
}

class OnSlope {
  public:
    OnSlope() {
        landscape.grid = slope_to_the_south().grid();
        landscape.set("elevation", slope_to_the_south());
    }

    template <class Parameters>
    void run(const char* stage, const Parameters& parameters) {
        StageContext context{landscape, "", quiet_, {}};
        find_stage(stage).run(&parameters, context);
        diagnostics = context.diagnostics;
    }

    [[nodiscard]] double value(const std::string& name) const {
        for (const auto& [key, value] : diagnostics.values)
            if (key == name) return std::get<double>(value);
        return std::nan("");
    }

    /// Sum of a layer over the cells where water leaves.
    [[nodiscard]] double leaving(const std::string& layer) const {
        const Field<float>& receiver = landscape.layer("receiver");
        double sum = 0.0;
        for (std::int64_t cell = 0; cell < receiver.size(); ++cell)
            if (receiver[cell] == 0.0F) sum += static_cast<double>(landscape.layer(layer)[cell]);
        return sum;
    }

    Landscape landscape;
    Diagnostics diagnostics;

  private:
    QuietProgress quiet_;
};

const DrainageSource kSource = {.x = 3150.0, .y = 6050.0, .area = 1e9};

TEST(WaterBoundary, lets_sources_in_by_every_routing_with_none_lost) {
    for (const Routing routing : {Routing::D8, Routing::Freeman, Routing::Dinf, Routing::Random}) {
        FlowStageParameters parameters;
        parameters.drainage.flow.routing.routing = routing;
        parameters.drainage.sources = {kSource};
        OnSlope with;
        with.run("flow", parameters);
        EXPECT_LT(with.value("outlet_area_error"), 1e-12) << static_cast<int>(routing);
        parameters.drainage.sources.clear();
        OnSlope without;
        without.run("flow", parameters);
        // All that is let in leaves, and upstream of it nothing changes.
        EXPECT_NEAR(with.leaving("drainage_area") - without.leaving("drainage_area"), 1e9, 1e3);
        EXPECT_NEAR(with.leaving("discharge") - without.leaving("discharge"),
                    1e9 * parameters.runoff_rate / 31557600.0, 1e-4);
        EXPECT_EQ(with.landscape.layer("drainage_area")(31, 2),
                  without.landscape.layer("drainage_area")(31, 2));
    }
}

TEST(WaterBoundary, lets_sources_in_along_drawn_rivers_and_into_analyses) {
    FlowStageParameters parameters;
    parameters.drainage.sources = {kSource};
    OnSlope slope;
    slope.run("flow", parameters);
    ASSERT_TRUE(slope.landscape.has("analyses"));
    ASSERT_TRUE(slope.landscape.get<TerrainAnalyses>("analyses").slope_area.has_value());
    EXPECT_NEAR(slope.landscape.get<TerrainAnalyses>("analyses").slope_area->bins.back().area, 1e9, 2e7);
    const ChiProfiles& profiles = *slope.landscape.get<TerrainAnalyses>("analyses").chi_profiles;
    ASSERT_FALSE(profiles.basins.empty());
    EXPECT_GT(profiles.basins.front().streams.front().area.front(), 1e9);

    const ScratchFolder folder;
    std::ofstream(folder / "drawn.geojson") << R"({"type":"Feature","properties":{},"geometry":
{"type":"LineString","coordinates":[[3150,5500],[4500,3000],[4500,50]]}})";
    RiversParameters rivers;
    rivers.network.min_area = 1e8;
    rivers.drainage.sources = {kSource};
    rivers.drawn_file = (folder / "drawn.geojson").string();
    slope.run("rivers", rivers);
    double greatest = 0.0;
    for (const Reach& reach : slope.landscape.get<RiverNetwork>("rivers").reaches)
        if (reach.drawn) greatest = std::max(greatest, reach.upland_area);
    EXPECT_GT(greatest, 1e9);
}

TEST(WaterBoundary, lets_sources_fill_lakes_as_deep_as_rain_does) {
    FlowStageParameters parameters;
    parameters.drainage.flow.conditioning.depressions = Depressions::Lakes;
    parameters.drainage.runoff = {.number = 0.1, .layer = ""};
    parameters.drainage.edges = GridEdges::Closed;
    OnSlope dry;
    dry.run("flow", parameters);
    parameters.drainage.sources = {kSource};
    OnSlope wet;
    wet.run("flow", parameters);
    EXPECT_NEAR(wet.value("lake_volume") - dry.value("lake_volume"), 0.1 * kSource.area, 1.0);
    parameters.drainage.runoff.number = 0.0;
    OnSlope none;
    none.run("flow", parameters);
    EXPECT_EQ(none.value("lake_volume"), 0.0);
}

TEST(WaterBoundary, refuses_sources_that_no_later_stage_could_let_in) {
    FlowStageParameters parameters;
    parameters.drainage.sources = {{.x = -5.0, .y = 100.0, .area = 1e9}};
    try {
        OnSlope().run("flow", parameters);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("source 1 at (-5, 100) m"));
    }
}

TEST(WaterBoundary, is_told_by_the_manifest_of_builds_and_frames) {
    const ScratchFolder folder;
    QuietProgress quiet;
    ProjectOverrides overrides;
    overrides.output_directory = folder / "out";
    const Project project =
        parse_project(kPlain + kErode + "[output]\nlayers = [\"elevation\"]\n", "p.toml", "", overrides);
    run_project(project);
    run_project(project, {.times = {1e4}});
    for (const char* name : {"out/manifest.json", "out/frames.json"}) {
        const nlohmann::json boundary = nlohmann::json::parse(bytes_of(folder / name))["boundary"];
        ASSERT_EQ(boundary["sources"].size(), 1U) << name;
        EXPECT_EQ(boundary["sources"][0]["area"], 1e10);
        EXPECT_EQ(boundary["sources"][0]["x"], 6250.0);
        EXPECT_GT(boundary["outlet_cells"], 5);
        EXPECT_LT(boundary["outlet_cells"], 25);
        EXPECT_TRUE(boundary["sea_level_m"].is_null());
    }
}

}  // namespace
}  // namespace thalweg
