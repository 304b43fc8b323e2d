// Cutoffs between two surveys: what one line has and the other has not.
#pragma once

#include "thalweg/meander/river_validation.hpp"
#include "thalweg/meander/validation/line_matching.hpp"

#include <vector>

namespace thalweg {

/// Stretches of matched lines, whose points are `spacing` (m) apart, that only one of them has: over which
/// the earlier line is more than twice as long as the later one (cutoffs), or the later one more than four
/// times as long as the earlier one, by more than `least` (m) in all. Each begins and ends where the length
/// of the one less so many times that of the other is least and greatest. In their order downstream.
/// O(pairs).
std::vector<ExcludedStretch> find_excluded(const std::vector<MatchedPair>& path, double spacing,
                                           double least);

}  // namespace thalweg
