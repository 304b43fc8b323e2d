#include "thalweg/core/ranked_values.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <numeric>

namespace thalweg {
namespace {

constexpr std::size_t kBuckets = 1 << 16;
constexpr std::int64_t kLeastPerTask = 1 << 16;
constexpr std::int64_t kMostTasks = 32;  // each counts for itself

using Counts = std::vector<std::uint32_t>;

/// Buckets rise with the values in them; -0 stands before 0.
std::size_t bucket_of(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rising = bits ^ ((bits >> 31) != 0 ? 0xFFFFFFFFU : 0x80000000U);
    return rising >> 16;
}

bool is_nan(float value) {
    return !(value == value);
}

std::int64_t values_per_task(std::int64_t count) {
    return std::max(kLeastPerTask, (count + kMostTasks - 1) / kMostTasks);
}

}  // namespace

RankedValues::RankedValues(std::span<const float> values) : values_(values) {
    const std::int64_t size = static_cast<std::int64_t>(values.size());
    const auto counted = [&](std::int64_t first, std::int64_t last) {
        Counts counts(kBuckets, 0);
        for (std::int64_t i = first; i < last; ++i)
            if (!is_nan(values[at(i)])) ++counts[bucket_of(values[at(i)])];
        return counts;
    };
    const auto add = [](Counts sum, const Counts& more) {
        std::ranges::transform(sum, more, sum.begin(), std::plus<>());
        return sum;
    };
    bucket_counts_ = parallel_reduce(0, size, values_per_task(size), Counts(kBuckets, 0), counted, add);
    count_ = std::accumulate(bucket_counts_.begin(), bucket_counts_.end(), std::int64_t{0});
}

std::vector<float> RankedValues::of_ranks(std::span<const std::int64_t> ranks) const {
    assert(std::ranges::is_sorted(ranks) && (ranks.empty() || ranks.back() < count_));
    // Find the buckets of the ranks, and which places the ranks have among the values of those buckets alone.
    std::vector<std::uint8_t> is_wanted(kBuckets, 0);
    std::vector<std::int64_t> places;
    std::size_t bucket = 0;
    std::int64_t below = 0,
                 left_out = 0;  // values in lower buckets, and those among them of no wanted bucket
    for (const std::int64_t rank : ranks) {
        while (below + bucket_counts_[bucket] <= rank) {
            left_out += is_wanted[bucket] != 0 ? 0 : bucket_counts_[bucket];
            below += bucket_counts_[bucket++];
        }
        is_wanted[bucket] = 1;
        places.push_back(rank - left_out);
    }
    const std::int64_t size = static_cast<std::int64_t>(values_.size());
    std::vector<float> wanted = parallel_gather<float>(
        0, size, values_per_task(size), [&](std::int64_t i, std::vector<float>& found) {
            const float value = values_[at(i)];
            if (is_wanted[bucket_of(value)] != 0 && !is_nan(value)) found.push_back(value);
        });
    std::vector<float> chosen;
    auto ordered = wanted.begin();  // all before it stand where they belong
    for (const std::int64_t place : places) {
        const auto there = wanted.begin() + static_cast<std::ptrdiff_t>(place);
        std::nth_element(ordered, there, wanted.end());
        ordered = there;
        chosen.push_back(*there);
    }
    return chosen;
}

}  // namespace thalweg
