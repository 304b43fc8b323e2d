#include "thalweg/noise/shapes.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kExtent = 25600.0;  // m
constexpr ShapeKind kAllKinds[] = {ShapeKind::Plane,      ShapeKind::Cone,   ShapeKind::Dome,
                                   ShapeKind::Escarpment, ShapeKind::Crater, ShapeKind::Island};

Grid square(int cells) {
    return make_grid(kExtent, kExtent, cells);
}

/// A shape of radius 8 km, 600 m above a base of 50 m, in the middle of the square.
ShapeParameters shape_of(ShapeKind kind) {
    ShapeParameters shape;
    shape.kind = kind;
    shape.height = 600.0;
    shape.base = 50.0;
    shape.depth = 200.0;
    shape.radius = 8000.0;
    return shape;
}

double radii(const Grid& grid, int column, int row) {
    return std::hypot(grid.x(column) - kExtent / 2.0, grid.y(row) - kExtent / 2.0) / 8000.0;
}

TEST(Shapes, plane_rises_by_its_height_over_its_diameter) {
    ShapeParameters plane = shape_of(ShapeKind::Plane);
    const Field<float> northward = make_shape(square(64), plane, 1);
    EXPECT_NEAR(northward(0, 0) - northward(0, 40), 600.0 * 40.0 * 400.0 / 16000.0, 1e-3);
    EXPECT_FLOAT_EQ(northward(5, 10), northward(60, 10));
    plane.direction = 90.0;
    const Field<float> eastward = make_shape(square(64), plane, 1);
    EXPECT_NEAR(eastward(40, 0) - eastward(0, 0), 600.0 * 40.0 * 400.0 / 16000.0, 1e-3);
    EXPECT_NEAR(eastward(31, 3) + eastward(32, 3), 2.0 * (50.0 + 300.0), 1e-3);
}

TEST(Shapes, cone_and_dome_follow_their_formulas) {
    const Grid grid = square(65);
    const Field<float> cone = make_shape(grid, shape_of(ShapeKind::Cone), 1);
    const Field<float> dome = make_shape(grid, shape_of(ShapeKind::Dome), 1);
    EXPECT_FLOAT_EQ(cone(32, 32), 650.0F);
    EXPECT_FLOAT_EQ(dome(32, 32), 650.0F);
    for (int row = 0; row < 65; ++row) {
        for (int column = 0; column < 65; ++column) {
            const double t = std::min(1.0, radii(grid, column, row));
            ASSERT_NEAR(cone(column, row), 50.0 + 600.0 * (1.0 - t), 1e-3);
            ASSERT_NEAR(dome(column, row), 50.0 + 600.0 * std::pow(1.0 - t * t, 2), 1e-3);
        }
    }
}

TEST(Shapes, escarpment_is_a_smooth_step) {
    ShapeParameters step = shape_of(ShapeKind::Escarpment);
    step.direction = 90.0;
    step.width = 3000.0;
    const Field<float> field = make_shape(square(128), step, 1);
    EXPECT_FLOAT_EQ(field(0, 5), 50.0F);
    EXPECT_FLOAT_EQ(field(127, 5), 650.0F);
    EXPECT_NEAR(field(63, 5) + field(64, 5), 2.0 * 350.0, 1e-3);
    EXPECT_FLOAT_EQ(field(56, 5), 50.0F);
    EXPECT_GT(field(57, 5), 50.0F);
    for (int column = 1; column < 128; ++column) ASSERT_GE(field(column, 9), field(column - 1, 9));
}

TEST(Shapes, crater_has_a_floor_a_rim_and_a_blanket) {
    ShapeParameters crater = shape_of(ShapeKind::Crater);
    crater.radius = 4000.0;
    const Field<float> field = make_shape(square(257), crater, 1);
    EXPECT_FLOAT_EQ(field(128, 128), -150.0F);
    float greatest = 0.0F;
    for (const float value : field) greatest = std::max(greatest, value);
    EXPECT_NEAR(greatest, 650.0, 20.0);
    // Two radii out, an eighth of the rim is left.
    EXPECT_NEAR(field(128 + 80, 128) - 50.0, 600.0 * std::pow(4000.0 / (80 * field.grid().cell_size), 3),
                1e-2);
    EXPECT_LT(field(0, 0), 70.0F);
}

TEST(Shapes, island_without_rough_coast_follows_its_formula) {
    ShapeParameters island = shape_of(ShapeKind::Island);
    island.coast_roughness = 0.0;
    const Grid grid = square(65);
    const Field<float> field = make_shape(grid, island, 1);
    for (int row = 0; row < 65; ++row) {
        for (int column = 0; column < 65; ++column) {
            const double t = radii(grid, column, row);
            const double q = 600.0 * (t * t - 1.0);
            ASSERT_NEAR(field(column, row), t < 1.0 ? 50.0 - q : 50.0 - 200.0 * q / (200.0 + q), 2e-3);
        }
    }
}

TEST(Shapes, island_is_land_in_the_middle_and_sea_all_around) {
    ShapeParameters island;
    island.kind = ShapeKind::Island;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Field<float> field = make_shape(square(128), island, seed);
        EXPECT_GT(field(64, 64), 400.0F);
        for (int i = 0; i < 128; ++i)
            for (const float value : {field(i, 0), field(i, 127), field(0, i), field(127, i)}) {
                ASSERT_LT(value, 0.0F) << seed;
                ASSERT_GT(value, -100.0F);
            }
    }
}

TEST(Shapes, coast_wanders_with_the_seed_and_the_roughness) {
    ShapeParameters island;
    island.kind = ShapeKind::Island;
    const auto land = [&](std::uint64_t seed) {
        std::vector<bool> above;
        for (const float value : make_shape(square(128), island, seed)) above.push_back(value > 0.0F);
        return above;
    };
    EXPECT_NE(land(1), land(2));
    island.coast_roughness = 0.0;
    EXPECT_EQ(land(1), land(2));
}

TEST(Shapes, are_the_same_at_every_size) {
    for (const ShapeKind kind : kAllKinds) {
        const Field<float> coarse = make_shape(square(128), shape_of(kind), 4);
        const Field<float> fine = make_shape(square(384), shape_of(kind), 4);
        const double tolerance =
            kind == ShapeKind::Island ? 75.0 : 1e-3;  // m; octaves of an eighth move the coast
        for (int row = 0; row < 128; ++row)
            for (int column = 0; column < 128; ++column)
                ASSERT_NEAR(coarse(column, row), fine(3 * column + 1, 3 * row + 1), tolerance)
                    << static_cast<int>(kind);
    }
}

TEST(Shapes, without_coordinates_fit_any_grid) {
    Grid grid = make_grid(4000.0, 2000.0, 80);
    grid.west = 1000.0;
    grid.north = 9000.0;
    const ShapeParameters dome = resolved_on(grid, ShapeParameters{});
    EXPECT_EQ(dome.centre, (std::vector<double>{3000.0, 8000.0}));
    EXPECT_EQ(dome.radius, 1000.0);
    EXPECT_EQ(dome.width, 250.0);
    ShapeParameters given;
    given.centre = {1.0, 2.0};
    given.radius = 30.0;
    EXPECT_EQ(resolved_on(grid, given).centre, given.centre);
    EXPECT_EQ(resolved_on(grid, given).radius, 30.0);
}

TEST(Shapes, centre_moves_the_shape) {
    ShapeParameters cone = shape_of(ShapeKind::Cone);
    cone.centre = {200.0, 200.0};
    EXPECT_FLOAT_EQ(make_shape(square(64), cone, 1)(0, 63), 650.0F);
}

TEST(Shapes, refuse_a_centre_that_is_no_position) {
    for (const std::vector<double>& centre :
         {std::vector<double>{1.0}, {1.0, 2.0, 3.0}, {std::nan(""), 1.0}}) {
        ShapeParameters shape;
        shape.centre = centre;
        EXPECT_THROW(make_shape(square(8), shape, 1), Error);
        EXPECT_THROW(shape_source(shape, 1, square(8)), Error);
    }
}

TEST(Shapes, are_finite_on_tiny_grids_and_with_nothing_to_raise) {
    for (const ShapeKind kind : kAllKinds) {
        ShapeParameters shape;
        shape.kind = kind;
        for (const float value : make_shape(square(1), shape, 1)) EXPECT_TRUE(std::isfinite(value));
        shape.height = 0.0;
        shape.depth = 0.0;
        for (const float value : make_shape(square(16), shape, 1)) EXPECT_EQ(value, 0.0F);
    }
}

TEST(Shapes, source_is_the_shape_of_its_home_on_any_grid) {
    for (const ShapeKind kind : kAllKinds) {
        ShapeParameters shape;
        shape.kind = kind;
        const LayerSource source = shape_source(shape, 9, square(64));
        EXPECT_EQ(source(square(64), progress), make_shape(square(64), shape, 9));
        EXPECT_EQ(source(square(32), progress), make_shape(square(32), shape, 9));
        Grid wider = square(64);
        wider.columns += 16;
        EXPECT_EQ(source(wider, progress)(20, 20), source(square(64), progress)(20, 20));
    }
}

TEST(Shapes, threads_do_not_change_a_bit) {
    for (const ShapeKind kind : kAllKinds) {
        const ExecutionScope on_one_thread({.threads = 1});
        const Field<float> one = make_shape(square(300), shape_of(kind), 4);
        const ExecutionScope on_eight_threads({.threads = 8});
        EXPECT_EQ(make_shape(square(300), shape_of(kind), 4), one) << static_cast<int>(kind);
    }
}

TEST(Shapes, every_parameter_has_a_unit_a_sentence_and_a_default_in_range) {
    for (const Parameter& parameter : parameters_of<ShapeParameters>().parameters()) {
        EXPECT_FALSE(parameter.notes.sentence.empty()) << parameter.name;
        EXPECT_NE(parameter.notes.unit.empty(), parameter.type != ParameterType::Choice) << parameter.name;
        ShapeParameters shape;
        EXPECT_NO_THROW(parameter.set(&shape, parameter.default_value)) << parameter.name;
    }
}

}  // namespace
}  // namespace thalweg
