#include "thalweg/core/ranked_values.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> sorted(std::vector<float> values) {
    std::erase_if(values, [](float value) { return std::isnan(value); });
    std::ranges::sort(values);
    return values;
}

/// Of `count`: the ends, the deciles and their upper neighbours.
std::vector<std::int64_t> some_ranks(std::int64_t count) {
    std::vector<std::int64_t> ranks;
    for (int decile = 0; decile <= 10; ++decile)
        for (const std::int64_t beside : {0, 1})
            ranks.push_back(std::min((count - 1) * decile / 10 + beside, count - 1));
    std::ranges::sort(ranks);
    return ranks;
}

void expect_as_sorted(const std::vector<float>& values) {
    const std::vector<float> order = sorted(values);
    const RankedValues ranked(values);
    ASSERT_EQ(ranked.count(), static_cast<std::int64_t>(order.size()));
    const std::vector<std::int64_t> ranks = some_ranks(ranked.count());
    std::vector<float> expected;
    for (const std::int64_t rank : ranks) expected.push_back(order[at(rank)]);
    EXPECT_EQ(ranked.of_ranks(ranks), expected);
}

/// Values of one kind: value(bits) of a draw for each.
template <class Value>
std::vector<float> drawn(std::int64_t count, const Value& value) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(value(random_bits(7, Stream::WhiteNoise, static_cast<std::uint64_t>(i))));
    return values;
}

TEST(RankedValues, have_the_ranks_that_sorting_gives_them) {
    for (const std::int64_t count : {1, 2, 3, 1000, 300000}) {
        expect_as_sorted(drawn(count, [](std::uint64_t bits) { return 1000.0F * unit_float(bits); }));
        expect_as_sorted(drawn(count, [](std::uint64_t bits) { return unit_float(bits) - 0.5F; }));
        // Over all magnitudes, as residuals are.
        expect_as_sorted(
            drawn(count, [](std::uint64_t bits) { return std::exp(-60.0F * unit_float(bits)); }));
        expect_as_sorted(drawn(count, [](std::uint64_t bits) { return static_cast<float>(bits % 5); }));
        // All in one bucket.
        expect_as_sorted(drawn(count, [](std::uint64_t bits) { return 8000.0F + 8.0F * unit_float(bits); }));
        expect_as_sorted(drawn(count, [](std::uint64_t) { return 3.0F; }));
    }
}

TEST(RankedValues, have_the_ranks_that_sorting_gives_any_bits_that_are_no_nan) {
    expect_as_sorted(drawn(
        300000, [](std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }));
}

TEST(RankedValues, leave_out_nan_of_every_sign_and_payload) {
    const float smallest_payload = std::bit_cast<float>(0x7F800001U);  // in the bucket of infinity
    const std::vector<float> values = {kNan, kInfinity, -kNan, 2.0F, smallest_payload, -kInfinity, -3.0F};
    const RankedValues ranked(values);
    ASSERT_EQ(ranked.count(), 4);
    const std::vector<std::int64_t> all = {0, 1, 2, 3};
    EXPECT_THAT(ranked.of_ranks(all), ElementsAre(-kInfinity, -3.0F, 2.0F, kInfinity));
}

TEST(RankedValues, of_nothing_are_none) {
    EXPECT_EQ(RankedValues({}).count(), 0);
    EXPECT_THAT(RankedValues({}).of_ranks({}), IsEmpty());
    const std::vector<float> none(3, kNan);
    EXPECT_EQ(RankedValues(none).count(), 0);
}

TEST(RankedValues, are_the_same_on_1_2_and_8_threads) {
    const std::vector<float> values =
        drawn(1000000, [](std::uint64_t bits) { return std::exp(9.0F * unit_float(bits)); });
    std::vector<std::vector<float>> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        const RankedValues ranked(values);
        found.push_back(ranked.of_ranks(some_ranks(ranked.count())));
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
}

}  // namespace
}  // namespace thalweg
