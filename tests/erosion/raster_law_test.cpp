#include "tests/erosion/raster_law.hpp"

#include "thalweg/erosion/erode.hpp"

#include <cmath>

#include "tests/long_test.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using raster_law::ChannelFit;
using raster_law::StreamPower;

QuietProgress progress;

constexpr double kExtent = 25600.0;              // m
constexpr StreamPower kLaw = {2e-5, 0.4, 1e-3};  // K, m, U
constexpr double kChannelArea = 1e6;             // m^2

/// Stream power alone, by the default lattice.
ErosionParameters rivers_alone() {
    ErosionParameters parameters;
    parameters.law.erodibility = kLaw.erodibility;
    parameters.law.area_exponent = kLaw.area_exponent;
    parameters.law.hillslope = parameters.law.thermal = false;
    parameters.diagnostics = false;
    return parameters;
}

ErosionInputs level_ground(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, cells);
    inputs.elevation = constant_source(0.0F);
    inputs.uplift = constant_source(static_cast<float>(kLaw.uplift));
    return inputs;
}

/// What another program finds on the raster: chi profiles, slope against area, pits.
void expect_the_law(const Field<float>& raster) {
    const ChannelFit fit = raster_law::fit_channels(raster, kLaw.area_exponent, kChannelArea);
    EXPECT_GT(fit.cells, 1000);
    EXPECT_NEAR(fit.chi_slope / (kLaw.uplift / kLaw.erodibility), 1.0, 0.01);
    EXPECT_NEAR(fit.area_exponent, -kLaw.area_exponent, 0.01);
    EXPECT_EQ(raster_law::route_d8(raster.grid(), raster_law::doubles(raster)).pits, 0);
}

void expect_stepping_to_stay(const Field<float>& raster, double years, int steps) {
    const std::vector<double> before = raster_law::doubles(raster);
    const std::vector<double> after = raster_law::stepped(raster.grid(), before, kLaw, years, steps);
    EXPECT_NEAR(raster_law::mean_of(after) / raster_law::mean_of(before), 1.0, 0.01);
}

double mean_elevation(const ErosionInputs& inputs, const ErosionParameters& parameters) {
    return raster_law::mean_of(raster_law::doubles(erode(inputs, parameters, 3, progress).elevation));
}

TEST(RasterLaw, of_stepping_from_noise_is_found_by_its_own_measures) {
    Field<float> raster(make_grid(kExtent, kExtent, 48));
    for (std::int64_t cell = 0; cell < raster.size(); ++cell)
        raster[cell] = static_cast<float>((cell * 7919) % 101) * 0.01F;
    const std::vector<double> steady =
        raster_law::stepped(raster.grid(), raster_law::doubles(raster), kLaw, 1e7, 200);
    std::copy(steady.begin(), steady.end(), raster.begin());
    const ChannelFit fit = raster_law::fit_channels(raster, kLaw.area_exponent, kChannelArea);
    EXPECT_NEAR(fit.chi_slope / (kLaw.uplift / kLaw.erodibility), 1.0, 0.005);
    EXPECT_NEAR(fit.area_exponent, -kLaw.area_exponent, 0.005);
    for (float& z : raster) z *= 1.1F;
    EXPECT_NEAR(raster_law::fit_channels(raster, kLaw.area_exponent, kChannelArea).chi_slope,
                1.1 * fit.chi_slope, 0.1);
    raster(20, 20) = -1.0F;
    EXPECT_EQ(raster_law::route_d8(raster.grid(), raster_law::doubles(raster)).pits, 1);
}

TEST(RasterLaw, holds_on_the_steady_state_that_is_returned) {
    const Field<float> raster = erode(level_ground(256), rivers_alone(), 7, progress).elevation;
    expect_the_law(raster);
    expect_stepping_to_stay(raster, 1e6, 20);
}

TEST(RasterLaw, holds_in_channels_with_hillslopes_landslides_and_relief_within_cells) {
    expect_the_law(erode(level_ground(256), {.diagnostics = false}, 7, progress).elevation);
}

TEST(RasterLaw, leaves_no_pits_on_a_painted_range_of_hard_and_soft_rock) {
    ErosionInputs inputs = level_ground(200);
    inputs.uplift = [](const Grid& grid, Progress&) {
        Field<float> uplift(grid);
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column)
                uplift(column, row) =
                    static_cast<float>(1e-4 + 1e-3 * std::exp(-std::pow((grid.y(row) - 12800.0) / 5e3, 2)));
        return uplift;
    };
    inputs.erodibility = [](const Grid& grid, Progress&) {
        Field<float> k(grid);
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column)
                k(column, row) = std::fmod(grid.x(column), 5000.0) < 2500.0 ? 1e-5F : 3e-5F;
        return k;
    };
    for (const double relief : {0.0, 0.4, 2.0}) {
        const Field<float> raster =
            erode(inputs, {.hillside_relief = relief, .diagnostics = false}, 3, progress).elevation;
        EXPECT_EQ(raster_law::route_d8(raster.grid(), raster_law::doubles(raster)).pits, 0) << relief;
    }
}

TEST(RasterLaw, leaves_no_pits_where_hillslopes_are_resolved) {
    ErosionInputs inputs = level_ground(160);
    inputs.grid = make_grid(1600.0, 1600.0, 160);
    const Field<float> raster = erode(inputs, {.diagnostics = false}, 3, progress).elevation;
    EXPECT_EQ(raster_law::route_d8(raster.grid(), raster_law::doubles(raster)).pits, 0);
}

TEST(RasterLaw, at_a_finite_time_has_the_mean_elevation_of_stepping_from_ground_full_of_basins) {
    ErosionInputs inputs = level_ground(200);
    inputs.elevation = [](const Grid& grid, Progress&) {
        Field<float> hills(grid);
        for (std::int64_t cell = 0; cell < hills.size(); ++cell) {
            const double x = grid.x(grid.column_of(cell)) / 1500.0, y = grid.y(grid.row_of(cell)) / 1500.0;
            hills[cell] =
                static_cast<float>(300.0 + 150.0 * std::sin(x + std::sin(y)) * std::cos(y - x / 3.0) +
                                   60.0 * std::sin(3.1 * x) * std::sin(2.7 * y));
        }
        return hills;
    };
    ErosionParameters parameters = rivers_alone();
    parameters.time = 5e5;
    const double aged = mean_elevation(inputs, parameters);
    parameters.method = ErosionMethod::Stepping;
    parameters.time_step = 2e3;
    EXPECT_NEAR(aged / mean_elevation(inputs, parameters), 1.0, 0.005);
}

TEST(RasterLaw, adds_relief_within_cells_to_steady_states_with_hillslopes_alone) {
    const auto mean = [](const ErosionParameters& parameters) {
        return mean_elevation(level_ground(64), parameters);
    };
    EXPECT_GT(mean({.hillside_relief = 0.4}), mean({.hillside_relief = 0.0}) + 10.0);
    EXPECT_EQ(mean({.time = 1e6, .hillside_relief = 0.4}), mean({.time = 1e6, .hillside_relief = 0.0}));
    ErosionParameters none = rivers_alone();
    none.hillside_relief = 2.0;
    EXPECT_EQ(mean(none), mean(rivers_alone()));
}

using LongRasterLaw = LongTest;

TEST_F(LongRasterLaw, holds_at_512_1024_and_2048_cells) {
    for (const int cells : {512, 1024, 2048}) {
        const Field<float> raster = erode(level_ground(cells), rivers_alone(), 7, progress).elevation;
        expect_the_law(raster);
        if (cells <= 1024) expect_stepping_to_stay(raster, 1e6, 50);
    }
}

}  // namespace
}  // namespace thalweg
