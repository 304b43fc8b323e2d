// Beds of networks that fall downstream.
#pragma once

#include "thalweg/river/network.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace thalweg {

/// Lowers `beds` (m), of the points of each reach, so that none rises downstream, and reaches that meet at a
/// node have one bed there. Returns the beds of all nodes. O(points).
std::unordered_map<std::int64_t, double> let_beds_fall(std::span<const Reach> reaches,
                                                       std::span<std::vector<double>> beds);

}  // namespace thalweg
