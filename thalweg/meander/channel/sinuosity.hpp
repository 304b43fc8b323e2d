// By how much sinuosity slows migration.
#pragma once

#include <span>
#include <vector>

namespace thalweg {

/// Length over chord, from 1 to 20: ends that nearly meet say nothing of how winding a channel is.
double bounded_sinuosity(double length, double chord);

/// sigma^(-2/3) at each point, of the length `window` (m) of the line around it, or of as much of it as there
/// is. Linear between every eighth point. O(points).
void windowed_scaling(std::span<const double> x, std::span<const double> y, double window,
                      std::vector<float>& scaling);

}  // namespace thalweg
