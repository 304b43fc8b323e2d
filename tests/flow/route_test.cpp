#include "thalweg/flow/route.hpp"

#include "thalweg/core/execution.hpp"

#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::terrain_of;
using tests::white_terrain;

constexpr Depressions kBothWays[] = {Depressions::Breach, Depressions::Fill};

FlowResult routed(const Field<float>& z, Depressions depressions) {
    QuietProgress progress;
    return route(z, {.conditioning = {.depressions = depressions}}, progress);
}

void expect_water_runs_down_and_out(const Field<float>& z, const FlowResult& flow) {
    double drained = 0.0;
    std::int64_t inside = 0;
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        if (is_no_data(z[cell])) {
            ASSERT_TRUE(is_no_data(flow.elevation[cell]));
            ASSERT_EQ(flow.drainage_area[cell], 0.0);
            continue;
        }
        ++inside;
        const std::int32_t receiver = flow.tree.receiver(cell);
        if (receiver < 0) {
            drained += flow.drainage_area[cell];
        } else {
            ASSERT_LE(flow.elevation[receiver], flow.elevation[cell]);
            ASSERT_GT(flow.drainage_area[receiver], flow.drainage_area[cell]);
        }
    }
    EXPECT_DOUBLE_EQ(drained, static_cast<double>(inside) * z.grid().cell_area());
}

TEST(Route, water_runs_down_and_out_whatever_happens_to_depressions) {
    std::vector<Field<float>> terrains = {white_terrain(50, 37, 1),    white_terrain(40, 40, 2, 3),
                                          white_terrain(40, 40, 2, 1), white_terrain(1, 25, 3),
                                          white_terrain(25, 1, 3),     white_terrain(1, 1, 3),
                                          white_terrain(45, 45, 4)};
    cut_out(terrains.back(), 10, 10, 20, 18);
    for (const Field<float>& z : terrains)
        for (const Depressions depressions : kBothWays)
            expect_water_runs_down_and_out(z, routed(z, depressions));
}

TEST(Route, breach_only_lowers_and_fill_only_raises) {
    const Field<float> z = white_terrain(50, 50, 6);
    const FlowResult breached = routed(z, Depressions::Breach);
    const FlowResult filled = routed(z, Depressions::Fill);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        ASSERT_LE(breached.elevation[cell], z[cell]);
        ASSERT_GE(filled.elevation[cell], z[cell]);
    }
    EXPECT_GT(breached.changed_cells, 0);
    EXPECT_GT(filled.changed_cells, 0);
    EXPECT_GT(filled.added_volume, 0.0);
}

TEST(Route, terrain_without_depressions_is_left_as_it_is) {
    Field<float> z(Grid{.columns = 15, .rows = 15});
    for (int row = 0; row < 15; ++row)
        for (int column = 0; column < 15; ++column)
            z(column, row) = 100.0F - static_cast<float>((column - 7) * (column - 7) + (row - 7) * (row - 7));
    for (const Depressions depressions : kBothWays) {
        const FlowResult flow = routed(z, depressions);
        EXPECT_EQ(flow.elevation, z);
        EXPECT_EQ(flow.changed_cells, 0);
        EXPECT_EQ(flow.removed_volume + flow.added_volume, 0.0);
    }
}

TEST(Route, a_filled_basin_drains_over_its_lowest_rim_and_a_breached_one_through_it) {
    const Field<float> z = terrain_of(5, 3,
                                      {9, 9, 9, 9, 9,  //
                                       9, 1, 2, 4, 3,  //
                                       9, 9, 9, 9, 9});
    for (const Depressions depressions : kBothWays) {
        const FlowResult flow = routed(z, depressions);
        EXPECT_EQ(flow.drainage_area(4, 1), 4.0);
    }
    EXPECT_EQ(routed(z, Depressions::Breach).elevation(3, 1), 1.0F);
    EXPECT_EQ(routed(z, Depressions::Fill).elevation(1, 1), 4.0F);
}

TEST(Route, a_domain_may_name_its_own_outlet) {
    const Field<float> z = white_terrain(20, 20, 9);
    Field<std::uint8_t> roots(z.grid(), 0);
    roots(13, 6) = 1;
    QuietProgress progress;
    for (const Depressions depressions : kBothWays) {
        const FlowResult flow = route(z, four_neighbours(z.grid()), {roots},
                                      {.conditioning = {.depressions = depressions}}, progress);
        EXPECT_EQ(flow.drainage_area(13, 6), 400.0 * 100.0);
        expect_water_runs_down_and_out(z, flow);
    }
}

TEST(Route, is_the_same_on_1_2_and_8_threads) {
    const Field<float> z = white_terrain(150, 120, 10);
    for (const Depressions depressions : kBothWays) {
        std::vector<FlowResult> flows;
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            flows.push_back(routed(z, depressions));
        }
        for (const FlowResult& flow : flows) {
            EXPECT_EQ(flow.tree.direction, flows[0].tree.direction);
            EXPECT_EQ(flow.elevation, flows[0].elevation);
            EXPECT_EQ(flow.drainage_area, flows[0].drainage_area);
        }
    }
}

TEST(Route, areas_need_not_be_stored_where_the_counts_of_the_tree_tell_them) {
    QuietProgress progress;
    const Field<float> z = white_terrain(40, 30, 3);
    for (const Routing routing : {Routing::D8, Routing::Random, Routing::Freeman, Routing::Dinf}) {
        const FlowParameters stored{.routing = {.routing = routing}};
        FlowParameters counted = stored;
        counted.orders_tree = counted.sums_area = false;
        const FlowResult with = route(z, stored, progress), without = route(z, counted, progress);
        const bool parts = routing == Routing::Freeman || routing == Routing::Dinf;
        EXPECT_NE(without.drainage_area.empty(), parts);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            ASSERT_EQ(with.drained_area(cell), with.drainage_area[cell]);
            ASSERT_EQ(without.drained_area(cell), with.drainage_area[cell]);
        }
    }
}

TEST(Route, depressions_are_chosen_by_name) {
    FlowParameters parameters;
    parameters_of<FlowParameters>().at("depressions").set(&parameters, Value(std::string("fill")));
    EXPECT_EQ(parameters.conditioning.depressions, Depressions::Fill);
}

}  // namespace
}  // namespace thalweg
