#include "thalweg/project/parts/drainage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/stages/flow_stage.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A valley that falls to the north edge, between sides that fall to the east and west edges.
Field<float> valley(int cells = 20) {
    Field<float> z(make_grid(cells * 10.0, cells * 10.0, cells));
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column)
            z(column, row) = static_cast<float>(
                row + 3.0 * std::sin(column * 2.0 * 3.14159265 / (cells - 1)) + 0.001 * column);
    return z;
}

/// Drains terrain as a stage does.
class Drained {
  public:
    explicit Drained(const Field<float>& z, const DrainageParameters& parameters,
                     const std::string& base = "", const Field<float>& mask = {}) {
        landscape_.grid = z.grid();
        landscape_.set("elevation", z);
        if (!mask.empty()) landscape_.set("mask", mask);
        StageContext context{landscape_, base, progress_, {}};
        flow = drain(parameters, flow_boundary(parameters, context), context, progress_);
        notes = context.diagnostics.notes;
    }

    [[nodiscard]] std::vector<std::int64_t> roots() const {
        std::vector<std::int64_t> cells;
        for (std::size_t cell = 0; cell < flow.tree.direction.size(); ++cell)
            if (flow.tree.direction[cell] == kRoot) cells.push_back(static_cast<std::int64_t>(cell));
        return cells;
    }

    FlowResult flow;
    std::vector<std::string> notes;

  private:
    Landscape landscape_;
    QuietProgress progress_;
};

std::int64_t lowest_cell(const Field<float>& z) {
    return std::min_element(z.begin(), z.end()) - z.begin();
}

TEST(Drainage, areas_and_their_error_are_the_same_whatever_other_layers_are_wanted) {
    const Stage& stage = find_stage("flow");
    for (const Routing routing : {Routing::D8, Routing::Freeman}) {
        FlowStageParameters parameters;
        parameters.drainage.flow.routing.routing = routing;
        const auto run_for = [&](const WantedLayers& wanted) {
            Landscape landscape;
            landscape.grid = valley().grid();
            landscape.set("elevation", valley());
            QuietProgress quiet;
            StageContext context{landscape, "", quiet, {}, true, wanted};
            stage.run(&parameters, context);
            for (const auto& [name, value] : context.diagnostics.values)
                if (name == "outlet_area_error") {
                    EXPECT_LT(std::get<double>(value), 1e-12);
                }
            return landscape;
        };
        const Field<float> alone = run_for(WantedLayers({"drainage_area"})).layer("drainage_area");
        EXPECT_GT(*std::ranges::max_element(alone), 1000.0F);
        EXPECT_EQ(run_for({}).layer("drainage_area"), alone);
        for (const std::string& layer : stage.writes) {
            const Landscape made = run_for(WantedLayers({"drainage_area", layer}));
            EXPECT_EQ(made.layer("drainage_area"), alone) << layer;
        }
        for (const char* layer : {"stream_power", "specific_area", "chi"}) {
            const Landscape made = run_for(WantedLayers({layer}));
            EXPECT_GT(*std::ranges::max_element(made.layer(layer)), 0.0F) << layer;
        }
    }
}

TEST(Drainage, closed_edges_let_all_water_run_to_the_lowest_cell_and_say_so) {
    const Field<float> z = valley();
    for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
        const Drained drained(
            z, {.flow = {.conditioning = {.depressions = depressions}}, .edges = GridEdges::Closed});
        EXPECT_THAT(drained.roots(), ElementsAre(lowest_cell(z)));
        EXPECT_EQ(drained.flow.drainage_area[lowest_cell(z)], 200.0 * 200.0);
        EXPECT_THAT(drained.notes,
                    ElementsAre("there is 1 piece of land without an outlet: there the lowest cell takes the "
                                "water"));
    }
    EXPECT_GT(Drained(z, {}).roots().size(), 70U);
    EXPECT_THAT(Drained(z, {}).notes, IsEmpty());
}

TEST(Drainage, closed_edges_still_drain_beside_cells_without_data_and_into_the_sea) {
    Field<float> z = valley();
    z(10, 10) = kNoData;
    const Drained gap(z, {.edges = GridEdges::Closed});
    EXPECT_EQ(gap.roots().size(), 8U);
    EXPECT_THAT(gap.notes, IsEmpty());

    z = valley();
    z(19, 0) = kNoData;  // at the edge of the grid, too
    EXPECT_EQ(Drained(z, {.edges = GridEdges::Closed}).roots().size(), 3U);

    z = valley();
    const Drained sea(z, {.sea_level = 2.0, .edges = GridEdges::Closed});
    EXPECT_EQ(static_cast<std::int64_t>(sea.roots().size()),
              std::count_if(z.begin(), z.end(), [](float height) { return height <= 2.0F; }));
}

TEST(Drainage, outlets_of_a_layer_drain_besides_the_edges_or_alone) {
    const Field<float> z = valley();
    Field<float> mask(z.grid(), 0.0F);
    mask(10, 12) = 3.0F;
    mask(4, 4) = kNoData;
    const NumberOrLayer outlets{.number = 0.0, .layer = "mask"};
    const Drained alone(z, {.edges = GridEdges::Closed, .outlets = outlets}, "", mask);
    EXPECT_THAT(alone.roots(), ElementsAre(z.grid().index(10, 12)));
    EXPECT_EQ(alone.flow.drainage_area(10, 12), 200.0 * 200.0);
    EXPECT_THAT(alone.notes, IsEmpty());
    EXPECT_EQ(Drained(z, {.outlets = outlets}, "", mask).roots().size(), Drained(z, {}).roots().size() + 1);
}

TEST(Drainage, outlets_of_a_raster_of_other_cells_are_resampled_with_a_note) {
    const ScratchFolder folder;
    const Field<float> z = valley();
    Field<float> mask(make_grid(200.0, 200.0, 10), 0.0F);
    mask(5, 6) = 1.0F;
    write_raster(folder / "mask.tif", mask, RasterFormat::GeoTiff);
    const NumberOrLayer outlets{.number = 0.0, .layer = "mask.tif"};
    const Drained drained(z, {.edges = GridEdges::Closed, .outlets = outlets}, (folder / "").string());
    EXPECT_EQ(drained.flow.tree.direction[at(z.grid().index(10, 12))], kRoot);
    ASSERT_EQ(drained.notes.size(), 1U);
    EXPECT_THAT(drained.notes[0], HasSubstr("mask.tif was resampled from 10 x 10 cells"));
}

TEST(Drainage, outlets_that_mark_nothing_are_noted) {
    Field<float> z = valley();
    z(3, 3) = kNoData;
    Field<float> mask(z.grid(), 0.0F);
    mask(3, 3) = 1.0F;
    EXPECT_THAT(Drained(z, {.outlets = {.number = 0.0, .layer = "mask"}}, "", mask).notes,
                ElementsAre("outlets mask marks no cell of the terrain"));
}

TEST(Drainage, outlets_are_a_mask_and_not_a_number) {
    DrainageParameters parameters;
    EXPECT_THROW(parameters_of<DrainageParameters>().at("outlets").set(&parameters, Value(1.0)), Error);
}

TEST(Drainage, water_follows_rivers_that_are_burned_in_and_the_ground_stays_as_it_was) {
    // A plane that falls to the south, and a line across it to the east edge.
    const ScratchFolder folder;
    const auto write_line = [&](const char* points) {
        std::ofstream(folder / "line.geojson")
            << R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{},)"
            << R"("geometry":{"type":"LineString","coordinates":)" << points << "}}]}";
    };
    write_line("[[35,105],[195,105]]");
    Field<float> z(make_grid(200.0, 200.0, 20));
    for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 20; ++column) z(column, row) = static_cast<float>(50 - row);
    const DrainageParameters parameters{.rivers_file = "line.geojson"};
    Drained drained(z, parameters, (folder / "").string());
    const Grid& grid = z.grid();
    for (int column = 4; column < 19; ++column)
        EXPECT_EQ(drained.flow.tree.direction[at(grid.index(column, 9))], 0) << column;
    EXPECT_GT(drained.flow.drainage_area(19, 9), 100.0 * 100.0);
    EXPECT_LT(Drained(z, {}).flow.drainage_area(19, 9), 300.0);
    EXPECT_EQ(drained.flow.elevation(10, 9), z(10, 9) - 20.0F);
    fill_trenches(parameters, z, drained.flow);
    // The line's bed alone is cut, by 1 m, since water comes to it from the ground south of it, too.
    for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 20; ++column)
            ASSERT_EQ(drained.flow.elevation(column, row), row == 9 && column >= 3 ? 40.0F : z(column, row));

    // A line uphill: beds are cut down so that they never rise.
    write_line("[[105,65],[105,195]]");
    Drained uphill(z, parameters, (folder / "").string());
    fill_trenches(parameters, z, uphill.flow);
    for (std::int32_t cell = 0; cell < z.size(); ++cell)
        if (const std::int32_t receiver = uphill.flow.tree.receiver(cell); receiver >= 0) {
            ASSERT_LE(uphill.flow.elevation[receiver], uphill.flow.elevation[cell]);
        }
}

}  // namespace
}  // namespace thalweg
