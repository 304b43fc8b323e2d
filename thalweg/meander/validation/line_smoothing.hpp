// Running means along a line of even steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Values averaged by a Gauss kernel of standard deviation `deviation` (points), cut at four of them; beyond
/// the ends the values go on by point reflection, so that the ends stay. O(points x deviation).
std::vector<double> gauss_mean(const std::vector<double>& values, double deviation);

/// 2 G - G G (twicing: Tukey 1977): what a Gauss mean takes from long waves is given back, so that of a wave
/// of length l remains 1 - (1 - g)^2, g = exp(-2 (pi deviation / l)^2).
std::vector<double> twiced_gauss_mean(const std::vector<double>& values, double deviation);

/// The Gauss mean of those values alone that are used; 0 where there are none within four deviations.
std::vector<double> gauss_mean_of_used(const std::vector<double>& values,
                                       std::span<const std::uint8_t> is_used, double deviation);

}  // namespace thalweg
