#include "thalweg/meander/validation/excluded_stretches.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr double kCutoffRatio = 2.0;
constexpr double kCourseRatio =
    4.0;  // bends grow, and so the later line becomes longer, without a new course

/// The stretches of greatest sums of the one line's length less twice the other's: a sum that falls to 0, or
/// by `least` below its greatest, ends one.
void add_longer(const std::vector<MatchedPair>& path, double spacing, double least, bool is_cutoff,
                std::vector<ExcludedStretch>& found) {
    double sum = 0.0, greatest = 0.0;
    std::size_t first = 0, last = 0;
    const auto close = [&](std::size_t next) {
        if (greatest > least)
            found.push_back({.first = static_cast<std::size_t>(path[first].before),
                             .last = static_cast<std::size_t>(path[last].before),
                             .is_cutoff = is_cutoff});
        sum = greatest = 0.0;
        first = last = next;
    };
    for (std::size_t k = 1; k < path.size(); ++k) {
        const double before = spacing * (path[k].before - path[k - 1].before);
        const double after = spacing * (path[k].after - path[k - 1].after);
        sum += is_cutoff ? before - kCutoffRatio * after : after - kCourseRatio * before;
        if (sum > greatest) {
            greatest = sum;
            last = k;
        }
        if (sum <= 0.0 || sum < greatest - least) close(k);
    }
    close(path.size() - 1);
}

}  // namespace

std::vector<ExcludedStretch> find_excluded(const std::vector<MatchedPair>& path, double spacing,
                                           double least) {
    std::vector<ExcludedStretch> found;
    add_longer(path, spacing, least, true, found);
    add_longer(path, spacing, least, false, found);
    std::ranges::stable_sort(found, {}, &ExcludedStretch::first);
    return found;
}

}  // namespace thalweg
