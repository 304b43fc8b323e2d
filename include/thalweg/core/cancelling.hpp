// How work that is given no Progress is cancelled with the work around it.
#pragma once

#include "thalweg/core/progress.hpp"

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <vector>

namespace thalweg {

/// Whether the progress of this thread's execution (execution.hpp) was cancelled.
bool is_cancelled();

/// Throws Cancelled where is_cancelled().
void poll_cancelled();

/// Shows nothing, and is cancelled with this thread's execution: for a run that is given no progress.
class SilentProgress final : public Progress {
  public:
    [[nodiscard]] bool cancelled() const noexcept override { return Progress::cancelled() || is_cancelled(); }

  protected:
    void show(double, std::string_view) override {}
};

/// Calls body(i) for every i in [begin, end), in their order, and polls now and then.
template <class Body>
void for_each_polled(std::int64_t begin, std::int64_t end, const Body& body) {
    constexpr std::int64_t kStepsPerPoll = 1 << 16;  // at 100 ns each 7 ms
    while (begin < end) {
        poll_cancelled();
        for (const std::int64_t stop = std::min(end, begin + kStepsPerPoll); begin < stop; ++begin)
            body(begin);
    }
}

/// The same for every element of a range that has them by number.
///
/// Example:
///     const std::vector<double> heights(std::size_t{1} << 24, 1.0);  // m
///     double sum = 0.0;
///     for_each_polled(heights, [&](double height) { sum += height; });
template <class Range, class Body>
void for_each_polled(Range&& range, const Body& body) {
    const auto first = std::ranges::begin(range);
    for_each_polled(0, std::ranges::ssize(range), [&](std::int64_t i) { body(first[i]); });
}

/// The same values, copied in pieces with a poll before each: fresh memory of gigabytes takes seconds.
template <class T>
std::vector<T> polled_copy(const std::vector<T>& values) {
    constexpr std::ptrdiff_t kPiece = 1 << 22;
    std::vector<T> copy;
    copy.reserve(values.size());
    for (auto first = values.begin(); first != values.end();) {
        poll_cancelled();
        const auto last = first + std::min(kPiece, values.end() - first);
        copy.insert(copy.end(), first, last);
        first = last;
    }
    return copy;
}

}  // namespace thalweg
