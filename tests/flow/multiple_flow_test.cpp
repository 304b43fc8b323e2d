#include "thalweg/flow/multiple_flow.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::terrain_of;
using tests::white_terrain;

QuietProgress progress;

constexpr Routing kParted[] = {Routing::Freeman, Routing::Dinf};

FlowResult routed(const Field<float>& z, const RoutingParameters& routing,
                  Depressions depressions = Depressions::Breach) {
    return route(z, {.conditioning = {.depressions = depressions}, .routing = routing}, progress);
}

/// The share of `cell`'s water that goes in each direction, written down from the papers.
using Shares = std::array<double, 8>;

double drop_to(const Field<float>& z, std::int64_t cell, std::size_t d) {
    const Grid& grid = z.grid();
    const int column = grid.column_of(cell) + kColumnStep[d], row = grid.row_of(cell) + kRowStep[d];
    if (!grid.contains(column, row) || is_no_data(z(column, row))) return -INFINITY;
    return static_cast<double>(z[cell]) - static_cast<double>(z(column, row));
}

Shares freeman_shares(const Field<float>& z, std::int64_t cell, double p) {
    Shares shares{};
    for (std::size_t d = 0; d < 8; ++d)
        shares[d] = std::pow(std::max(0.0, drop_to(z, cell, d)) / (d % 2 == 0 ? 1.0 : std::sqrt(2.0)), p);
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share = sum > 0.0 ? share / sum : 0.0;
    return shares;
}

/// Tarboton's eqs. 1 to 5, for cells with 8 neighbours; his facets clockwise from east, so that the first of
/// equally steep ones is the same.
Shares dinf_shares(const Field<float>& z, std::int64_t cell) {
    constexpr std::size_t kAxis[8] = {0, 2, 2, 4, 4, 6, 6, 0};      // e1
    constexpr std::size_t kDiagonal[8] = {1, 1, 3, 3, 5, 5, 7, 7};  // e2
    double steepest = 0.0;
    Shares shares{};
    for (std::size_t facet = 0; facet < 8; ++facet) {
        const double s1 = drop_to(z, cell, kAxis[facet]);
        const double s2 = drop_to(z, cell, kDiagonal[facet]) - s1;
        // Slopes are compared by their squares, which are exact.
        double r = std::atan2(s2, s1), s = s1 * s1 + s2 * s2;
        if (r < 0.0) r = 0.0, s = s1 * std::abs(s1);
        if (s2 >= s1 && r > 0.0) {
            const double drop = drop_to(z, cell, kDiagonal[facet]);
            r = std::numbers::pi / 4.0, s = drop * std::abs(drop) / 2.0;
        }
        if (!(s > steepest)) continue;
        steepest = s;
        shares = {};
        shares[kDiagonal[facet]] = r / (std::numbers::pi / 4.0);
        shares[kAxis[facet]] = 1.0 - shares[kDiagonal[facet]];
    }
    return shares;
}

/// Area by asking all neighbours, over and over.
class SlowArea {
  public:
    SlowArea(const FlowResult& flow, std::function<Shares(std::int64_t)> shares_of)
        : flow_(flow), shares_of_(std::move(shares_of)), known_(flow.tree.grid, -1.0) {}

    double through(std::int64_t cell) {
        if (known_[cell] >= 0.0) return known_[cell];
        const Grid& grid = flow_.tree.grid;
        double area = grid.cell_area();
        for (std::size_t d = 0; d < 8; ++d) {
            const int column = grid.column_of(cell) + kColumnStep[d];
            const int row = grid.row_of(cell) + kRowStep[d];
            if (!grid.contains(column, row)) continue;
            const double share = share_of(grid.index(column, row), at(opposite(static_cast<int>(d))));
            if (share > 0.0) area += share * through(grid.index(column, row));
        }
        return known_[cell] = area;
    }

  private:
    double share_of(std::int64_t cell, std::size_t d) {
        const std::uint8_t direction = flow_.tree.direction[at(cell)];
        if (direction >= kRoot) return 0.0;
        const Shares shares = shares_of_(cell);
        const bool runs_down = std::any_of(shares.begin(), shares.end(), [](double s) { return s > 0.0; });
        return runs_down ? shares[d] : (direction == d ? 1.0 : 0.0);
    }

    const FlowResult& flow_;
    std::function<Shares(std::int64_t)> shares_of_;
    Field<double> known_;
};

std::vector<Field<float>> rough_terrains() {
    // The third one is walked in several strips of rows.
    std::vector<Field<float>> terrains = {white_terrain(30, 23, 1), white_terrain(24, 24, 2, 5),
                                          white_terrain(6, 900, 6), white_terrain(24, 24, 2, 2),
                                          white_terrain(33, 29, 4)};
    cut_out(terrains.back(), 8, 9, 14, 15);
    return terrains;
}

TEST(MultipleFlow, areas_are_those_of_a_slow_walk_with_the_shares_of_the_papers) {
    for (const Field<float>& z : rough_terrains())
        for (const Depressions depressions : {Depressions::Breach, Depressions::Fill, Depressions::None})
            for (const Routing routing : kParted) {
                const FlowResult flow = routed(z, {.routing = routing, .freeman_exponent = 1.1}, depressions);
                SlowArea slow(flow, [&](std::int64_t cell) {
                    return routing == Routing::Freeman ? freeman_shares(flow.elevation, cell, 1.1)
                                                       : dinf_shares(flow.elevation, cell);
                });
                for (std::int64_t cell = 0; cell < z.size(); ++cell) {
                    if (is_no_data(z[cell])) {
                        ASSERT_EQ(flow.drainage_area[cell], 0.0);
                        continue;
                    }
                    const double expected = slow.through(cell);
                    ASSERT_NEAR(flow.drainage_area[cell], expected, 2e-5 * expected) << "cell " << cell;
                }
            }
}

TEST(MultipleFlow, what_reaches_the_outlets_is_the_whole_area_to_rounding) {
    std::vector<Field<float>> terrains = rough_terrains();
    terrains.push_back(white_terrain(1, 30, 3));
    terrains.push_back(white_terrain(30, 1, 3));
    terrains.push_back(white_terrain(1, 1, 3));
    terrains.push_back(white_terrain(200, 150, 3));
    terrains.push_back(terrain_of(3, 3, {5, 5, 5, 5, 5, 5, 5, 5, 5}));
    for (const Field<float>& z : terrains)
        for (const Routing routing : {Routing::Random, Routing::Freeman, Routing::Dinf}) {
            const FlowResult flow = routed(z, {.routing = routing});
            double out = 0.0, inside = 0.0;
            for (std::int64_t cell = 0; cell < z.size(); ++cell) {
                if (flow.tree.direction[at(cell)] == kRoot) out += flow.drainage_area[cell];
                if (!is_no_data(z[cell])) inside += z.grid().cell_area();
            }
            EXPECT_NEAR(out, inside, 1e-12 * inside);
        }
}

/// A plane that falls towards `bearing`, eighths of a turn clockwise from east.
Field<float> plane_towards(double bearing, int cells) {
    Field<float> z(Grid{.columns = cells, .rows = cells, .cell_size = 10.0});
    const double angle = bearing * std::numbers::pi / 4.0;
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column)
            z(column, row) =
                static_cast<float>(1000.0 - 10.0 * (std::cos(angle) * column + std::sin(angle) * row));
    return z;
}

TEST(MultipleFlow, dinf_runs_down_a_plane_at_its_angle) {
    for (double bearing = 0.0; bearing < 8.0; bearing += 0.0625) {
        const Field<float> z = plane_towards(bearing, 7);
        const FlowResult flow = routed(z, {});
        const double found = static_cast<double>(dinf_bearings(z, flow.tree.direction)(3, 3));
        const double apart = std::remainder(found - bearing, 8.0);
        EXPECT_NEAR(apart, 0.0, 1e-4) << bearing;
    }
}

TEST(MultipleFlow, dinf_splits_the_water_of_a_plane_by_its_angle) {
    // The share of the first diagonal is that of the angle in an eighth of a turn.
    for (const double share : {0.125, 0.5, 0.875}) {
        const Field<float> z = plane_towards(share, 9);
        FlowResult flow = routed(z, {});
        Field<double> drop(z.grid(), 0.0);
        drop(3, 3) = 1.0;
        const Field<double> passed = accumulate(flow, drop, {.routing = Routing::Dinf}, progress);
        EXPECT_NEAR(passed(4, 3), 1.0 - share, 1e-4);
        EXPECT_NEAR(passed(4, 4), share, 1e-4);
        EXPECT_NEAR(passed(5, 4), 2.0 * share * (1.0 - share), 2e-4);
    }
}

TEST(MultipleFlow, specific_area_of_a_plane_is_the_way_down_it) {
    // Far from where the water begins; near by, the corner of the plane still shows.
    for (const double bearing : {0.0, 0.25, 0.5, 0.75, 1.0, 1.5}) {
        const Field<float> z = plane_towards(bearing, 120);
        const FlowResult flow = routed(z, {.routing = Routing::Dinf});
        const Field<float> specific =
            specific_area(flow.drainage_area, dinf_bearings(z, flow.tree.direction));
        // Water comes from the west or north edge, whichever is met first on the way back.
        const double angle = bearing * std::numbers::pi / 4.0;
        const double way = std::min(60.0 / std::cos(angle), 60.0 / std::max(1e-9, std::sin(angle))) * 10.0;
        EXPECT_NEAR(static_cast<double>(specific(60, 60)) / way, 1.0, 0.03) << bearing;
    }
}

TEST(MultipleFlow, dinf_has_the_specific_area_of_a_cone_and_d8_has_not) {
    // On a cone the area above a metre of contour is half the distance to the top.
    constexpr int kCells = 201;
    Field<float> z(Grid{.columns = kCells, .rows = kCells, .cell_size = 1.0});
    const auto radius = [](int column, int row) { return std::hypot(column - 100.0, row - 100.0); };
    for (int row = 0; row < kCells; ++row)
        for (int column = 0; column < kCells; ++column)
            z(column, row) = static_cast<float>(1000.0 - radius(column, row));
    struct Errors {
        double mean = 0.0;
        double size = 0.0;
    };
    const auto errors_of = [&](Routing routing) {
        const FlowResult flow = routed(z, {.routing = routing});
        const Field<float> specific =
            specific_area(flow.drainage_area, dinf_bearings(z, flow.tree.direction));
        Errors errors;
        double cells = 0.0;
        for (int row = 0; row < kCells; ++row)
            for (int column = 0; column < kCells; ++column) {
                const double r = radius(column, row);
                if (r < 20.0 || r > 95.0) continue;
                const double error = static_cast<double>(specific(column, row)) / (r / 2.0) - 1.0;
                errors.mean += error;
                errors.size += std::abs(error);
                ++cells;
            }
        return Errors{errors.mean / cells, errors.size / cells};
    };
    EXPECT_NEAR(errors_of(Routing::Dinf).mean, 0.0, 0.01);
    EXPECT_LT(errors_of(Routing::Dinf).size, 0.1);  // water gathers a little along axes and diagonals
    EXPECT_GT(errors_of(Routing::D8).size, 0.4);
}

TEST(MultipleFlow, flow_direction_counts_degrees_clockwise_from_north) {
    Field<float> bearing(Grid{.columns = 5, .rows = 1});
    bearing[0] = 0.0F;
    bearing[1] = 2.0F;
    bearing[2] = 6.0F;
    bearing[3] = 6.5F;
    bearing[4] = kNoData;
    const Field<float> degrees = compass_degrees(bearing);
    EXPECT_EQ(degrees[0], 90.0F);
    EXPECT_EQ(degrees[1], 180.0F);
    EXPECT_EQ(degrees[2], 0.0F);
    EXPECT_EQ(degrees[3], 22.5F);
    EXPECT_TRUE(is_no_data(degrees[4]));
}

TEST(MultipleFlow, freeman_with_a_large_exponent_is_d8) {
    const Field<float> z = white_terrain(60, 50, 8);
    const FlowResult d8 = routed(z, {}, Depressions::None);
    const FlowResult sharp =
        routed(z, {.routing = Routing::Freeman, .freeman_exponent = 1000.0}, Depressions::None);
    std::int64_t apart = 0;  // neighbours of nearly one slope share even so
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        apart += std::abs(sharp.drainage_area[cell] - d8.drainage_area[cell]) > 1e-3 * d8.drainage_area[cell];
    EXPECT_LT(apart, z.size() / 50);
    const FlowResult parted =
        routed(z, {.routing = Routing::Freeman, .freeman_exponent = 1.1}, Depressions::None);
    EXPECT_NE(parted.drainage_area, d8.drainage_area);
}

TEST(MultipleFlow, freeman_with_exponent_0_shares_evenly_and_with_1_by_slope) {
    const Field<float> z = terrain_of(5, 5, {90, 90, 90, 90, 90,  //
                                             90, 9,  9,  9,  90,  //
                                             90, 9,  8,  5,  90,  //
                                             90, 9,  7,  9,  90,  //
                                             90, 90, 90, 90, 90});
    Field<std::uint8_t> roots(z.grid(), 0);
    roots(3, 2) = roots(2, 3) = 1;
    const auto areas = [&](double exponent) {
        const FlowParameters parameters{
            .routing = {.routing = Routing::Freeman, .freeman_exponent = exponent}};
        FlowResult flow = route(z, eight_neighbours(z.grid()), {roots}, parameters, progress);
        Field<double> drop(z.grid(), 0.0);
        drop(2, 2) = 1.0;
        return accumulate(flow, drop, parameters.routing, progress);
    };
    EXPECT_DOUBLE_EQ(areas(0.0)(3, 2), 0.5);
    EXPECT_NEAR(areas(1.0)(3, 2), 0.75, 1e-6);
    EXPECT_NEAR(areas(2.0)(2, 3), 0.1, 1e-6);
}

TEST(MultipleFlow, cells_on_flats_and_in_lakes_follow_the_tree) {
    const Field<float> z = terrain_of(6, 3,
                                      {9, 9, 9, 9, 9, 9,  //
                                       9, 2, 1, 2, 5, 3,  //
                                       9, 9, 9, 9, 9, 9});
    for (const Routing routing : kParted) {
        const FlowResult filled = routed(z, {.routing = routing}, Depressions::Fill);
        EXPECT_DOUBLE_EQ(filled.drainage_area(4, 1), 4.0);
        EXPECT_DOUBLE_EQ(filled.drainage_area(5, 1), 5.0);
    }
}

TEST(MultipleFlow, random_draws_a_neighbour_as_often_as_its_slope_says) {
    // Rows of a valley floor that falls by 3 to the east and by 1 to the south, far from every edge.
    Field<float> z(Grid{.columns = 220, .rows = 220});
    for (int row = 0; row < 220; ++row)
        for (int column = 0; column < 220; ++column)
            z(column, row) = static_cast<float>(2000 - 3 * column - row);
    const FlowResult d8 = routed(z, {});
    std::array<double, 8> counts{};
    for (const std::uint64_t seed : {1U, 2U}) {
        const std::vector<std::uint8_t> drawn = random_directions(z, d8.tree.direction, seed);
        for (int row = 1; row < 219; ++row)
            for (int column = 1; column < 219; ++column) ++counts[drawn[at(z.grid().index(column, row))]];
    }
    // East 3, south 1, south-east 4 and north-east 2 over the root of 2.
    const double sum = 3.0 + 1.0 + 6.0 / std::sqrt(2.0);
    const double cells = 2.0 * 218.0 * 218.0;
    EXPECT_NEAR(counts[0] / cells, 3.0 / sum, 0.006);
    EXPECT_NEAR(counts[1] / cells, 4.0 / std::sqrt(2.0) / sum, 0.006);
    EXPECT_NEAR(counts[2] / cells, 1.0 / sum, 0.006);
    EXPECT_NEAR(counts[7] / cells, 2.0 / std::sqrt(2.0) / sum, 0.006);
    EXPECT_NE(random_directions(z, d8.tree.direction, 1), random_directions(z, d8.tree.direction, 2));
}

TEST(MultipleFlow, random_leads_all_water_out_on_rough_ground) {
    for (const Field<float>& z : rough_terrains()) {
        const FlowResult flow = routed(z, {.routing = Routing::Random, .seed = 7}, Depressions::Fill);
        for (std::int32_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell])) continue;
            const std::int32_t receiver = flow.tree.receiver(cell);
            if (receiver >= 0) {
                ASSERT_LE(flow.elevation[receiver], flow.elevation[cell]);
            }
        }
    }
}

TEST(MultipleFlow, is_the_same_on_1_2_and_8_threads_and_any_width_of_vectors) {
    for (const Field<float>& z : {white_terrain(300, 260, 10), white_terrain(60, 1100, 11)})
        for (const Routing routing : {Routing::Random, Routing::Freeman, Routing::Dinf}) {
            const FlowResult first = routed(z, {.routing = routing});
            for (const int threads : {1, 2, 8}) {
                const ExecutionScope on_threads({.threads = threads});
                EXPECT_EQ(routed(z, {.routing = routing}).drainage_area, first.drainage_area);
            }
            for (const int lanes : {4, 8, 16}) {
                limit_vector_lanes(lanes);
                EXPECT_EQ(routed(z, {.routing = routing}).drainage_area, first.drainage_area);
            }
            limit_vector_lanes(0);
        }
}

TEST(MultipleFlow, can_be_cancelled) {
    const Field<float> z = white_terrain(40, 40, 10);
    const FlowResult flow = routed(z, {});
    const Field<double> weight(z.grid(), 1.0);
    ImpatientProgress impatient(0);
    EXPECT_THROW(accumulate_freeman(z, flow.tree.direction, 1.1, weight, impatient), Cancelled);
}

}  // namespace
}  // namespace thalweg
