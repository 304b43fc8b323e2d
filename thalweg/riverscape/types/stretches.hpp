// Reaches cut into stretches of about one slope.
#pragma once

#include "thalweg/river/network.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace thalweg {

/// Way along a line to each of its points, m.
std::vector<double> ways_along(std::span<const RiverPoint> line);

/// The points where the slope of a reach changes (classify_reaches), its first and last one too. O(points
/// log points).
std::vector<std::size_t> slope_breaks(std::span<const RiverPoint> line, const std::vector<double>& along,
                                      double least_length);

}  // namespace thalweg
