// By how much sinuosity slows migration.
#pragma once

#include <vector>

namespace thalweg {

/// Length over chord, from 1 to 20: ends that nearly meet say nothing of how winding a channel is.
double bounded_sinuosity(double length, double chord);

/// sigma^(-2/3) at each point, of the length `window` (m) of the line around it, or of as much of it as there
/// is; `segment` are the lengths from each point to the next. Linear between every eighth point. O(points).
void windowed_scaling(const std::vector<double>& x, const std::vector<double>& y,
                      const std::vector<float>& segment, double window, std::vector<float>& scaling);

}  // namespace thalweg
