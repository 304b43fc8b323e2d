#include "thalweg/flow/depressions/flood_queue.hpp"

#include "thalweg/core/random.hpp"

#include <cmath>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(FloodQueue, keys_are_ordered_as_elevations_and_then_as_numbers) {
    const float rising[] = {-INFINITY, -3e38F, -7.5F, -7.4F, -1e-40F, 0.0F,
                            1e-40F,    7.4F,   7.5F,  3e38F, INFINITY};
    for (std::size_t i = 1; i < std::size(rising); ++i) {
        EXPECT_LT(flood_key(rising[i - 1], 2000000000), flood_key(rising[i], 0)) << rising[i];
        EXPECT_LT(flood_key(rising[i], 0), flood_key(rising[i], 1));
        EXPECT_EQ(flood_number(flood_key(rising[i], 2000000000)), 2000000000);
    }
    EXPECT_EQ(flood_key(-0.0F, 5), flood_key(0.0F, 5));
}

TEST(FloodQueue, gives_the_lowest_first_however_many_wait) {
    // Many equal elevations. Up to some ten cells wait in the first floods, up to some thousand in the last.
    FloodQueue queue;
    for (std::uint64_t flood = 0; flood < 40; ++flood) {
        const std::uint64_t pushes = flood < 20 ? 30 : 3000;
        queue.clear();
        std::set<std::pair<float, std::int32_t>> expected;
        for (std::uint64_t i = 0; i < pushes; ++i) {
            const std::uint64_t bits = random_bits(flood, Stream::SeedTerrain, i);
            const float elevation = static_cast<float>(bits % 50) - 25.0F;
            queue.push(elevation, static_cast<std::int32_t>(i));
            expected.emplace(elevation, static_cast<std::int32_t>(i));
            if ((bits >> 40) % 3 != 0) continue;
            ASSERT_EQ(queue.pop(), expected.begin()->second);
            expected.erase(expected.begin());
        }
        // Some floods end before all is taken.
        for (; expected.size() > flood % 7; expected.erase(expected.begin()))
            ASSERT_EQ(queue.pop(), expected.begin()->second);
        ASSERT_EQ(queue.empty(), expected.empty());
    }
}

}  // namespace
}  // namespace thalweg
