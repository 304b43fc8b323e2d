// Plants that hold the banks, and channels that take them away.
#pragma once

#include "thalweg/meander/meander_state.hpp"

namespace thalweg {

/// How densely plants cover a place, from 0 to 1: 1 - exp(-age / vegetation_growth_time), with the years
/// since a channel was there, and 1 where none ever was.
double vegetation_density(const MeanderState& state, double x, double y);

/// Slows the mobility of each point of a channel by 1 - vegetation_strength times the mean density on the
/// half width of ground behind the bank to which it migrates. Sources: Perucca, Camporeale and Ridolfi 2007;
/// Camporeale et al. 2013. Differs in: plants grow by age alone, and not by the depth to groundwater.
void slow_by_vegetation(const MeanderState& state, MeanderChannel& channel);

/// Takes plants away where channels are now. Nothing is kept while vegetation_strength is 0. O(points times
/// cells in a square width).
void clear_vegetation(MeanderState& state);

}  // namespace thalweg
