// Long profiles of all rivers, with their steepness and knickpoints.
#pragma once

#include "thalweg/flow/knickpoints.hpp"
#include "thalweg/flow/river_profile.hpp"
#include "thalweg/flow/stream_tree.hpp"

#include <vector>

namespace thalweg {

/// The rivers of a terrain, entry by entry, with their steepness and knickpoints.
struct StreamProfiles {
    StreamTree streams;
    ChiParameters chi = {};               // its reference area is that of `chi` in files
    std::vector<double> steepness;        // k_sn per entry, m^(2 m/n); NaN where a river has one cell
    std::vector<Knickpoint> knickpoints;  // by entry
};

}  // namespace thalweg
