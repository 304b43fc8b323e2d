// Cutoffs between two surveys: what one line has and the other has not.
#pragma once

#include "thalweg/meander/river_validation.hpp"
#include "thalweg/meander/validation/line_matching.hpp"

#include <vector>

namespace thalweg {

/// Stretches of matched lines, whose points are `spacing` (m) apart, over which one line is more than twice
/// as long as the other, by more than `least` (m) in all: those of the earlier line that are cutoffs, and
/// those beside which the later line is the longer one. Each begins and ends where the length of the one less
/// twice that of the other is least and greatest. In their order downstream. O(pairs).
std::vector<ExcludedStretch> find_excluded(const std::vector<MatchedPair>& path, double spacing,
                                           double least);

}  // namespace thalweg
