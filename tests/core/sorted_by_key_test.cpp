#include "thalweg/core/sorted_by_key.hpp"

#include "thalweg/core/random.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(SortedByKey, is_a_stable_sort_of_keys_of_any_size) {
    for (const int bits : {1, 10, 11, 12, 40, 64}) {
        std::vector<std::uint64_t> keys(bits == 11 ? 5000 : 140000);
        for (std::size_t i = 0; i < keys.size(); ++i)
            keys[i] = random_bits(1, Stream::WhiteNoise, i) >> (64 - bits);
        std::vector<std::uint32_t> sorted(keys.size());
        std::iota(sorted.begin(), sorted.end(), 0U);
        std::ranges::stable_sort(sorted, {}, [&](std::uint32_t i) { return keys[i]; });
        EXPECT_EQ(order_of_keys(keys), sorted) << bits;
    }
    EXPECT_TRUE(order_of_keys({}).empty());
}

TEST(MortonCode, has_the_bits_of_column_and_row_in_turn) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const auto column = static_cast<std::uint32_t>(random_bits(2, Stream::WhiteNoise, i));
        const auto row = static_cast<std::uint32_t>(random_bits(3, Stream::WhiteNoise, i));
        const std::uint64_t code = morton_code(column, row);
        for (unsigned bit = 0; bit < 32; ++bit) {
            ASSERT_EQ(code >> (2 * bit) & 1U, column >> bit & 1U);
            ASSERT_EQ(code >> (2 * bit + 1) & 1U, row >> bit & 1U);
        }
    }
}

}  // namespace
}  // namespace thalweg
