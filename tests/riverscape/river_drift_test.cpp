#include "thalweg/riverscape/river_drift.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using testing::HasSubstr;

constexpr double kLoop = 20.0;  // s

/// Water 16 m long and 8 m wide, of 1 m depth, with a metre of dry ground along both sides.
CarvedWindow pool() {
    const Grid grid{.columns = 64, .rows = 40, .cell_size = 0.25, .west = 0.0, .north = 10.0};
    CarvedWindow still{.elevation = Field<float>(grid, 1.0F),
                       .water_elevation = Field<float>(grid, 2.0F),
                       .water_depth = Field<float>(grid, 1.0F),
                       .material = {}};
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            if (row < 4 || row >= 36) still.water_depth(column, row) = 0.0F;
    return still;
}

/// It goes east at half a metre a second, and foams about (4, 5) m alone.
WaterSurface stream(double foam) {
    QuietProgress progress;
    BlendFlowTree tree({.origin = {0.0, 0.0}, .loop_period = kLoop});
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 6; ++j)
            tree.insert({.kind = WaterKind::Calm,
                         .x = 2.0 * i,
                         .y = 2.0 * j,
                         .radius = 3.0,
                         .elevation = 2.0,
                         .velocity_x = 0.5});
    const WaterNode white = tree.replace(kWaterRoot);
    tree.insert({.kind = WaterKind::Turbulent,
                 .x = 4.0,
                 .y = 5.0,
                 .radius = 1.5,
                 .elevation = 2.0,
                 .amplitude = 0.1,
                 .velocity_x = 0.5,
                 .foam = foam},
                white);
    return WaterSurface(tree, progress);
}

Drift drift_of(const RiverDriftRates& rates, double foam = 1.0) {
    QuietProgress progress;
    return river_drift(pool(), {}, stream(foam), rates, 3, progress);
}

TEST(RiverDrift, foam_comes_off_where_water_foams_and_goes_with_it) {
    const Drift drift = drift_of({.foam_patches = 0.5});
    ASSERT_GT(drift.entries(), 5);
    double carried = 0.0;
    for (std::int64_t entry = 0; entry < drift.entries(); ++entry) {
        const auto way = drift.way(entry);
        ASSERT_FALSE(way.empty());
        EXPECT_LT(std::hypot(way.front().position.x - 4.0, way.front().position.y - 5.0), 1.5);
        EXPECT_LE(way.back().age, 36.0);
        for (const Drift::WayPoint& point : way) {
            EXPECT_GT(point.position.y, 1.0);
            EXPECT_LT(point.position.y, 9.0);
        }
        carried = std::max(carried, way.back().position.x - 4.0);
    }
    EXPECT_GT(carried, 5.0);
    for (const Drifter& patch : drift.at(3.0)) EXPECT_EQ(patch.kind, DriftKind::Foam);
}

TEST(RiverDrift, foam_comes_as_densely_as_is_asked_and_round_with_the_loop) {
    const auto entries = [](double rate) {
        return static_cast<double>(drift_of({.foam_patches = rate}).entries());
    };
    EXPECT_NEAR(entries(1.0), 2.0 * entries(0.5), 1.5);
    EXPECT_EQ(entries(0.0), 0.0);
    EXPECT_EQ(drift_of({.foam_patches = 1.0}, 0.0).entries(), 0);  // calm water makes none
    const Drift drift = drift_of({.foam_patches = 0.5});
    const std::vector<Drifter> now = drift.at(1.0);
    const std::vector<Drifter> later = drift.at(1.0 + kLoop);
    ASSERT_EQ(now.size(), later.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        EXPECT_NEAR(now[i].position.x, later[i].position.x, 1e-9);
        EXPECT_NEAR(now[i].left, later[i].left, 1e-9);
    }
}

TEST(RiverDrift, refuses_more_foam_than_anybody_sees) {
    EXPECT_THAT(refusal_of([] { drift_of({.foam_patches = 1e8}); }), HasSubstr("patches of foam in a loop"));
}

TEST(RiverDrift, has_the_same_foam_on_any_number_of_threads) {
    const auto places = [](int threads) {
        const ExecutionScope scope({.threads = threads});
        std::vector<double> numbers;
        for (const Drifter& patch : drift_of({.foam_patches = 0.5}).at(3.0))
            numbers.insert(numbers.end(), {patch.position.x, patch.position.y, patch.left});
        return numbers;
    };
    EXPECT_EQ(places(1), places(5));
}

}  // namespace
}  // namespace thalweg
