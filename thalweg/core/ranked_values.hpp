// Which of many values has a given rank: exact medians, deciles and other quantiles without sorting.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Floats by their rank from the least, 0, to the largest, count() - 1. NaN does not count. By buckets of the
/// bits' upper half, so that only the values beside a wanted rank are ever ordered. O(values), parallel; the
/// same values on any number of threads; keeps 256 KiB, and while it counts 8 MiB at most.
class RankedValues {
  public:
    /// Counts `values`, which must stay as they are.
    explicit RankedValues(std::span<const float> values);

    [[nodiscard]] std::int64_t count() const { return count_; }  // of values that are not NaN

    /// The values of `ranks`, which rise or stay, from 0 to count() - 1.
    [[nodiscard]] std::vector<float> of_ranks(std::span<const std::int64_t> ranks) const;

  private:
    std::span<const float> values_;
    std::vector<std::uint32_t> bucket_counts_;
    std::int64_t count_ = 0;
};

}  // namespace thalweg
