#include "thalweg/core/sparse_loops.hpp"

#include "thalweg/core/random.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(ForEachSeldom, visits_what_holds_in_order_in_ranges_of_any_length) {
    for (const std::uint64_t one_in : {1U, 2U, 50U, 1000U})
        for (const std::int64_t first : {0, 1, 70})
            for (const std::int64_t length : {0, 1, 63, 64, 65, 500}) {
                const auto holds = [=](std::int64_t i) {
                    return random_bits(3, Stream::WhiteNoise, static_cast<std::uint64_t>(i)) % one_in == 0;
                };
                std::vector<std::int64_t> visited, expected;
                for (std::int64_t i = first; i < first + length; ++i)
                    if (holds(i)) expected.push_back(i);
                for_each_where(first, first + length, holds, [&](std::int64_t i) { visited.push_back(i); });
                ASSERT_EQ(visited, expected);
            }
}

}  // namespace
}  // namespace thalweg
