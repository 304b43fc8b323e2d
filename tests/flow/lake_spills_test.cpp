#include "thalweg/flow/lakes/lake_spills.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/flow/lake_ground.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::difficult_terrains;
using tests::Ground;

constexpr double kInf = std::numeric_limits<double>::infinity();
QuietProgress progress;

TEST(LakeSpills, lead_every_basin_to_its_lakes_sill_or_pit) {
    for (const Field<float>& z : difficult_terrains()) {
        const Ground ground(z);
        for (const double runoff : {0.0, 2.0, 15.0, kInf}) {
            const Lakes result = ground.lakes(runoff);
            const SpillTree through = spills_through(result, ground.basins, ground.hierarchy, ground.tree);
            for (std::int32_t start = 1; start < ground.basins.count(); ++start) {
                const std::int32_t depression = result.standing_over[at(start)];
                std::int32_t basin = start;
                while (through.spills[at(basin)].into > kDrained &&
                       result.standing_over[at(through.spills[at(basin)].into)] == depression &&
                       depression != kNoDepression)
                    basin = through.spills[at(basin)].into;
                const Spill& last = through.spills[at(basin)];
                if (depression == kNoDepression || result.is_full[at(depression)] == 0) {
                    ASSERT_EQ(last.into, kNoBasin);
                    continue;
                }
                const Depression& of = ground.hierarchy.depressions[at(depression)];
                ASSERT_EQ(last.from, of.spill_from);
                ASSERT_EQ(last.into, of.spills_into);
            }
            std::vector<std::uint8_t> direction = ground.direction;
            turn_breach_paths(z.grid(), through, ground.basins, direction);
            FlowTree tree;
            tree.grid = z.grid();
            tree.direction = direction;
            order_tree(tree, progress);
            EXPECT_EQ(static_cast<std::int64_t>(tree.order.size()),
                      std::count_if(z.begin(), z.end(), [](float e) { return !is_no_data(e); }));
        }
    }
}

}  // namespace
}  // namespace thalweg
