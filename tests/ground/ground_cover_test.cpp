#include "thalweg/ground/ground_cover.hpp"

#include "thalweg/core/execution.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kLatitude = 45.0;  // degrees

/// Hills of several sizes on a rise to the east, with cliffs, 7680 m wide.
double hills(double x, double y) {
    const double steps =
        140.0 * std::tanh(0.012 * (std::sin(x / 480.0) * 500.0 + std::cos(y / 610.0) * 400.0));
    return 700.0 + 0.09 * x + 150.0 * std::sin(x / 700.0) * std::sin(y / 900.0 + 1.0) + 0.8 * steps;
}

Field<float> terrain(double cell_size, double (*height)(double x, double y) = hills) {
    const int side = static_cast<int>(7680.0 / cell_size);
    Field<float> z(Grid{.columns = side, .rows = side, .cell_size = cell_size, .north = 7680.0});
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            z(column, row) = static_cast<float>(height(z.grid().x(column), z.grid().y(row)));
    return z;
}

GroundCover covered(const Field<float>& z, const GroundParameters& parameters = {},
                    double latitude = kLatitude) {
    QuietProgress progress;
    return ground_cover({.elevation = z, .flow = route(z, {}, progress)}, parameters, latitude, progress);
}

std::array<const Field<float>*, 5> shares_of(const GroundCover& cover) {
    return {&cover.bare_rock, &cover.scree, &cover.vegetation, &cover.forest, &cover.snow};
}

double mean(const Field<float>& layer) {
    double sum = 0.0;
    for (const float value : layer) sum += static_cast<double>(value);
    return sum / static_cast<double>(layer.size());
}

TEST(GroundCover, has_shares_that_fit_into_a_cell) {
    const GroundCover cover = covered(terrain(30.0));
    for (std::int64_t cell = 0; cell < cover.snow.size(); ++cell) {
        for (const Field<float>* share : shares_of(cover)) {
            ASSERT_GE((*share)[cell], 0.0F);
            ASSERT_LE((*share)[cell], 1.0F);
        }
        ASSERT_LE(cover.bare_rock[cell] + cover.scree[cell] + cover.vegetation[cell], 1.0001F);
        ASSERT_LE(cover.forest[cell], cover.vegetation[cell]);
        ASSERT_GE(cover.soil_depth[cell], 0.0F);
    }
    // All of them are there, so that the test means something.
    for (const Field<float>* share : shares_of(cover)) EXPECT_GT(mean(*share), 0.005);
    EXPECT_NEAR(cover.report.bare_share, mean(cover.bare_rock), 1e-6);
    EXPECT_NEAR(cover.report.snow_share, mean(cover.snow), 1e-6);
}

TEST(GroundCover, is_the_same_at_every_size_of_cells) {
    const GroundCover middle = covered(terrain(30.0));
    for (const double cell_size : {15.0, 60.0}) {
        const GroundCover other = covered(terrain(cell_size));
        EXPECT_NEAR(mean(other.soil_depth), mean(middle.soil_depth), 0.02 * mean(middle.soil_depth));
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_NEAR(mean(*shares_of(other)[i]), mean(*shares_of(middle)[i]),
                        0.06 * mean(*shares_of(middle)[i]))
                << "share " << i << ", cells of " << cell_size;
    }
}

/// A cone 1800 m high with slopes of 0.5.
double cone(double x, double y) {
    return 2200.0 - 0.5 * std::hypot(x - 3840.0, y - 3840.0);
}

/// Height at which a share falls to a half on the way up from the foot of the cone, by steps in rows.
double height_of_half(const Field<float>& z, const Field<float>& share, int step) {
    const int middle = z.columns() / 2;
    for (int row = step > 0 ? 0 : z.rows() - 1; row != middle; row += step)
        if (share(middle, row) < 0.5F) return static_cast<double>(z(middle, row));
    return 1e9;
}

TEST(GroundCover, lets_forest_climb_higher_on_the_sunny_side) {
    const Field<float> z = terrain(30.0, cone);
    const GroundParameters warm{.climate = {.temperature = 12.0}};
    const GroundCover north = covered(z, warm);
    const double shaded = height_of_half(z, north.forest, 1);
    const double sunny = height_of_half(z, north.forest, -1);
    EXPECT_GT(sunny, shaded + 80.0);
    EXPECT_LT(sunny, shaded + 500.0);
    EXPECT_NEAR(0.5 * (sunny + shaded), north.report.tree_line, 250.0);
    // South of the equator the other side is the sunny one.
    const GroundCover south = covered(z, warm, -kLatitude);
    EXPECT_GT(height_of_half(z, south.forest, 1), height_of_half(z, south.forest, -1) + 80.0);
}

TEST(GroundCover, keeps_snow_longer_in_shade) {
    const Field<float> z = terrain(30.0, cone);
    const GroundCover cover = covered(z, {.climate = {.temperature = 12.0}});
    const int middle = z.columns() / 2;
    EXPECT_GT(cover.snow(middle, middle - 10), cover.snow(middle, middle + 10) + 0.05F);
    const GroundCover winter = covered(z, {.climate = {.temperature = 12.0, .month = 2.0}});
    EXPECT_GT(mean(winter.snow), mean(cover.snow) + 0.2);
}

TEST(GroundCover, bares_cliffs_and_leaves_scree_below_them) {
    const Field<float> wall = terrain(30.0, [](double, double y) {
        return y > 4000.0 ? 1200.0 + std::min(y - 4000.0, 260.0) * 1.5
                          : 1200.0 - 0.6 * (4000.0 - y) / (1.0 + (4000.0 - y) / 400.0);
    });
    const GroundCover cover = covered(wall);
    const auto at_height = [&](const Field<float>& layer, double y) {
        return layer(100, static_cast<int>((7680.0 - y) / 30.0));
    };
    EXPECT_GT(at_height(cover.bare_rock, 4130.0), 0.8F);
    EXPECT_LT(at_height(cover.vegetation, 4130.0), 0.1F);
    EXPECT_GT(at_height(cover.scree, 3950.0), 0.3F);
    EXPECT_LT(at_height(cover.scree, 2500.0), 0.05F);
    EXPECT_LT(at_height(cover.scree, 5000.0), 0.05F);
}

TEST(GroundCover, has_less_scree_in_streams_that_carry_it_off) {
    const Field<float> z = terrain(30.0);
    const GroundCover plain = covered(z, {.channel_area = 1e12});
    const GroundCover streams = covered(z, {.channel_area = 1e4});
    EXPECT_LT(mean(streams.scree), 0.8 * mean(plain.scree));
    EXPECT_LT(mean(covered(z, {.rockfall = 3e-5}).scree), 0.6 * mean(plain.scree));
}

TEST(GroundCover, of_dry_country_is_green_where_water_gathers) {
    const auto valley = [](double x, double y) { return 400.0 + 0.05 * y + 0.2 * std::abs(x - 3840.0); };
    const GroundCover desert = covered(terrain(30.0, valley), {.climate = {.climate = ClimateKind::Desert}});
    EXPECT_GT(desert.vegetation(127, 200), 1.5F * desert.vegetation(60, 200));
    const GroundCover humid = covered(terrain(30.0, valley), {.climate = {.climate = ClimateKind::Humid}});
    EXPECT_GT(mean(humid.forest), 0.8);
    EXPECT_LT(mean(desert.forest), 0.05);
}

TEST(GroundCover, takes_sediment_water_rain_and_the_rock_s_slope_from_fields) {
    const Field<float> z = terrain(60.0);
    QuietProgress progress;
    const FlowResult flow = route(z, {}, progress);
    const GroundCover plain = covered(z);
    Field<std::uint8_t> water(z.grid());
    Field<float> sediment(z.grid());
    for (int row = 0; row < 20; ++row)
        for (int column = 0; column < z.columns(); ++column) {
            water(column, row) = 1;
            sediment(column, row + 40) = 3.0F;
        }
    const GroundCover cover = ground_cover({.elevation = z,
                                            .flow = flow,
                                            .critical_slope = Field<float>(z.grid(), 0.3F),
                                            .precipitation_factor = Field<float>(z.grid(), 0.1F),
                                            .sediment = sediment,
                                            .water = water},
                                           {}, kLatitude, progress);
    for (int column = 0; column < z.columns(); ++column) {
        for (const Field<float>* share : shares_of(cover)) EXPECT_EQ((*share)(column, 10), 0.0F);
        EXPECT_EQ(cover.soil_depth(column, 10), 0.0F);
    }
    EXPECT_GT(mean(cover.bare_rock), mean(plain.bare_rock));
    EXPECT_LT(mean(cover.forest), 0.8 * mean(plain.forest));
    EXPECT_GT(cover.soil_depth(9, 50), plain.soil_depth(9, 50));
}

TEST(GroundCover, leaves_cells_without_data_alone) {
    for (const auto& [columns, rows] : {std::pair{1, 40}, {40, 1}, {1, 1}, {30, 30}}) {
        Field<float> z(Grid{.columns = columns, .rows = rows, .cell_size = 30.0}, 500.0F);
        z[0] = kNoData;
        if (z.size() == 1) z[0] = 10.0F;
        const GroundCover cover = covered(z);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            for (const Field<float>* share : shares_of(cover))
                EXPECT_EQ(is_no_data((*share)[cell]), is_no_data(z[cell]));
    }
}

TEST(GroundCover, is_the_same_on_any_number_of_threads) {
    const Field<float> z = terrain(15.0);
    std::vector<GroundCover> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        found.push_back(covered(z));
    }
    for (std::size_t k = 1; k < 3; ++k) {
        EXPECT_EQ(found[k].soil_depth.values(), found[0].soil_depth.values());
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_EQ(shares_of(found[k])[i]->values(), shares_of(found[0])[i]->values());
    }
}

}  // namespace
}  // namespace thalweg
