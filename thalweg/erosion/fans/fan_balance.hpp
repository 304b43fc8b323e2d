// What rivers that cross the fans cut and fill, weighed against what the fans hold.
#pragma once

#include "thalweg/erosion/fans.hpp"
#include "thalweg/erosion/fans/fan_lobes.hpp"

#include <vector>

namespace thalweg {

/// The fans' terrain, and what water made of it.
struct DrainedFans {
    const Field<float>& laid;               // m, the ground with all lobes
    const Field<float>& drained;            // m, the same, which never rises along the tree but under water
    const FlowTree& tree;                   // on that
    const std::vector<LobeDeposit>& lobes;  // in the order in which they were laid
    std::size_t fans;                       // how many
};

/// The ground on which each fan holds what its lobes did before water filled and cut them, to 1e-4: what is
/// filled or cut counts for the fan that lies there on top, or is nearest. Each fan is made thicker or
/// thinner as a whole, with what was filled and cut on it; where that leaves ground lower than what it drains
/// to, it is raised. Nothing rises along the tree but under water.
Field<float> balanced_fans(const FanInputs& inputs, const DrainedFans& fans);

}  // namespace thalweg
