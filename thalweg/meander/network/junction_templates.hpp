// The angle at which tributaries come in.
#pragma once

#include "thalweg/meander/network/channels.hpp"

#include <cstdint>

namespace thalweg {

/// Angle (degrees) between a tributary and the river that it joins, both seen upstream, by the ratio q in [0,
/// 1] of their discharges:
///
///   unequal + (equal - unequal) q
///
/// near a right one where the tributary is small, narrow where both are equal (Hooshyar et al. 2017). The
/// parameters are junction_angle_unequal and junction_angle_equal. Linear in q: empirical.
double junction_angle(const MeanderParameters& parameters, double q);

/// Lays the last stretch of each channel that ends at a node, but of the one with the most water, so that it
/// comes in straight and at its junction_angle to that one, on the side from which it comes now. The stretch
/// is junction_length widths of that one long, and goes over into the channel's line upstream along twice
/// that length, less where the channel is short. Points within half of `end_damping` widths rest, so that a
/// stretch of that length stays. A channel that would come within a width of another one elsewhere than at
/// the node, or cross one, is left as it is. Paris et al. 2023, section 6.1 and figure 21, draw templates and
/// give no angles.
void shape_junction(MeanderState& state, std::int64_t node);

/// The same at all nodes.
void shape_junctions(MeanderState& state);

}  // namespace thalweg
