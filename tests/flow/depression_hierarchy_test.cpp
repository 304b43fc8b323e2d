#include "thalweg/flow/depression_hierarchy.hpp"

#include <algorithm>
#include <array>

#include "tests/flow/lake_ground.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::difficult_terrains;
using tests::Ground;
using tests::kTwoPits;

TEST(Depressions, of_two_pits_are_two_basins_and_their_union) {
    const Ground ground(kTwoPits);
    const auto& depressions = ground.hierarchy.depressions;
    ASSERT_EQ(depressions.size(), 4U);
    EXPECT_EQ(depressions[1].pit, 10);
    EXPECT_EQ(depressions[2].pit, 12);
    for (const std::size_t basin : {1U, 2U}) {
        EXPECT_EQ(depressions[basin].parent, 3);
        EXPECT_EQ(depressions[basin].spill_elevation, 5.0F);
        EXPECT_EQ(depressions[basin].sill(kTwoPits), 11);
        EXPECT_EQ(depressions[basin].spills_into, basin == 1 ? 2 : 1);
    }
    EXPECT_EQ(depressions[1].volume, 3.0);
    EXPECT_EQ(depressions[2].volume, 4.0);
    const Depression& both = depressions[3];
    EXPECT_EQ(both.children, (std::array<std::int32_t, 2>{1, 2}));
    EXPECT_EQ(both.parent, kNoDepression);
    EXPECT_EQ(both.pit, 10);
    EXPECT_EQ(both.spill_elevation, 6.0F);
    EXPECT_EQ(both.sill(kTwoPits), 14);
    EXPECT_EQ(both.spills_into, kDrained);
    EXPECT_EQ(both.cells, 4);
    EXPECT_EQ(both.layer_volume, 4.0);
    EXPECT_EQ(both.volume, 11.0);
    EXPECT_EQ(ground.hierarchy.of_cell[10], 1);
    EXPECT_EQ(ground.hierarchy.of_cell[11], 3);
    EXPECT_EQ(ground.hierarchy.of_cell[14], kNoDepression);
}

TEST(Depressions, hold_what_a_slow_sum_over_their_basins_says) {
    for (const Field<float>& z : difficult_terrains()) {
        if (z.size() > 4000) continue;
        const Ground ground(z);
        const auto& depressions = ground.hierarchy.depressions;
        for (std::size_t i = 1; i < depressions.size(); ++i) {
            const Depression& of = depressions[i];
            std::int64_t cells = 0;
            double volume = 0.0;
            for (std::int64_t cell = 0; cell < z.size(); ++cell) {
                std::int32_t above = std::max(0, ground.basins.of_cell[at(cell)]);
                while (above != 0 && above != static_cast<std::int32_t>(i))
                    above = depressions[at(above)].parent;
                if (above == 0 || z[cell] >= of.spill_elevation) continue;
                ++cells;
                volume += (static_cast<double>(of.spill_elevation) - static_cast<double>(z[cell])) *
                          z.grid().cell_area();
            }
            ASSERT_EQ(of.cells, cells);
            ASSERT_NEAR(of.volume, volume, 1e-12 * volume);
            ASSERT_TRUE(of.parent == kNoDepression || of.parent > static_cast<std::int32_t>(i));
            for (const std::int32_t child : of.children)
                if (child != kNoDepression) {
                    EXPECT_EQ(depressions[at(child)].parent, static_cast<std::int32_t>(i));
                    EXPECT_LE(depressions[at(child)].spill_elevation, of.spill_elevation);
                    EXPECT_LE(z[of.pit], z[depressions[at(child)].pit]);
                }
        }
    }
}

}  // namespace
}  // namespace thalweg
