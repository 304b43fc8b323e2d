// Bends that are cut off across their inside.
#pragma once

#include "thalweg/meander/meander_state.hpp"

namespace thalweg {

/// Lets floods cut chutes across the inside of bends before their necks close, each bend with the
/// probability
///
///   P = 1 - exp(-chute_rate length years)
///
/// where `length` is that of its line on which w |kappa| is at least chute_curvature: the tighter and longer
/// a bend, the likelier (Constantine et al. 2010; Grenfell et al. 2014; Micheli and Larsen 2011).
/// A chute leaves the bend within the first third of it and comes back
/// within the last, on a cubic in the channel's directions there, flatter than the bend; it is no longer than
/// 1/1.2 of what it cuts off, and two widths from it somewhere. Its bed falls evenly. There is none where
/// the ground is too high (avulsion_depth), or where it would come within a width of a channel. What is left
/// is an abandoned course. A bend lies between changes of sign of the curvature, which is averaged over two
/// widths. Draws are hashes of seed, reach, step and point. O(points), and O(points of all channels) for each
/// chute. Returns whether a channel has a new course.
bool cut_chutes(MeanderState& state, double years);

}  // namespace thalweg
