// What an erosion tells beside its elevation: net erosion, and the drainage area of its network.
#include "thalweg/core/execution.hpp"
#include "thalweg/erosion/erode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kExtent = 6400.0;  // m
constexpr double kSteady = std::numeric_limits<double>::infinity();

/// Hills, with a lake of no data in them.
Field<float> hills(const Grid& grid, Progress&) {
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const double x = grid.x(column), y = grid.y(row);
            const bool is_lake = std::hypot(x - 2000.0, y - 4000.0) < 500.0;
            z(column, row) =
                is_lake
                    ? kNoData
                    : static_cast<float>(300.0 + 150.0 * std::sin(x / 700.0) + 150.0 * std::cos(y / 900.0));
        }
    return z;
}

/// From 0 in the west to 2 mm/yr in the east.
Field<float> eastern_uplift(const Grid& grid, Progress&) {
    Field<float> u(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            u(column, row) = static_cast<float>(2e-3 * grid.x(column) / kExtent);
    return u;
}

ErosionInputs problem(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, cells);
    inputs.elevation = hills;
    inputs.uplift = eastern_uplift;
    return inputs;
}

ErosionParameters told(ErosionParameters parameters) {
    parameters.keeps_net_erosion = parameters.keeps_drainage_area = true;
    return parameters;
}

/// Every way to a finite time.
std::vector<ErosionParameters> methods() {
    using Method = ErosionMethod;
    return {{.time_definition = TimeDefinition::Multilevel},
            {.time_definition = TimeDefinition::FullResolution},
            {.time_definition = TimeDefinition::FullResolution, .lattice = ErosionLattice::EightNeighbours},
            {.lattice = ErosionLattice::FourNeighbours, .receivers = ReceiverRule::Random},
            {.method = Method::FixedPoint, .fixed_point_iterations = 5},
            {.method = Method::Stepping},
            {.method = Method::Stepping, .slope_exponent = 1.5},
            {.network = NetworkSource::Terrain, .optimisation_iterations = 5},
            {.time_definition = TimeDefinition::FullResolution, .deposition = 0.5}};
}

bool is_edge_of_data(const Field<float>& z, int column, int row) {
    if (is_no_data(z(column, row))) return false;
    for (int i = 0; i < 9; ++i) {
        const int other_column = column - 1 + i % 3, other_row = row - 1 + i / 3;
        const bool is_inside =
            other_column >= 0 && other_row >= 0 && other_column < z.columns() && other_row < z.rows();
        if (!is_inside || is_no_data(z(other_column, other_row))) return true;
    }
    return false;
}

TEST(ErodedFields, net_erosion_is_what_is_missing_of_the_uplifted_start_by_every_method) {
    const ErosionInputs inputs = problem(64);
    const Field<float> start = hills(inputs.grid, progress), uplift = eastern_uplift(inputs.grid, progress);
    for (ErosionParameters parameters : methods())
        for (const double time : {0.0, 3e3, 2e5}) {
            parameters.time = time;
            const ErosionResult result = erode(inputs, told(parameters), 3, progress);
            double eroded = 0.0;
            for (int row = 0; row < start.rows(); ++row)
                for (int column = 0; column < start.columns(); ++column) {
                    const float net = result.net_erosion(column, row);
                    ASSERT_EQ(is_no_data(net), is_no_data(start(column, row)));
                    if (is_no_data(net)) continue;
                    const double risen = is_edge_of_data(start, column, row)
                                             ? 0.0
                                             : time * static_cast<double>(uplift(column, row));
                    const double left = static_cast<double>(result.elevation(column, row));
                    ASSERT_NEAR(net, static_cast<double>(start(column, row)) + risen - left, 1e-3);
                    const bool may_rise = parameters.deposition > 0.0 ||
                                          parameters.method == ErosionMethod::FixedPoint ||
                                          parameters.network == NetworkSource::Terrain;
                    // Hollows of up to a metre are filled up to their sills, and drain.
                    ASSERT_GT(net, may_rise ? -1e3F : -1.2F);
                    eroded += static_cast<double>(net);
                }
            EXPECT_EQ(eroded > 0.0, time > 0.0);
        }
}

TEST(ErodedFields, ground_that_rises_and_does_not_erode_has_no_net_erosion) {
    // A plane without hollows or cliffs, which rises by a metre.
    ErosionInputs inputs = problem(48);
    inputs.elevation = [](const Grid& grid, Progress&) {
        Field<float> z(grid);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            z[cell] =
                static_cast<float>(0.03 * grid.x(grid.column_of(cell)) + 0.01 * grid.y(grid.row_of(cell)));
        return z;
    };
    inputs.uplift = constant_source(1e-5F);
    for (ErosionParameters parameters : methods()) {
        if (parameters.network == NetworkSource::Terrain) continue;  // whose terrain is optimised
        parameters.time = 1e5;
        parameters.deposition = 0.0;
        parameters.law = {.erodibility = 1e-30, .hillslope = false, .thermal = false};
        const ErosionResult result = erode(inputs, told(parameters), 3, progress);
        // A mesh lays the ground between the edges, which stay, and its own nodes.
        const bool is_mesh =
            parameters.lattice == ErosionLattice::Auto && parameters.method != ErosionMethod::Stepping;
        const int margin = is_mesh ? 3 : 0;
        double most = 0.0;
        for (int row = margin; row < 48 - margin; ++row)
            for (int column = margin; column < 48 - margin; ++column)
                most = std::max(most, std::abs(static_cast<double>(result.net_erosion(column, row))));
        EXPECT_LT(most, 1e-3);  // m, rounding of heights
        EXPECT_NEAR(result.elevation(24, 24), inputs.elevation(inputs.grid, progress)(24, 24) + 1.0F, 1e-3F);
    }
}

TEST(ErodedFields, drainage_area_of_the_edges_adds_up_to_all_rain_and_what_enters) {
    ErosionInputs inputs = problem(64);
    inputs.precipitation_factor = constant_source(1.5F);
    inputs.sources = {{.x = 4000.0, .y = 3000.0, .area = 5e7}};
    const Field<float> start = hills(inputs.grid, progress);
    const auto cells = std::ranges::count_if(start, [](float z) { return !is_no_data(z); });
    const double all = 1.5 * static_cast<double>(cells) * inputs.grid.cell_area() + 5e7;
    for (ErosionParameters parameters : methods())
        for (const double time : {0.0, 1e5, kSteady}) {
            parameters.time = time;
            if (std::isinf(time) && parameters.method != ErosionMethod::Analytical) continue;
            const Field<float> area = erode(inputs, told(parameters), 3, progress).drainage_area;
            double leaving = 0.0;
            for (int row = 0; row < area.rows(); ++row)
                for (int column = 0; column < area.columns(); ++column) {
                    ASSERT_EQ(is_no_data(area(column, row)), is_no_data(start(column, row)));
                    if (is_edge_of_data(start, column, row))
                        leaving += static_cast<double>(area(column, row));
                }
            EXPECT_NEAR(leaving, all, 1e-4 * all);
        }
}

TEST(ErodedFields, are_empty_unless_asked_for_and_cost_the_terrain_no_bit) {
    const ErosionInputs inputs = problem(64);
    for (ErosionParameters parameters : methods()) {
        parameters.time = 5e4;
        const ErosionResult plain = erode(inputs, parameters, 3, progress);
        EXPECT_TRUE(plain.net_erosion.empty() && plain.drainage_area.empty());
        const ErosionResult asked = erode(inputs, told(parameters), 3, progress);
        for (std::int64_t cell = 0; cell < plain.elevation.size(); ++cell) {
            if (is_no_data(plain.elevation[cell])) continue;
            ASSERT_EQ(plain.elevation[cell], asked.elevation[cell]);
        }
    }
    EXPECT_TRUE(erode(inputs, told({.time = kSteady}), 3, progress).net_erosion.empty());
}

TEST(ErodedFields, have_the_same_bits_on_any_number_of_threads) {
    ErosionInputs inputs = problem(300);
    inputs.elevation = [](const Grid& grid, Progress& run) {
        Field<float> z = hills(grid, run);
        for (float& height : z) height = is_no_data(height) ? 100.0F : height;  // so that fields compare
        return z;
    };
    std::vector<ErosionResult> results;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        results.push_back(erode(inputs, told({.time = 1e5}), 3, progress));
    }
    for (const ErosionResult& result : results) {
        EXPECT_EQ(result.net_erosion, results.front().net_erosion);
        EXPECT_EQ(result.drainage_area, results.front().drainage_area);
    }
}

}  // namespace
}  // namespace thalweg
