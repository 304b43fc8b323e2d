#include "thalweg/flow/route.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/river/extract.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "tests/river/network_rules.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// The Big Tujunga catchment, California: 1197 x 643 cells of 30 m (SRTM).
class BigTujunga : public testing::Test {
  protected:
    void SetUp() override {
        const char* folder = std::getenv("THALWEG_DATA");
        const std::filesystem::path path =
            std::filesystem::path(folder != nullptr ? folder : THALWEG_DATA_DEFAULT) / "bigtujunga.tif";
        if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set THALWEG_DATA";
        elevation = read_raster(path);
    }
    [[nodiscard]] RiverNetwork rivers(double min_area, Depressions depressions, double spacing = 0.0) const {
        QuietProgress progress;
        const FlowResult flow = route(elevation, {.conditioning = {.depressions = depressions}}, progress);
        return extract_network(flow.tree, flow.drainage_area, flow.elevation,
                               {.min_area = min_area, .spacing = spacing}, progress);
    }

    Field<float> elevation;
};

TEST_F(BigTujunga, has_one_connected_acyclic_network_to_every_outlet) {
    for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
        const RiverNetwork network = rivers(1e6, depressions);
        tests::expect_sound_network(network);
        std::size_t outlets = 0;
        std::size_t sources = 0;
        for (const RiverNode& node : network.nodes) {
            outlets += node.kind == NodeKind::Outlet ? 1 : 0;
            sources += node.kind == NodeKind::Source ? 1 : 0;
        }
        EXPECT_EQ(network.reaches.size(), network.nodes.size() - outlets);
        EXPECT_GT(sources, 100U);
    }
}

TEST_F(BigTujunga, has_centrelines_as_long_as_the_lines_from_cell_to_cell) {
    const RiverNetwork cells = rivers(1e5, Depressions::Breach);
    const RiverNetwork network = rivers(1e5, Depressions::Breach, 5.0);
    tests::expect_sound_network(network);
    ASSERT_EQ(network.reaches.size(), cells.reaches.size());
    for (std::size_t i = 0; i < network.reaches.size(); ++i) {
        ASSERT_EQ(network.reaches[i].id, cells.reaches[i].id);
        ASSERT_NEAR(network.reaches[i].length, cells.reaches[i].length, 0.03 * cells.reaches[i].length);
        ASSERT_NEAR(network.reaches[i].width, cells.reaches[i].width, 0.01 * cells.reaches[i].width);
    }
}

/// By how much the ground of a river cell stands above the higher of the two neighbours across the flow, m;
/// above 0 where it runs over a crest, with both banks below.
double height_above_banks(const Field<float>& ground, std::int32_t cell, std::uint8_t direction) {
    const Grid& grid = ground.grid();
    double higher = -std::numeric_limits<double>::infinity();
    for (const int turn : {2, 6}) {
        const int side = (direction + turn) & 7;
        const int column = grid.column_of(cell) + kColumnStep[side], row = grid.row_of(cell) + kRowStep[side];
        if (!grid.contains(column, row) || is_no_data(ground(column, row))) return -1.0;
        higher = std::max(higher, static_cast<double>(ground(column, row)));
    }
    return static_cast<double>(ground[cell]) - higher;
}

TEST_F(BigTujunga, has_no_river_that_crosses_a_ridge) {
    for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
        QuietProgress progress;
        const FlowResult flow = route(elevation, {.conditioning = {.depressions = depressions}}, progress);
        std::int64_t river_cells = 0, on_crests = 0, cut = 0;
        double highest = 0.0, deepest = 0.0;  // m
        for (const std::int32_t cell : flow.tree.order) {
            const std::uint8_t direction = flow.tree.direction[at(cell)];
            if (direction >= kRoot || flow.drainage_area[cell] < 1e6) continue;
            ++river_cells;
            const double above = height_above_banks(elevation, cell, direction);
            on_crests += above > 0.0 ? 1 : 0;
            highest = std::max(highest, above);
            const double depth =
                static_cast<double>(elevation[cell]) - static_cast<double>(flow.elevation[cell]);
            cut += depth > 0.0 ? 1 : 0;
            deepest = std::max(deepest, depth);
            // The conditioned bed never rises.
            ASSERT_LE(flow.elevation[flow.tree.receiver(cell)], flow.elevation[cell]);
        }
        EXPECT_GT(river_cells, 10000);
        // Elevations are whole metres: a metre more than both banks is one of rounding.
        EXPECT_LE(highest, 1.0);
        EXPECT_LT(on_crests, river_cells / 1000);
        EXPECT_LT(deepest, 50.0);
        EXPECT_EQ(cut > 0, depressions == Depressions::Breach);
    }
}

TEST_F(BigTujunga, has_a_bifurcation_ratio_as_surveyed_networks_have) {
    const RiverNetwork network = rivers(1e5, Depressions::Breach);
    // A stream of some order begins with a reach that no reach of its own order flows into.
    std::map<std::int64_t, int> order;
    std::set<std::int64_t> continued;
    for (const Reach& reach : network.reaches) order[reach.id] = reach.strahler;
    for (const Reach& reach : network.reaches)
        if (reach.next_down >= 0 && order[reach.next_down] == reach.strahler)
            continued.insert(reach.next_down);
    std::map<int, double> streams;
    for (const Reach& reach : network.reaches)
        if (!continued.contains(reach.id)) ++streams[reach.strahler];
    // Horton's ratio lies between 3 and 5 in most surveyed basins (Strahler 1957).
    for (const int lower : {1, 2}) {
        const double ratio = streams[lower] / streams[lower + 1];
        EXPECT_GT(ratio, 3.0) << "orders " << lower << " and " << lower + 1;
        EXPECT_LT(ratio, 5.0) << "orders " << lower << " and " << lower + 1;
    }
}

TEST_F(BigTujunga, largest_river_is_as_wide_and_deep_as_a_river) {
    const RiverNetwork network = rivers(1e6, Depressions::Fill);
    const Reach* largest = &network.reaches.front();
    for (const Reach& reach : network.reaches)
        if (reach.upland_area > largest->upland_area) largest = &reach;
    EXPECT_NEAR(largest->upland_area, 323e6, 3e6);
    EXPECT_GT(largest->width, 5.0);
    EXPECT_LT(largest->width, 60.0);
    EXPECT_GT(largest->depth, 0.3);
    EXPECT_LT(largest->depth, 3.0);
    EXPECT_LT(largest->velocity, 4.0);
}

}  // namespace
}  // namespace thalweg
