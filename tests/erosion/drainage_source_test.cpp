#include "thalweg/erosion/drainage_source.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kExtent = 12800.0;  // m

/// A slope to the south with shallow furrows.
Field<float> furrows(const Grid& grid, Progress&) {
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            z(column, row) = static_cast<float>(0.02 * grid.y(row) + 5.0 * std::sin(grid.x(column) / 700.0));
    return z;
}

ErosionInputs problem(int cells, std::vector<DrainageSource> sources) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, cells);
    inputs.elevation = furrows;
    inputs.uplift = constant_source(1e-3F);
    inputs.sources = std::move(sources);
    return inputs;
}

/// Rain that grows to the east.
Field<float> eastern_rain(const Grid& grid, Progress&) {
    Field<float> rain(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            rain(column, row) = static_cast<float>(0.5 + grid.x(column) / kExtent);
    return rain;
}

ErosionNetwork network_of(const ErosionInputs& inputs, ErosionLevel& level) {
    level = make_erosion_level(inputs, inputs.grid, inputs.boundary, {}, 3, progress);
    TerrainRouter router;
    ErosionNetwork network;
    PhaseTimes phases;
    router.route(level, level.initial, ReceiverRule::Steepest, 1, network, phases, progress);
    return network;
}

ErosionNetwork network_of(const ErosionInputs& inputs) {
    ErosionLevel level;
    return network_of(inputs, level);
}

/// Sum of the drainage area of all roots, m^2.
double area_at_outlets(const ErosionNetwork& network) {
    double sum = 0.0;
    for (const std::int32_t cell : network.tree.order)
        if (network.tree.receiver(cell) < 0) sum += static_cast<double>(network.area[at(cell)]);
    return sum;
}

TEST(DrainageSources, add_their_area_to_the_cells_below_them_and_to_no_other) {
    for (const bool rain : {false, true}) {
        ErosionInputs inputs = problem(64, {{.x = 5000.0, .y = 9000.0, .area = 4e8}});
        if (rain) inputs.precipitation_factor = eastern_rain;
        ErosionLevel level;
        const ErosionNetwork with = network_of(inputs, level);
        inputs.sources.clear();
        std::vector<float> expected = network_of(inputs).area;
        ASSERT_EQ(level.sources.size(), 1U);
        int below = 0;
        for (std::int32_t cell = level.sources[0].node; cell >= 0; cell = with.tree.receiver(cell), ++below)
            expected[at(cell)] += 4e8F;
        EXPECT_GT(below, 20);
        EXPECT_EQ(with.area, expected);
    }
}

TEST(DrainageSources, make_the_area_at_the_outlets_grow_by_theirs_at_every_size) {
    const std::vector<DrainageSource> sources = {{.x = 5000.0, .y = 9000.0, .area = 4e8},
                                                 {.x = 1.0, .y = 12799.0, .area = 1e6},
                                                 {.x = 9000.0, .y = 3000.0, .area = 3e9}};
    for (const int cells : {7, 32, 64, 250})
        for (const bool rain : {false, true}) {
            ErosionInputs inputs = problem(cells, {});
            if (rain) inputs.precipitation_factor = eastern_rain;
            const double without = area_at_outlets(network_of(inputs));
            inputs.sources = sources;
            const double with = area_at_outlets(network_of(inputs));
            EXPECT_NEAR(with - without, 3.401e9, 3.401e9 * 1e-6) << cells;
        }
}

TEST(DrainageSources, enter_at_the_nearest_node_inside_the_boundary) {
    const Grid grid = make_grid(kExtent, kExtent, 64);  // cells of 200 m
    const Lattice mesh = jittered_mesh(grid, 5, 0.4, progress);
    const Field<float> elevation = furrows(grid, progress);
    const Field<std::uint8_t> roots = edge_roots(elevation);
    for (const DrainageSource& source :
         {DrainageSource{.x = 5000.0, .y = 9000.0}, DrainageSource{.x = 0.0, .y = 7000.0},
          DrainageSource{.x = 12800.0, .y = 0.0}, DrainageSource{.x = 6399.0, .y = 6401.0}}) {
        const auto distance_of = [&](std::int64_t cell) {
            const double east = grid.column_of(cell) + static_cast<double>(mesh.offset_x[at(cell)]);
            const double south = grid.row_of(cell) + static_cast<double>(mesh.offset_y[at(cell)]);
            return std::hypot(east - grid.column_at(source.x), south - grid.row_at(source.y));
        };
        std::int64_t nearest = grid.index(30, 30);
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
            if (roots[cell] == 0 && distance_of(cell) < distance_of(nearest)) nearest = cell;
        const std::vector<NodeSource> nodes = source_nodes(std::vector{source}, mesh, elevation, roots);
        ASSERT_EQ(nodes.size(), 1U);
        EXPECT_EQ(nodes[0].node, nearest);
    }
}

TEST(DrainageSources, carve_the_valley_that_their_water_takes_at_every_size) {
    for (const int cells : {64, 128, 256}) {
        const auto valley_floor = [&](std::vector<DrainageSource> sources) {
            const ErosionInputs inputs = problem(cells, std::move(sources));
            const Field<float> aged = erode(inputs, {.time = 2e5}, 3, progress).elevation;
            float lowest = std::numeric_limits<float>::infinity();
            for (int column = 0; column < cells; ++column)
                if (std::abs(inputs.grid.x(column) - 6400.0) < 2000.0)
                    lowest = std::min(lowest, aged(column, cells / 2));
            return lowest;
        };
        EXPECT_LT(valley_floor({{.x = 6400.0, .y = 9600.0, .area = 1e11}}), valley_floor({}) - 20.0F)
            << cells;
    }
}

TEST(DrainageSources, are_refused_in_one_sentence_where_they_cannot_be) {
    const auto message = [](const DrainageSource& source, int cells = 64) {
        ErosionInputs inputs = problem(cells, {{.x = 5000.0, .y = 9000.0, .area = 1e6}, source});
        inputs.elevation = [](const Grid& grid, Progress& p) {
            Field<float> z = furrows(grid, p);
            for (int row = 0; row < grid.rows; ++row)
                for (int column = 0; column < grid.columns; ++column)
                    if (grid.x(column) > 10000.0 && grid.y(row) > 10000.0)
                        z(column, row) = std::numeric_limits<float>::quiet_NaN();
            return z;
        };
        try {
            erode(inputs, {.time = 1e4}, 3, progress);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(
        message({.x = 13000.0, .y = 200.0, .area = 1e6}),
        "source 2 at (13000, 200) m lies outside the terrain, which reaches from (0, 0) to (12800, 12800) m");
    EXPECT_EQ(
        message({.x = 500.0, .y = std::nan(""), .area = 1e6}),
        "source 2 at (500, nan) m lies outside the terrain, which reaches from (0, 0) to (12800, 12800) m");
    EXPECT_EQ(message({.x = 11000.0, .y = 12000.0, .area = 1e6}),
              "source 2 at (11000, 12000) m lies where the elevation has no data: give a place with data");
    EXPECT_EQ(message({.x = 500.0, .y = 700.0, .area = -5.0}),
              "source 2 at (500, 700) m has an area of -5 m^2: give more than 0 m^2");
    EXPECT_EQ(message({.x = 500.0, .y = 700.0, .area = std::numeric_limits<double>::infinity()}),
              "source 2 at (500, 700) m has an area of inf m^2: give more than 0 m^2");
    EXPECT_EQ(message({.x = 0.0, .y = 12800.0, .area = 1e6}), "no error");
}

TEST(DrainageSources, among_boundary_cells_are_refused) {
    ErosionInputs inputs = problem(32, {{.x = 1000.0, .y = 1000.0, .area = 1e6}});
    inputs.boundary = Field<std::uint8_t>(inputs.grid, 0);
    for (int row = 20; row < 32; ++row)
        for (int column = 0; column < 12; ++column) inputs.boundary(column, row) = 1;
    try {
        erode(inputs, {.time = 1e4}, 3, progress);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(
            error.what(),
            "source 1 at (1000, 1000) m lies among boundary cells, where water leaves at once: give a "
            "place inside");
    }
}

}  // namespace
}  // namespace thalweg
