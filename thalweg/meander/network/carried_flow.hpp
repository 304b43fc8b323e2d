// Discharge and geometry after the network's graph has changed.
#pragma once

#include "thalweg/meander/network/channels.hpp"

#include <cstdint>
#include <unordered_map>

namespace thalweg {

/// What comes into each reach at its head, m^3/s and m^2, by the reach's id.
struct ReachInflow {
    double discharge = 0.0;
    double upland_area = 0.0;
};
using ReachInflows = std::unordered_map<std::int64_t, ReachInflow>;

/// Sums over the reaches that end where each begins.
ReachInflows inflows_of(const MeanderState& state);

/// Adds to every channel, downstream, by how much more comes into it now than `before`: to discharge and
/// upland area, to width by the root of their ratio (Dunne 1978: w ~ A^0.5) and to depth by that to the power
/// 0.5 / 1.41 (Konsoer et al. 2013: w = 18.8 d^1.41). A reach that is not in `before` is taken as it is. No
/// discharge becomes less than a thousandth. Width, depth and terms of channels that change are made anew.
void carry_flow(MeanderState& state, const ReachInflows& before);

/// Lowers beds so that none rises, and lines that meet have the bed of their node.
void let_beds_fall(MeanderState& state);

}  // namespace thalweg
