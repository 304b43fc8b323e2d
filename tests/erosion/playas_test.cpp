#include "thalweg/erosion/playas.hpp"

#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// Two paraboloid bowls, 40 m and 60 m deep, side by side in ground at 100 m; the sill between them is 5 m
/// lower.
Field<float> two_bowls() {
    Field<float> z(make_grid(4000.0, 2000.0, 200));
    const Grid& grid = z.grid();
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const double x = grid.x(grid.column_of(cell)), y = grid.y(grid.row_of(cell));
        const auto bowl = [&](double middle, double depth) {
            const double r = std::hypot(x - middle, y - 1000.0) / 900.0;
            return depth * std::max(0.0, 1.0 - r * r);
        };
        const bool on_sill = std::abs(y - 1000.0) < 50.0 && x > 1000.0 && x < 3000.0;
        z[cell] = static_cast<float>(100.0 -
                                     std::max({bowl(1000.0, 40.0), bowl(3000.0, 60.0), on_sill ? 5.0 : 0.0}));
    }
    return z;
}

double volume_above(const Field<float>& before, const Field<float>& after) {
    double sum = 0.0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell)
        sum += static_cast<double>(after[cell]) - static_cast<double>(before[cell]);
    return sum * before.grid().cell_area();
}

PlayaGround filled_with(double thickness) {
    const Field<float> z = two_bowls();
    return fill_playas(z, {.roots = edge_roots(z)}, thickness, progress);
}

TEST(Playas, hold_all_sediment_that_does_not_leave) {
    const Field<float> z = two_bowls();
    for (const double thickness : {0.5, 5.0, 50.0}) {
        const PlayaGround filled = filled_with(thickness);
        const double came = thickness * 4000.0 * 2000.0;  // m^3
        EXPECT_NEAR(filled.volume + filled.left, came, 1e-9 * came) << thickness;
        EXPECT_NEAR(volume_above(z, filled.elevation), filled.volume, 1e-5 * came) << thickness;
    }
}

TEST(Playas, are_level_and_as_high_as_the_volume_of_a_paraboloid_says) {
    const Field<float> z = two_bowls();
    const PlayaGround filled = filled_with(0.5);
    EXPECT_EQ(filled.playas, 2);
    // A paraboloid of depth D and radius R holds V = pi R^2 (h - h0)^2 / (2 D) below h.
    const float level = filled.elevation(50, 50);
    const double depth = static_cast<double>(level) - 60.0;
    double volume = 0.0;
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        if (z.grid().column_of(cell) >= 100 || filled.elevation[cell] == z[cell]) continue;
        ASSERT_EQ(filled.elevation[cell], level);
        volume += (static_cast<double>(level) - static_cast<double>(z[cell])) * z.grid().cell_area();
    }
    EXPECT_NEAR(volume, 3.14159265 * 900.0 * 900.0 * depth * depth / (2.0 * 40.0), 0.02 * volume);
}

TEST(Playas, that_are_full_pass_on_what_comes_over_their_sill) {
    const PlayaGround filled = filled_with(12.0);
    EXPECT_FLOAT_EQ(filled.elevation(50, 50), 95.0F) << "to the sill between them";
    EXPECT_GT(filled.elevation(150, 50), 60.0F);
    const PlayaGround brimful = filled_with(50.0);
    EXPECT_GT(brimful.left, 0.0);
    EXPECT_EQ(brimful.playas, 1) << "they have met";
}

TEST(Playas, of_no_sediment_leave_the_ground) {
    EXPECT_EQ(filled_with(0.0).elevation, two_bowls());
}

}  // namespace
}  // namespace thalweg
