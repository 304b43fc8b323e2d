#include "thalweg/particles/droplets/inlets.hpp"

#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// A plane of slope 0.02 that falls to the east, with a bed whose banks have a slope of up to 0.2.
Field<float> plane_with_bed() {
    Field<float> elevation(Grid{.columns = 40, .rows = 21, .cell_size = 10.0, .north = 210.0});
    const Grid& grid = elevation.grid();
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double across = (grid.y(grid.row_of(cell)) - 105.0) / 20.0;
        const double bed = std::max(2.0 * (1.0 - across * across), 0.0);
        elevation[cell] = static_cast<float>(-0.02 * grid.x(grid.column_of(cell)) - bed);
    }
    return elevation;
}

constexpr ParticleSpring kSpring = {.x = 55.0, .y = 105.0, .radius = 10.0, .discharge = 5e5, .is_fed = true};

Vector2 fall_of(const Field<float>& elevation, const ParticleSpring& spring) {
    Field<std::int32_t> units(elevation.grid());
    for (std::int64_t cell = 0; cell < units.size(); ++cell)
        units[cell] =
            static_cast<std::int32_t>(std::lround(static_cast<double>(elevation[cell]) / kElevationUnit));
    return inlet_fall(units, inlet_cells(spring, elevation.grid()));
}

TEST(Inlets, fall_as_their_plane_does) {
    Field<float> plane(Grid{.columns = 20, .rows = 20, .cell_size = 10.0, .north = 200.0});
    const Grid& grid = plane.grid();
    for (std::int64_t cell = 0; cell < plane.size(); ++cell)
        plane[cell] =
            static_cast<float>(0.03 * grid.x(grid.column_of(cell)) + 0.07 * grid.y(grid.row_of(cell)));
    for (const double radius : {0.0, 12.0, 40.0}) {
        const Vector2 fall = fall_of(plane, {.x = 103.0, .y = 96.0, .radius = radius});
        EXPECT_NEAR(fall.x, -0.03, 1e-5);  // to the west
        EXPECT_NEAR(fall.y, 0.07, 1e-5);   // to the south
    }
}

TEST(Inlets, fall_along_their_bed_and_not_across_its_banks) {
    const Vector2 fall = fall_of(plane_with_bed(), kSpring);
    EXPECT_NEAR(fall.x, 0.02, 1e-5);
    EXPECT_NEAR(fall.y, 0.0, 1e-5);
}

TEST(Inlets, do_not_fall_where_one_row_has_data) {
    const Field<float> row(Grid{.columns = 9, .rows = 1, .cell_size = 10.0, .north = 10.0});
    const Vector2 fall = fall_of(row, {.x = 45.0, .y = 5.0});
    EXPECT_EQ(fall.x, 0.0F);
    EXPECT_EQ(fall.y, 0.0F);
}

TEST(Inlets, bring_their_share_of_what_water_carries_on_the_slope_of_the_bed) {
    for (const double share : {1.0, 0.25}) {
        ParticleSpring spring = kSpring;
        spring.load_share = share;
        ParticleSimulation river(
            plane_with_bed(),
            {.rainfall = 0.0, .droplets = 128, .entrainment = 0.0, .lakes_every = 0, .springs = {spring}}, 1);
        QuietProgress progress;
        river.step(progress);
        // kc V S
        const double expected = share * 0.0195 * 5e5 * 0.02;  // m^3
        EXPECT_NEAR(river.report().sediment_in, expected, 0.01 * expected);
    }
}

}  // namespace
}  // namespace thalweg
