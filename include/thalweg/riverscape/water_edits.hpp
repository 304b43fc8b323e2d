// Edits of the water of a river, as data.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/water/blend_flow_tree.hpp"

#include <cstdint>

namespace thalweg {

enum class WaterCommand : std::uint8_t {
    Insert,   // adds a primitive, which weighs in with those around
    Replace,  // adds a primitive that replaces the water where it covers
    Remove,   // takes primitives away
    Move,     // moves primitives
    Retune    // makes primitives rougher or calmer
};

/// One edit. Remove, Move and Retune take the primitives whose centres lie within the radius of the
/// primitive's place.
struct WaterEdit {
    WaterCommand command = WaterCommand::Insert;
    WaterPrimitive primitive = {};  // of the others, its place and radius alone
    bool follows = true;  // whether elevation, slope and velocity of a new primitive are those of the water
    double shift_east = 0.0;   // m, of Move
    double shift_north = 0.0;  // m
    double strength = 1.0;     // 1, of Retune: factor on amplitude, fall, rotation and foam

    static void declare(Declaration<WaterEdit>& declaration);
};

/// Does it. O(leaves). Throws Error::input for primitives that are not allowed, a new one that shall follow
/// water where there is none, and a place around which there are no primitives to take.
///
/// Source: Peytavie et al. 2019, section 8 (authoring).
///
/// Example:
///     BlendFlowTree river;
///     river.insert({.radius = 40.0, .elevation = 12.0, .velocity_x = 0.8});
///     apply_edit({.command = WaterCommand::Replace,
///                 .primitive = {.kind = WaterKind::Vortex, .x = 3.0, .fall = 0.2, .rotation = 2.0}},
///                river);
void apply_edit(const WaterEdit& edit, BlendFlowTree& tree);

}  // namespace thalweg
