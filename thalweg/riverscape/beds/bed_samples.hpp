// The carved terrain at many points in any order.
#pragma once

#include "thalweg/riverscape/beds/bed_evaluator.hpp"

#include <span>
#include <vector>

namespace thalweg {

/// Samples at all points: in parallel, those near each other together; same bits on any number of threads.
std::vector<BedSample> samples_at(const BedTree::Parts& parts, const BedOutput& output,
                                  std::span<const Position> positions);

}  // namespace thalweg
