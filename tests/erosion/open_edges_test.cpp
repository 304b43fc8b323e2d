#include "thalweg/erosion/levels/open_edges.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/levels/resolved_parameters.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kSlope = 0.2;  // m/m

/// Cells of 1 m, so that all drain less than A* and have one celerity; falls to the west, and a little to the
/// north, so that the lowest cell lies in a corner.
Field<float> plane(int columns, int rows) {
    Field<float> z(Grid{.columns = columns, .rows = rows, .cell_size = 1.0, .north = double(rows)});
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            z(column, row) = static_cast<float>(100.0 + kSlope * column + 0.05 * row);
    return z;
}

ErosionInputs inputs_of(const Field<float>& z, float uplift = 0.0F) {
    ErosionInputs inputs;
    inputs.grid = z.grid();
    inputs.elevation = field_source(z);
    inputs.uplift = constant_source(uplift);
    return inputs;
}

/// A valley that drains to the west, between slopes that drain to it, and beyond them slopes that leave.
Field<float> valley(int cells) {
    Field<float> z(make_grid(30.0 * cells, 30.0 * cells, cells));
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column) {
            const double y = 4.0 * (row + 0.5) / cells - 2.0;  // the crests at -1 and 1
            z(column, row) = static_cast<float>(500.0 + 2.0 * column - 300.0 * std::cos(3.14159265 * y) +
                                                3.0 * std::sin(0.9 * column + 0.5 * row));
        }
    return z;
}

TEST(OpenEdges, of_a_plane_sink_with_the_ground_behind_them) {
    const Field<float> z = plane(4, 200);
    ErosionParameters parameters{.time = 500.0, .diagnostics = false};
    parameters.law.thermal = false;
    const ErosionResult aged = erode(inputs_of(z), parameters, 1, progress);
    const double celerity = parameters.law.celerity(parameters.law.hillslope_area(parameters.law.erodibility),
                                                    parameters.law.erodibility);
    for (int row = 20; row < 180; ++row)  // away from the lowest cell, which stays
        for (int column = 0; column < 4; ++column)
            EXPECT_NEAR(z(column, row) - aged.elevation(column, row), celerity * kSlope * 500.0, 1e-3)
                << column << ", " << row;
}

TEST(OpenEdges, of_a_plane_sink_by_what_is_eroded_less_what_is_laid_down) {
    // Half of what a cell erodes arrives on the next one, per cell that it drains, and so on: with G = 1 half
    // of what columns 1 and 2 erode is laid down in them.
    const Field<float> z = plane(4, 200);
    for (const ErosionMethod method : {ErosionMethod::Analytical, ErosionMethod::Stepping}) {
        ErosionParameters parameters{
            .time = 100.0, .method = method, .deposition = 1.0, .diagnostics = false};
        parameters.law.thermal = false;
        const ErosionResult aged = erode(inputs_of(z), parameters, 1, progress);
        const double celerity = parameters.law.celerity(
            parameters.law.hillslope_area(parameters.law.erodibility), parameters.law.erodibility);
        const double sunk = 0.5 * celerity * kSlope * 100.0;  // m
        for (int row = 20; row < 180; ++row)
            for (int column = 0; column < 3; ++column)
                EXPECT_NEAR(z(column, row) - aged.elevation(column, row), sunk, 0.05 * sunk)
                    << column << ", " << row;
    }
}

TEST(OpenEdges, of_a_plane_sink_with_it_under_other_slope_exponents) {
    const Field<float> z = plane(4, 200);
    ErosionParameters parameters{
        .time = 100.0, .method = ErosionMethod::Stepping, .slope_exponent = 2.0, .diagnostics = false};
    parameters.law.thermal = false;
    const ErosionResult aged = erode(inputs_of(z), parameters, 1, progress);
    for (int row = 20; row < 180; ++row) {
        const float inside = z(1, row) - aged.elevation(1, row);
        EXPECT_GT(inside, 1e-3F);
        EXPECT_NEAR(z(0, row) - aged.elevation(0, row), inside, 0.02F * inside) << row;
    }
}

TEST(OpenEdges, rise_with_the_uplift) {
    const Field<float> z = plane(4, 200);
    ErosionParameters parameters{.time = 500.0, .diagnostics = false};
    parameters.law.thermal = false;
    const Field<float> still = erode(inputs_of(z), parameters, 1, progress).elevation;
    const Field<float> rising = erode(inputs_of(z, 1e-3F), parameters, 1, progress).elevation;
    for (int row = 20; row < 180; ++row)
        for (int column = 0; column < 4; ++column)
            EXPECT_NEAR(rising(column, row) - still(column, row), 0.5, 1e-3);
}

/// How far the northern edge of the valley sinks in 200 000 years over how far the ground two rows inside
/// does.
double sinking_of_edges(ErosionParameters parameters) {
    const Field<float> z = valley(120);
    parameters.time = 2e5;
    parameters.diagnostics = false;
    const Field<float> aged = erode(inputs_of(z), parameters, 1, progress).elevation;
    double edge = 0.0, inner = 0.0;  // m
    for (int column = 5; column < 115; ++column) {
        edge += double{z(column, 0)} - double{aged(column, 0)};
        inner += double{z(column, 2)} - double{aged(column, 2)};
    }
    return edge / inner;
}

TEST(OpenEdges, age_like_their_inner_neighbours_and_leave_no_rim) {
    for (const ErosionMethod method : {ErosionMethod::Analytical, ErosionMethod::Stepping}) {
        EXPECT_EQ(sinking_of_edges({.method = method, .edges = EdgeRule::Fixed}), 0.0);
        EXPECT_NEAR(sinking_of_edges({.method = method}), 1.0, 0.15);
    }
}

TEST(OpenEdges, hold_where_a_drawn_river_or_a_source_leaves) {
    const Field<float> z = valley(120);
    const double land = 120.0 * 120.0 * 900.0;  // m^2
    const auto holding = [&](const ErosionInputs& inputs) {
        const Field<float> aged = erode(inputs, {.time = 2e5, .diagnostics = false}, 1, progress).elevation;
        std::vector<std::int64_t> cells;
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            if (aged[cell] == z[cell] && edge_roots(z)[cell] != 0) cells.push_back(cell);
        return cells;
    };
    const std::vector<std::int64_t> plain = holding(inputs_of(z));
    ErosionInputs drawn = inputs_of(z);
    drawn.rivers = {{.points = {1800.0, 1800.0, 3600.0, 1815.0}, .locked = true}};  // to the eastern edge
    const std::int64_t end = z.grid().index(119, 59);
    EXPECT_FALSE(std::ranges::count(plain, end));
    EXPECT_TRUE(std::ranges::count(holding(drawn), end));
    ErosionInputs fed = inputs_of(z);
    fed.sources = {{.x = 1800.0, .y = 3500.0, .area = land / 40.0}};  // on the slope that leaves in the north
    const std::size_t before = plain.size();
    EXPECT_EQ(holding(fed).size(), before + 1);
    fed.sources.front().area = land / 60.0;
    EXPECT_EQ(holding(fed).size(), before);
}

TEST(OpenEdges, hold_where_rivers_leave_alone) {
    const Field<float> z = valley(120);
    const Field<std::uint8_t> outlets = river_outlets(z, {}, {}, progress);
    const int count = std::accumulate(outlets.begin(), outlets.end(), 0);
    EXPECT_GE(count, 1);
    EXPECT_LE(count, 10);
    const Field<float> aged = erode(inputs_of(z), {.time = 2e5, .diagnostics = false}, 1, progress).elevation;
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        if (outlets[cell] != 0) {
            EXPECT_EQ(aged[cell], z[cell]);
        }
    EXPECT_EQ(open_edges_of(z, outlets).size(), static_cast<std::size_t>(4 * 119 - count));
}

TEST(OpenEdges, drain_every_piece_of_land) {
    Field<float> z = valley(60);
    for (int row = 0; row < 60; ++row) z(30, row) = kNoData;  // two pieces
    for (int row = 10; row < 13; ++row)
        for (int column = 10; column < 13; ++column)
            z(column, row) = column == 11 && row == 11 ? 5000.0F : kNoData;
    const Field<std::uint8_t> outlets = river_outlets(z, {}, {}, progress);
    EXPECT_EQ(outlets(11, 11), 1);
    const Field<float> aged = erode(inputs_of(z), {.time = 1e5, .diagnostics = false}, 1, progress).elevation;
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        EXPECT_EQ(std::isfinite(aged[cell]), std::isfinite(z[cell])) << cell;
}

TEST(OpenEdges, never_fall_below_the_lowest_outlet) {
    const Field<float> z = valley(60);
    const Field<float> aged = erode(inputs_of(z), {.time = 5e7, .diagnostics = false}, 1, progress).elevation;
    EXPECT_GE(*std::min_element(aged.begin(), aged.end()), *std::min_element(z.begin(), z.end()) - 0.01F);
}

TEST(OpenEdges, are_for_rasters_at_finite_times) {
    const Field<float> z = valley(20);
    ErosionInputs inputs = inputs_of(z);
    EXPECT_EQ(resolved_parameters({.time = 1e4}, inputs).edges, EdgeRule::RiverOutlets);
    EXPECT_EQ(resolved_parameters({}, inputs).edges, EdgeRule::Fixed);
    EXPECT_EQ(resolved_parameters({.time = 1e4, .edges = EdgeRule::Fixed}, inputs).edges, EdgeRule::Fixed);
    EXPECT_THROW(resolved_parameters({.edges = EdgeRule::RiverOutlets}, inputs), Error);
    EXPECT_EQ(resolved_parameters({.time = 1e4, .deposition = 1.0}, inputs).edges, EdgeRule::RiverOutlets);
    inputs.boundary = Field<std::uint8_t>(z.grid(), 1);
    EXPECT_EQ(resolved_parameters({.time = 1e4}, inputs).edges, EdgeRule::Fixed);
    EXPECT_THROW(resolved_parameters({.time = 1e4, .edges = EdgeRule::RiverOutlets}, inputs), Error);
    inputs.boundary = {};
    inputs.elevation = constant_source(1.0F);
    EXPECT_EQ(resolved_parameters({.time = 1e4}, inputs).edges, EdgeRule::Fixed);
}

}  // namespace
}  // namespace thalweg
