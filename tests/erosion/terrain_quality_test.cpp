#include "thalweg/erosion/terrain_quality.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/transfer/plane_fit.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::IsNan;
using ::testing::Lt;
using ::testing::Not;
using ::testing::Pointwise;

constexpr double kEveryCell = 0.0;  // m^2: every cell counts as a river

template <class Value>
Field<float> terrain(const Grid& grid, const Value& value) {
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            z(column, row) = static_cast<float>(value(column, row));
    return z;
}

/// Cells of a square grid, and how far from its middle they lie.
double radius_in(const Grid& grid, double column, double row) {
    return std::hypot(column - 0.5 * (grid.columns - 1), row - 0.5 * (grid.rows - 1));  // cells
}

/// Everything outside the circle that touches the grid's edges.
Field<std::uint8_t> outside_disc(const Grid& grid) {
    Field<std::uint8_t> mask(grid);
    for (std::int64_t cell = 0; cell < mask.size(); ++cell)
        mask[cell] = radius_in(grid, grid.column_of(cell), grid.row_of(cell)) > 0.5 * grid.columns - 1.0;
    return mask;
}

std::vector<float> areas(const FlowTree& tree) {
    const Field<double> exact = drainage_area(tree);
    return {exact.begin(), exact.end()};
}

RiverDirections directions_of(const Field<float>& elevation, const Lattice& lattice,
                              const Field<std::uint8_t>& roots, double least_area) {
    const FlowTree tree = build_flow_tree(elevation, lattice, roots, progress);
    return river_directions(lattice, tree, areas(tree), least_area);
}

/// A plain lattice turned anticlockwise by `degrees` round its first node.
Lattice turned_lattice(const Grid& grid, double degrees) {
    Lattice lattice = four_neighbours(grid);
    const double angle = degrees * std::numbers::pi / 180.0;
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double east = grid.column_of(cell);
        const double south = grid.row_of(cell);
        lattice.offset_x.push_back(
            static_cast<float>(std::cos(angle) * east + std::sin(angle) * south - east));
        lattice.offset_y.push_back(
            static_cast<float>(-std::sin(angle) * east + std::cos(angle) * south - south));
    }
    lattice.links.assign(at(grid.cells()), lattice.common_links);
    return lattice;
}

TEST(ElevationDeciles, of_a_ramp_are_evenly_spaced) {
    // 0, 1, ..., 1006 m in a shuffled order: decile i lies at 100.6 i.
    const Grid grid{.columns = 19, .rows = 53};
    const Field<float> ramp =
        terrain(grid, [&](int column, int row) { return grid.index(column, row) * 389 % 1007; });
    std::vector<double> expected;
    for (int decile = 0; decile <= 10; ++decile) expected.push_back(100.6 * decile);
    EXPECT_THAT(elevation_deciles(ramp), Pointwise(DoubleNear(1e-3), expected));
}

TEST(ElevationDeciles, of_few_values_lie_between_them) {
    Field<float> heights(Grid{.columns = 5, .rows = 1});
    for (int column = 0; column < 5; ++column)
        heights(column, 0) = 50.0F - 10.0F * static_cast<float>(column);
    EXPECT_THAT(elevation_deciles(heights),
                Pointwise(DoubleNear(1e-9), {10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50}));
}

TEST(ElevationDeciles, leave_out_cells_without_data) {
    Field<float> few(Grid{.columns = 5, .rows = 1}, kNoData);
    few[1] = 30.0F;
    few[3] = 10.0F;
    EXPECT_THAT(elevation_deciles(few), ElementsAre(10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30));
    few[1] = kNoData;
    EXPECT_THAT(elevation_deciles(few), Each(10.0));
    few[3] = kNoData;
    EXPECT_THAT(elevation_deciles(few), IsEmpty());
}

/// Rough ground on which a tenth of the links rise by more than they are long, with holes in it.
Field<float> rough_ground(const Grid& grid) {
    Field<float> z(grid);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const std::uint64_t bits = random_bits(3, Stream::WhiteNoise, static_cast<std::uint64_t>(cell));
        z[cell] = bits % 97 == 0 ? kNoData : 1.5F * static_cast<float>(grid.cell_size) * unit_float(bits);
    }
    return z;
}

/// discontinuous_share, link by link.
double share_by_links(const Lattice& lattice, const FlowTree& tree, const Field<float>& z) {
    const Grid& grid = lattice.grid;
    double cells = 0.0, discontinuities = 0.0;
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        if (is_no_data(z[cell])) continue;
        bool is_discontinuous = false;
        for (int d = 0; d < 8; ++d) {
            const std::uint8_t links = lattice.links_inside(grid.column_of(cell), grid.row_of(cell));
            if ((links >> d & 1) == 0) continue;
            const std::int32_t here = static_cast<std::int32_t>(cell);
            const std::int32_t other = here + kRowStep[d] * grid.columns + kColumnStep[d];
            const bool connected = tree.receiver(here) == other || tree.receiver(other) == here;
            const double excess = static_cast<double>(z[cell]) - static_cast<double>(z[other]);
            is_discontinuous = is_discontinuous || (!connected && excess > lattice.distance(cell, d));
        }
        ++cells;
        discontinuities += is_discontinuous ? 1.0 : 0.0;
    }
    return discontinuities / cells;
}

TEST(DiscontinuousShare, counts_cells_that_stand_higher_above_an_unconnected_neighbour_than_it_is_far) {
    // A wall of 3 cells in ground that falls to the east by 1 m over each 2 m.
    const Grid grid{.columns = 6, .rows = 5, .cell_size = 2.0};
    Field<float> z = terrain(grid, [](int column, int) { return 10.0 - column; });
    const Lattice lattice = four_neighbours(grid);
    const auto share = [&] {
        return discontinuous_share(lattice, build_flow_tree(z, lattice, edge_roots(z), progress), z);
    };
    EXPECT_EQ(share(), 0.0);
    for (const int row : {1, 2, 3}) z(2, row) += 4.0F;
    EXPECT_EQ(share(), 3.0 / 30.0);  // to the west they rise by 3 m over 2 m
    z(2, 2) = kNoData;
    EXPECT_EQ(share(), 2.0 / 29.0);
}

TEST(DiscontinuousShare, is_that_of_looking_at_every_link_on_any_vectors_and_threads) {
    const Grid grid{.columns = 83, .rows = 71, .cell_size = 30.0};
    const Field<float> z = rough_ground(grid);
    for (const Lattice& lattice :
         {jittered_mesh(grid, 5, 0.45, progress), four_neighbours(grid), eight_neighbours(grid)}) {
        const FlowTree tree = build_flow_tree(z, lattice, edge_roots(z), progress);
        const double expected = share_by_links(lattice, tree, z);
        EXPECT_THAT(expected, AllOf(Gt(0.05), Lt(0.95)));
        for (const int lanes : {4, 8, 16}) {
            limit_vector_lanes(lanes);
            EXPECT_EQ(discontinuous_share(lattice, tree, z), expected);
        }
        limit_vector_lanes(0);
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            EXPECT_EQ(discontinuous_share(lattice, tree, z), expected);
        }
    }
}

TEST(RiverDirections, share_with_an_axis_or_a_diagonal_what_lies_within_10_degrees) {
    std::vector<int> axes;
    std::vector<int> diagonals;
    for (int bin = 0; bin < RiverDirections::kBins; ++bin) {
        RiverDirections one;
        one.length[at(bin)] = 7.0;
        if (one.axis_share() > 0.0) axes.push_back(5 * bin);
        if (one.diagonal_share() > 0.0) diagonals.push_back(5 * bin);
        EXPECT_EQ(one.ten_degree_bins()[at(bin / 2)], 18.0);
    }
    EXPECT_THAT(axes, ElementsAre(0, 5, 80, 85, 90, 95, 170, 175));
    EXPECT_THAT(diagonals, ElementsAre(35, 40, 45, 50, 125, 130, 135, 140));
    RiverDirections even;
    even.length.fill(3.0);
    EXPECT_NEAR(even.axis_share(), 1.0, 1e-12);
    EXPECT_NEAR(even.diagonal_share(), 1.0, 1e-12);
}

TEST(RiverDirections, of_an_inclined_plane_fill_one_bin) {
    const Grid grid{.columns = 40, .rows = 24, .cell_size = 50.0};
    const Field<float> plane = terrain(grid, [](int column, int row) { return 1000 - column - 0.01 * row; });
    Field<std::uint8_t> east_edge(grid);
    for (int row = 0; row < grid.rows; ++row) east_edge(grid.columns - 1, row) = 1;
    for (double bearing = 2.5; bearing < 360.0; bearing += 5.0) {
        const RiverDirections found =
            directions_of(plane, turned_lattice(grid, bearing), east_edge, kEveryCell);
        EXPECT_EQ(found.length[static_cast<std::size_t>(bearing / 5.0) % 36], found.total_length())
            << bearing;
        // A chord of 10 cells begins in 30 columns of each row, or in 29 where rounding makes it shorter.
        EXPECT_NEAR(found.total_length(), 24 * 30 * 50.0, 24 * 50.0 + 1.0) << bearing;
    }
}

TEST(RiverDirections, of_a_plane_that_falls_along_an_axis_or_a_diagonal_have_only_that_share) {
    const Grid grid{.columns = 60, .rows = 60};
    const Lattice lattice = eight_neighbours(grid);
    const Field<float> to_west = terrain(grid, [](int column, int) { return column; });
    const Field<float> to_north_west = terrain(grid, [](int column, int row) { return column + row; });
    const RiverDirections west = directions_of(to_west, lattice, edge_roots(to_west), kEveryCell);
    const RiverDirections north_west =
        directions_of(to_north_west, lattice, edge_roots(to_north_west), kEveryCell);
    EXPECT_NEAR(west.axis_share(), 4.5, 1e-12);
    EXPECT_EQ(west.diagonal_share(), 0.0);
    EXPECT_NEAR(north_west.diagonal_share(), 4.5, 1e-12);
    EXPECT_EQ(north_west.axis_share(), 0.0);
    EXPECT_NEAR(north_west.ten_degree_bins()[13], 18.0, 1e-12);  // 130 to 140 degrees, down to the north-west
}

/// The direction of a step by one cell.
std::uint8_t direction_to(int columns, int rows) {
    for (std::uint8_t d = 0; d < 8; ++d)
        if (kColumnStep[d] == columns && kRowStep[d] == rows) return d;
    return kPit;
}

/// Rivers down a cone, 2 degrees apart, from 60 to 190 cells off its middle: on every bearing a straight line
/// as well as cells can draw it.
FlowTree radiating_rivers(const Grid& grid) {
    FlowTree tree;
    tree.grid = grid;
    tree.direction.assign(at(grid.cells()), kRoot);
    const int middle = grid.columns / 2;
    for (double bearing = 1.0; bearing < 360.0; bearing += 2.0) {
        const double angle = bearing * std::numbers::pi / 180.0;
        const double step = 1.0 / std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));  // cells
        const auto column = [&](int i) {
            return middle + static_cast<int>(std::lround(i * step * std::cos(angle)));
        };
        const auto row = [&](int i) {
            return middle - static_cast<int>(std::lround(i * step * std::sin(angle)));
        };
        for (int i = static_cast<int>(60.0 / step); i < static_cast<int>(190.0 / step); ++i)
            tree.direction[at(grid.index(column(i), row(i)))] =
                direction_to(column(i + 1) - column(i), row(i + 1) - row(i));
    }
    return tree;
}

TEST(RiverDirections, that_radiate_evenly_have_shares_of_one) {
    const Grid grid{.columns = 401, .rows = 401};
    const FlowTree tree = radiating_rivers(grid);
    const std::vector<float> area(at(grid.cells()), 1.0F);
    const Lattice mesh = jittered_mesh(grid, 1, 0.4, progress);  // only where its nodes lie is looked at
    const RiverDirections even = river_directions(mesh, tree, area, kEveryCell);
    EXPECT_NEAR(even.total_length(), 180 * (190 - 60 - 10), 0.03 * 180 * 120);
    EXPECT_THAT(even.axis_share(), AllOf(Gt(0.9), Lt(1.1)));
    EXPECT_THAT(even.diagonal_share(), AllOf(Gt(0.9), Lt(1.1)));
    EXPECT_THAT(even.ten_degree_bins(), Each(AllOf(Gt(0.85), Lt(1.15))));
}

TEST(RiverDirections, of_a_cone_follow_the_axes_of_four_neighbours) {
    const Grid grid{.columns = 201, .rows = 201};
    const Field<float> cone =
        terrain(grid, [&](int column, int row) { return 300.0 - radius_in(grid, column, row); });
    const RiverDirections ribbed = directions_of(cone, four_neighbours(grid), outside_disc(grid), kEveryCell);
    EXPECT_GT(ribbed.axis_share(), 3.0);
}

TEST(RiverDirections, are_those_of_cells_above_the_area_that_are_10_cells_from_their_outlet) {
    // One channel of 30 cells of 100 m^2 to the west: cell i drains 3000 m^2 - 100 m^2 i.
    const Grid grid{.columns = 30, .rows = 1, .cell_size = 10.0};
    const Field<float> channel = terrain(grid, [](int column, int) { return column; });
    Field<std::uint8_t> outlet(grid);
    outlet[0] = 1;
    const Lattice lattice = four_neighbours(grid);
    EXPECT_NEAR(directions_of(channel, lattice, outlet, kEveryCell).total_length(), 20 * 10.0, 1e-9);
    EXPECT_NEAR(directions_of(channel, lattice, outlet, 1500.0).total_length(), 6 * 10.0, 1e-9);
    EXPECT_EQ(directions_of(channel, lattice, outlet, 2100.0).total_length(), 0.0);
}

TEST(RiverDirections, have_no_shares_without_rivers) {
    const Grid grid{.columns = 20, .rows = 20};
    const Field<float> flat(grid, 1.0F);
    for (const RiverDirections& none :
         {RiverDirections{}, directions_of(flat, four_neighbours(grid), edge_roots(flat), 1e9),
          directions_of(Field<float>(grid, kNoData), four_neighbours(grid), edge_roots(flat), kEveryCell)}) {
        EXPECT_THAT(none.axis_share(), IsNan());
        EXPECT_THAT(none.diagonal_share(), IsNan());
        EXPECT_THAT(none.ten_degree_bins(), Each(IsNan()));
    }
}

TEST(RiverDirections, keep_their_shares_when_the_terrain_is_turned_by_90_degrees) {
    const Grid grid{.columns = 120, .rows = 120};
    const Field<float> rough = terrain(grid, [&](int column, int row) {
        const auto cell = static_cast<std::uint64_t>(grid.index(column, row));
        return 200.0 * std::sin(column / 31.0 + row / 57.0) + 3.0 * column +
               5.0 * unit_float(random_bits(1, Stream::WhiteNoise, cell));
    });
    const Field<float> turned =
        terrain(grid, [&](int column, int row) { return rough(grid.rows - 1 - row, column); });
    const RiverDirections before = directions_of(rough, eight_neighbours(grid), edge_roots(rough), 50.0);
    const RiverDirections after = directions_of(turned, eight_neighbours(grid), edge_roots(turned), 50.0);
    EXPECT_GT(before.total_length(), 500.0);
    EXPECT_NEAR(after.axis_share(), before.axis_share(), 1e-9);
    EXPECT_NEAR(after.diagonal_share(), before.diagonal_share(), 1e-9);
    for (std::size_t bin = 0; bin < 18; ++bin)
        EXPECT_NEAR(after.ten_degree_bins()[bin], before.ten_degree_bins()[(bin + 9) % 18], 1e-9);
}

TEST(RiverDirections, are_the_same_on_1_2_and_8_threads) {
    const Grid grid{.columns = 300, .rows = 300};
    const Lattice mesh = jittered_mesh(grid, 1, 0.4, progress);
    const Field<float> cone =
        terrain(grid, [&](int column, int row) { return 300.0 - radius_in(grid, column, row); });
    const FlowTree tree = build_flow_tree(cone, mesh, edge_roots(cone), progress);
    std::vector<RiverDirections> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        found.push_back(river_directions(mesh, tree, areas(tree), kEveryCell));
    }
    EXPECT_THAT(found, Each(found[0]));
}

ErosionInputs disc_problem(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(12800.0, 12800.0, cells);
    inputs.elevation = constant_source(0.0F);
    inputs.uplift = constant_source(1e-3F);
    inputs.boundary = outside_disc(inputs.grid);
    return inputs;
}

TEST(RiverDirections, of_eroded_terrain_follow_four_neighbours_but_not_a_mesh) {
    const ErosionInputs inputs = disc_problem(256);
    const ErosionParameters paper{.lattice = ErosionLattice::FourNeighbours,
                                  .receivers = ReceiverRule::Random};
    RiverDirections hidden;
    for (std::uint64_t seed = 1; seed <= 12; ++seed)
        hidden += erode(inputs, {}, seed, progress).report.river_directions;
    const RiverDirections seen = erode(inputs, paper, 1, progress).report.river_directions;
    EXPECT_THAT(hidden.axis_share(), AllOf(Gt(0.8), Lt(1.2)));
    EXPECT_THAT(hidden.diagonal_share(), AllOf(Gt(0.8), Lt(1.2)));
    EXPECT_GT(seen.axis_share(), 1.4);
    EXPECT_LT(seen.diagonal_share(), 0.8);
}

TEST(ErosionReport, tells_the_deciles_of_what_is_returned_and_the_directions_of_its_rivers) {
    const ErosionInputs inputs = disc_problem(64);
    for (const double time : {2e5, std::numeric_limits<double>::infinity()}) {
        const ErosionResult result = erode(inputs, {.time = time}, 1, progress);
        EXPECT_EQ(result.report.deciles, elevation_deciles(result.elevation));
        EXPECT_GT(result.report.deciles.back(), 100.0);
        EXPECT_GT(result.report.river_directions.total_length(), 1000.0);
    }
}

TEST(ErosionReport, tells_no_quality_without_diagnostics) {
    const ErosionReport report = erode(disc_problem(64), {.diagnostics = false}, 1, progress).report;
    EXPECT_THAT(report.deciles, IsEmpty());
    EXPECT_EQ(report.river_directions, RiverDirections{});
    EXPECT_THAT(report.phases_ms, Not(Contains(testing::Key("diagnostics"))));
}

}  // namespace
}  // namespace thalweg
