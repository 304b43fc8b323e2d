// Boundary cells that cut down with time, as tributaries of a river beyond them do.
#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/erosion_series.hpp"
#include "thalweg/erosion/network/outlets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/erosion/channel.hpp"
#include "tests/erosion/solve_transient.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kBaseSlope = 0.004;   // m/m
constexpr double kStartSlope = 0.001;  // m/m
constexpr double kTime = 2e5;          // yr

/// A channel on gently sloping ground whose outlet falls.
Channel falling_channel(int cells) {
    Channel channel(cells, 20000.0);
    channel.law.base_slope = kBaseSlope;
    for (int i = 0; i < cells; ++i) {
        channel.uplift[at(i)] = 0.0F;
        channel.initial[i] = static_cast<float>(300.0 + kStartSlope * channel.x(i));
    }
    return channel;
}

/// The place from which the signal takes `years` to x, m; below 0 where it comes from beyond the outlet.
double origin_of(const Channel& channel, double x, double years) {
    const double left = channel.travel_time(x) - years;
    if (left < 0.0) return left * channel.law.celerity(channel.area(0.0), channel.law.erodibility);
    double low = 0.0;
    double high = x;
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (channel.travel_time(middle) < left ? low : high) = middle;
    }
    return low;
}

double exact(const Channel& channel, double x, double years) {
    const double origin = origin_of(channel, x, years);
    return 300.0 + origin * (origin < 0.0 ? kBaseSlope : kStartSlope);
}

Field<float> aged(const Channel& channel, const Field<float>& start, double years) {
    Field<float> z = start;
    solve_transient(channel.tree, channel.law, channel.inputs(), years, start, z, progress);
    return z;
}

/// Largest difference from the closed form, m.
double error_of(const Channel& channel, const Field<float>& z, double years) {
    double worst = 0.0;
    for (int i = 0; i < z.size(); ++i)
        worst = std::max(worst, std::abs(static_cast<double>(z[i]) - exact(channel, channel.x(i), years)));
    return worst;
}

TEST(BaseSlope, sends_the_fall_of_the_outlet_upstream_as_the_closed_form_says) {
    const Channel coarse = falling_channel(129);
    const Channel fine = falling_channel(513);
    const Field<float> z = aged(fine, fine.initial, kTime);
    const double celerity = fine.law.celerity(fine.area(0.0), fine.law.erodibility);
    EXPECT_NEAR(z[0], 300.0 - kBaseSlope * celerity * kTime, 1e-3);
    EXPECT_LT(z[0], 290.0F);
    const double coarse_error = error_of(coarse, aged(coarse, coarse.initial, kTime), kTime);
    const double fine_error = error_of(fine, z, kTime);
    EXPECT_LT(fine_error, 0.2);
    EXPECT_NEAR(coarse_error / fine_error, 4.0, 1.0);  // first order in the cell size
    // Above the knickpoint the ground does not know of it.
    EXPECT_GT(z[512], 300.0F);
}

TEST(BaseSlope, with_equal_celerity_is_the_slope_of_the_river_up_to_the_knickpoint) {
    Channel channel = falling_channel(201);
    std::fill(channel.celerity.begin(), channel.celerity.end(), 0.05F);
    const Field<float> z = aged(channel, channel.initial, kTime);  // 10 km
    const double spacing = 100.0;
    for (int i = 1; i <= 200; ++i) {
        const double slope = static_cast<double>(z[i] - z[i - 1]) / spacing;
        if (i < 99 || i > 101) {
            ASSERT_NEAR(slope, i < 100 ? kBaseSlope : kStartSlope, 1e-5) << i;
        }
    }
}

TEST(BaseSlope, of_two_increments_is_that_of_one) {
    const Channel channel = falling_channel(513);
    const Field<float> once = aged(channel, channel.initial, kTime);
    const Field<float> twice = aged(channel, aged(channel, channel.initial, 0.3 * kTime), 0.7 * kTime);
    EXPECT_NEAR(twice[0], once[0], 1e-3);
    const double spacing = 20000.0 / 512.0;
    for (int i = 0; i < once.size(); ++i) ASSERT_NEAR(twice[i], once[i], kBaseSlope * spacing) << i;
}

TEST(BaseSlope, of_0_leaves_every_bit_as_it_was) {
    Channel channel = falling_channel(129);
    const Field<float> fallen = aged(channel, channel.initial, kTime);
    channel.law.base_slope = 0.0;
    const Field<float> still = aged(channel, channel.initial, kTime);
    EXPECT_EQ(still[0], channel.initial[0]);
    EXPECT_NE(still, fallen);
}

/// A plateau that tilts to the west, with one outlet there and a river from the east.
ErosionInputs plateau(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(12800.0, 12800.0, cells);
    inputs.elevation = [](const Grid& grid, Progress&) {
        Field<float> z(grid);
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column)
                z(column, row) = static_cast<float>(500.0 + 0.002 * grid.x(column) +
                                                    3.0 * std::sin(grid.x(column) / 700.0) *
                                                        std::sin(grid.y(row) / 800.0));
        return z;
    };
    inputs.uplift = constant_source(0.0F);
    inputs.sources = {{.x = 12700.0, .y = 6500.0, .area = 1e9}};
    inputs.boundary = Field<std::uint8_t>(inputs.grid, 0);
    inputs.boundary(0, cells / 2) = 1;
    return inputs;
}

TEST(BaseSlope, lets_boundary_cells_that_touch_fall_as_one_outlet) {
    Field<std::uint8_t> roots(Grid{.columns = 5, .rows = 3}, 0);
    for (const auto& [column, row] : {std::pair{0, 0}, {1, 1}, {2, 1}, {4, 0}}) roots(column, row) = 1;
    std::vector<float> celerity(15, 9.0F);
    celerity[0] = 1.0F;
    celerity[6] = 3.0F;
    celerity[7] = 2.0F;
    celerity[4] = 0.5F;
    std::vector<float> expected = celerity;
    expected[0] = expected[6] = expected[7] = 3.0F;
    share_outlet_celerity(roots, celerity);
    EXPECT_EQ(celerity, expected);

    ErosionInputs inputs = plateau(64);
    for (int row = 30; row < 35; ++row) inputs.boundary(0, row) = 1;
    ErosionParameters parameters = {.time = 2e5};
    parameters.law.base_slope = kBaseSlope;
    const Field<float> before = inputs.elevation(inputs.grid, progress);
    const Field<float> z = erode(inputs, parameters, 3, progress).elevation;
    for (int row = 30; row < 35; ++row)
        EXPECT_NEAR(before(0, row) - z(0, row), before(0, 32) - z(0, 32), 1e-3);
    EXPECT_GT(before(0, 32) - z(0, 32), 50.0F);
}

ErosionParameters falling(double time) {
    ErosionParameters parameters = {.time = time};
    parameters.law.base_slope = kBaseSlope;
    return parameters;
}

TEST(BaseSlope, lets_an_outlet_fall_alike_at_every_size_and_by_every_method) {
    // k (A of the land and the source)^m falls by the base slope.
    const double area = 1e9 + 12800.0 * 12800.0;
    const double expected = 500.0 - 2e5 * kBaseSlope * ErosionLaw{}.celerity(area, 2e-5);
    for (const int cells : {64, 128, 300}) {
        const ErosionInputs inputs = plateau(cells);
        for (const TimeDefinition definition : {TimeDefinition::Multilevel, TimeDefinition::FullResolution}) {
            ErosionParameters parameters = falling(2e5);
            parameters.time_definition = definition;
            const Field<float> z = erode(inputs, parameters, 3, progress).elevation;
            EXPECT_NEAR(z(0, cells / 2), expected, 0.1 * (500.0 - expected)) << cells;
            EXPECT_GE(*std::min_element(z.begin(), z.end()), z(0, cells / 2) - 0.5F);
        }
    }
    ErosionParameters stepping = falling(2e5);
    stepping.method = ErosionMethod::Stepping;
    const Field<float> stepped = erode(plateau(64), stepping, 3, progress).elevation;
    EXPECT_NEAR(stepped(0, 32), expected, 0.1 * (500.0 - expected));
    ErosionParameters four = falling(2e5);
    four.lattice = ErosionLattice::FourNeighbours;
    EXPECT_NEAR(erode(plateau(64), four, 3, progress).elevation(0, 32), expected, 0.1 * (500.0 - expected));
}

TEST(BaseSlope, is_the_same_on_1_and_8_threads_and_in_a_series) {
    const ErosionInputs inputs = plateau(300);
    const ExecutionScope on_one_thread({.threads = 1});
    const Field<float> once = erode(inputs, falling(3e5), 3, progress).elevation;
    const ExecutionScope on_eight_threads({.threads = 8});
    EXPECT_EQ(erode(inputs, falling(3e5), 3, progress).elevation, once);
    ErosionSeries series(inputs, falling(3e5), 3);
    (void)series.at(4e5, progress);
    EXPECT_EQ(series.at(3e5, progress).elevation, once);
}

TEST(BaseSlope, without_an_end_or_below_0_is_refused) {
    const auto message = [](ErosionParameters parameters) {
        try {
            erode(plateau(32), parameters, 3, progress);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(
        message(falling(std::numeric_limits<double>::infinity())),
        "base_slope = 0.004 is only allowed with a finite time: outlets that fall for ever have no steady "
        "state");
    ErosionParameters rising = falling(1e5);
    rising.law.base_slope = -0.1;
    EXPECT_EQ(message(rising), "base_slope = -0.1 m/m is not allowed: give from 0 to 1 m/m");
}

}  // namespace
}  // namespace thalweg
