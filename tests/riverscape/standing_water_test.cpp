#include "thalweg/riverscape/standing_water.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/riverscape/bed_tree.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kWest = 160.0;  // m, of the lake
constexpr double kEast = 240.0;
constexpr float kLevel = 498.0F;  // m

/// A meadow with a river that runs through a lake, 12 m deep, at the lake's level.
struct LakeOnRiver {
    LakeOnRiver() {
        tests::ValleyForm form = tests::valley_forms()[static_cast<std::size_t>(RiverType::C)];
        form.slope = 0.01;
        form.length = 400.0;
        valley = tests::make_valley(form);
        level = Field<float>(valley.elevation.grid(), kNoData);
        const Grid& grid = level.grid();
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column) {
                const Position at = grid.centre(column, row);
                if (at.x < kWest || at.x > kEast || std::abs(at.y) > 40.0) continue;
                valley.elevation(column, row) = kLevel - 12.0F;
                level(column, row) = kLevel;
            }
        for (RiverPoint& point : valley.network.reaches.front().points)
            if (point.x >= kWest && point.x <= kEast) point.z = kLevel;
        lake = standing_water(valley.elevation, level).value();
        courses = bed_courses(valley.network, classify_reaches(valley.network, valley.elevation, {}),
                              valley.elevation, {}, 5, progress, &lake);
        tree.emplace(valley.elevation, courses, BedTreeParameters{}, 5);
    }

    tests::Valley valley;
    Field<float> level;
    StandingWater lake;
    BedCourses courses;
    std::optional<BedTree> tree;
    QuietProgress progress;
};

TEST(StandingWater, covers_the_ground_that_was_beneath_it_and_nothing_else) {
    LakeOnRiver land;
    const CarvedWindow beds = land.tree->carve(land.level.grid(), land.progress);
    CarvedWindow carved = beds;
    let_stand(land.lake, carved, land.progress);
    std::int64_t dams = 0;
    for (std::int64_t cell = 0; cell < land.level.size(); ++cell) {
        const float ground = land.valley.elevation[cell];
        if (is_no_data(land.level[cell])) {
            EXPECT_EQ(carved.elevation[cell], beds.elevation[cell]);
            EXPECT_EQ(carved.water_depth[cell], beds.water_depth[cell]);
            continue;
        }
        dams += beds.elevation[cell] > ground + 1.0F ? 1 : 0;
        EXPECT_EQ(carved.elevation[cell], ground);
        EXPECT_GE(carved.water_elevation[cell], kLevel);
        EXPECT_EQ(carved.water_depth[cell], carved.water_elevation[cell] - ground);
        EXPECT_EQ(carved.material[cell], 0.0F);
    }
    EXPECT_GT(dams, 20);  // which the banks of the river would be
}

TEST(StandingWater, leaves_continuous_ground_between_cells) {
    LakeOnRiver land;
    Grid fine{.columns = 600, .rows = 1, .cell_size = 0.2, .west = 140.0, .north = 0.5};
    for (const double north : {-20.0, 0.5, 3.0, 10.0}) {
        fine.north = north;
        CarvedWindow carved = land.tree->carve(fine, land.progress);
        let_stand(land.lake, carved, land.progress);
        // The steepest ground is the lake's wall, which falls 12 m within half a cell of 4 m.
        for (int column = 1; column < fine.columns; ++column)
            EXPECT_LT(std::abs(carved.elevation(column, 0) - carved.elevation(column - 1, 0)), 2.0F)
                << column;
    }
}

TEST(StandingWater, goes_over_without_a_step_into_the_river_that_leaves_it) {
    LakeOnRiver land;
    const std::vector<BedCoursePoint>& points = land.courses.courses.front().points;
    float before = 0.0F;
    int wet_after = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        for (int k = 0; k < 20; ++k) {
            const double t = k / 20.0;
            const Grid here{.columns = 1,
                            .rows = 1,
                            .cell_size = 0.01,
                            .west = points[i].x + t * (points[i + 1].x - points[i].x) - 0.005,
                            .north = points[i].y + t * (points[i + 1].y - points[i].y) + 0.005};
            CarvedWindow carved = land.tree->carve(here, land.progress);
            let_stand(land.lake, carved, land.progress);
            const float water = carved.water_elevation[0];
            if (before > 0.0F) {
                EXPECT_LE(water, before + 0.001F) << points[i].x;
                EXPECT_GT(water, before - 0.05F) << points[i].x;
            }
            before = water;
            wet_after += here.west > kEast + 4.0 && water < kLevel ? 1 : 0;
        }
        if (points[i].x > kWest + 4.0 && points[i].x < kEast - 4.0) {
            EXPECT_EQ(points[i].water, static_cast<double>(kLevel));
            EXPECT_FALSE(points[i].is_fall);
        }
    }
    EXPECT_GT(wet_after, 100);
}

TEST(StandingWater, is_none_where_the_ground_lies_above_it) {
    const LakeOnRiver land;
    Field<float> level = land.level;
    EXPECT_TRUE(standing_water(land.valley.elevation, level).has_value());
    for (float& value : level) value -= 13.0F;
    EXPECT_FALSE(standing_water(land.valley.elevation, level).has_value());
}

TEST(StandingWater, hides_sections_of_rivers) {
    const LakeOnRiver land;
    const FlowErrors all = land.tree->flow_errors(land.courses);
    const FlowErrors seen = land.tree->flow_errors(without_flow_in(land.lake, land.courses));
    EXPECT_GT(seen.sections, all.sections / 2);
    EXPECT_LT(seen.sections, 0.9 * static_cast<double>(all.sections));
}

}  // namespace
}  // namespace thalweg
