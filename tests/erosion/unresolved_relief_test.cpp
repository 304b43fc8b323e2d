#include "thalweg/erosion/levels/unresolved_relief.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/erode.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kCellSize = 50.0;  // m
constexpr float kUplift = 1e-3F;    // m/yr
constexpr std::size_t kCells = 81;

ErosionLevel level() {
    ErosionInputs inputs;
    inputs.grid = {.columns = 9, .rows = 9, .cell_size = kCellSize};
    inputs.elevation = constant_source(0.0F);
    inputs.uplift = constant_source(kUplift);
    return make_erosion_level(inputs, inputs.grid, {}, {}, 1, progress);
}

/// Relief that is added to the middle cell, m.
float added(const ErosionLevel& where, const ErosionLaw& law, float area) {
    Field<float> elevation(where.lattice.grid, 100.0F);
    add_unresolved_relief(where, {law}, std::vector<float>(kCells, area), elevation);
    return elevation(4, 4) - 100.0F;
}

TEST(UnresolvedRelief, is_a_share_of_the_steepest_steady_slope_over_a_cell) {
    ErosionLaw law;
    law.thermal = false;
    const double steepest =
        static_cast<double>(kUplift) / law.celerity(law.hillslope_area(law.erodibility), law.erodibility);
    EXPECT_NEAR(added(level(), law, 2500.0F), 0.4 * steepest * kCellSize, 0.01);
    law.thermal = true;  // (u + k_t s_c) / (a + k_t)
    const double celerity = law.celerity(law.hillslope_area(law.erodibility), law.erodibility);
    const double sliding = (static_cast<double>(kUplift) + law.thermal_erosion * law.critical_slope) /
                           (celerity + law.thermal_erosion);
    EXPECT_NEAR(added(level(), law, 2500.0F), 0.4 * sliding * kCellSize, 0.01);
}

TEST(UnresolvedRelief, is_as_steep_as_the_slope_exponent_lets_it_be) {
    const ErosionLaw law{.hillslope = false, .thermal = false};
    Field<float> elevation(level().lattice.grid, 0.0F);
    add_unresolved_relief(level(), {law, 2.0}, std::vector<float>(kCells, 2500.0F), elevation);
    const double steepest =
        std::sqrt(static_cast<double>(kUplift) / law.celerity(2500.0, law.erodibility));  // of a whole cell
    EXPECT_NEAR(elevation(4, 4), 0.4 * steepest * kCellSize, 0.01);
}

TEST(UnresolvedRelief, shrinks_on_rivers_and_does_not_move_roots) {
    const float hillslope = added(level(), {}, 8.0F * 2500.0F);
    EXPECT_NEAR(added(level(), {}, 32.0F * 2500.0F), 0.25F * hillslope, 0.01F);
    Field<float> elevation(level().lattice.grid, 100.0F);
    add_unresolved_relief(level(), {}, std::vector<float>(kCells, 2500.0F), elevation);
    EXPECT_EQ(elevation(0, 4), 100.0F);
}

TEST(UnresolvedRelief, has_the_same_bits_for_every_width_of_vectors_and_in_single_cells) {
    ErosionLevel uneven;
    uneven.lattice.grid = {.columns = 9, .rows = 10, .cell_size = kCellSize};  // 90: no multiple of 4
    uneven.roots = Field<std::uint8_t>(uneven.lattice.grid, 0);
    const std::size_t cells = 90;
    std::vector<float> area(cells);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const float step = static_cast<float>(cell);
        uneven.uplift.push_back(1e-4F * (step - 5.0F));
        uneven.erodibility.push_back(1e-5F + 1e-6F * step);
        area[cell] = 2500.0F * (1.0F + step);
    }
    uneven.roots[7] = uneven.roots[85] = 1;
    Field<float> in_fours(uneven.lattice.grid, 100.0F);
    limit_vector_lanes(4);
    add_unresolved_relief(uneven, {}, area, in_fours);
    for (const int lanes : {8, 16}) {
        Field<float> elevation(uneven.lattice.grid, 100.0F);
        limit_vector_lanes(lanes);
        add_unresolved_relief(uneven, {}, area, elevation);
        EXPECT_EQ(elevation, in_fours);  // 16: of the last 10 cells in_fours has done 8 in vectors
    }
    limit_vector_lanes(0);
    EXPECT_EQ(in_fours[85], 100.0F);
    EXPECT_GT(in_fours[84], 100.0F);
}

TEST(UnresolvedRelief, is_none_where_nothing_rises) {
    ErosionLevel still = level();
    still.uplift.assign(kCells, -1e-3F);
    EXPECT_EQ(added(still, {}, 2500.0F), 0.0F);
}

TEST(UnresolvedRelief, knows_the_erodibility_of_each_cell) {
    ErosionLevel hard = level();
    hard.erodibility.assign(kCells, 1e-5F);
    EXPECT_GT(added(hard, {}, 2500.0F), added(level(), {}, 2500.0F));
    ErosionLaw law;
    law.erodibility = 1e-5;
    EXPECT_NEAR(added(hard, {}, 2500.0F), added(level(), law, 2500.0F), 1e-3F);
}

}  // namespace
}  // namespace thalweg
