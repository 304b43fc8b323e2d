#include "thalweg/core/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace thalweg {
namespace {

/// Optimal string alignment distance: the fewest insertions, deletions and replacements of a letter, and
/// swaps of neighbours, that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

/// Whether `name` is the beginning or a whole word of `candidate`, in which - and _ part words.
bool abbreviates(std::string_view name, std::string_view candidate) {
    constexpr std::size_t kLeastLetters = 3;
    if (name.size() < kLeastLetters) return false;
    const auto parts = [](char letter) { return letter == '-' || letter == '_'; };
    for (std::size_t at = candidate.find(name); at != std::string_view::npos;
         at = candidate.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if (at == 0 || (parts(candidate[at - 1]) && (end == candidate.size() || parts(candidate[end]))))
            return true;
    }
    return false;
}

std::string_view without_dashes(std::string_view name) {
    name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
    return name;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string_view letters = without_dashes(name);
    if (letters.empty()) return "";
    const std::size_t nearest = std::max<std::size_t>(1, (letters.size() + 1) / 3);
    std::string best;
    std::size_t best_distance = nearest + 1;
    for (const std::string& candidate : candidates) {
        const std::string_view other = without_dashes(candidate);
        std::size_t distance = edit_distance(letters, other);
        if (abbreviates(letters, other)) distance = std::min(distance, nearest);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace thalweg
