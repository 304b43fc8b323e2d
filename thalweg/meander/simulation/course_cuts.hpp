// Ground along new courses.
#pragma once

#include "thalweg/meander/meander_state.hpp"

#include <cstddef>

namespace thalweg {

/// Lowers the ground along the new courses of the avulsions and chutes among the events from place
/// `first_event` on, to the banks: within half a width of them, and in each cell that their middles pass,
/// however narrow they are. Avulsions are given up where that would be deeper than avulsion_depth
/// (events/avulsions.hpp). Mobility of their channels is found anew.
void cut_new_courses(MeanderState& state, std::size_t first_event);

}  // namespace thalweg
