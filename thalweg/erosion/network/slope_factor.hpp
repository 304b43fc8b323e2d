// Receivers of the erosion solver, with the length of the way that the water of each cell really takes.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/receiver_rule.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Directions as of steepest_directions (flow_tree.hpp; near ties and drops below 1e-19 m apart) with, per
/// cell, length = g * distance to the receiver, m. g = (z - z_r) / (distance |grad z|), in (0, 1], takes the
/// place of the correction of a(x) in Tzathas et al. 2024, section 4.3: |grad z| is the steepest descent over
/// the triangles of linked neighbours around the cell, which on 4 neighbours is the paper's. Without it
/// channels across the lattice's directions come out too steep. On 8 neighbours g = 1: there the law holds
/// for the slope to the receiver, as in Braun and Willett 2013, and so for whoever routes the raster by D8.
struct DirectedTerrain {
    std::vector<std::uint8_t> direction;
    std::vector<float> length;       // m; 0 where there is no receiver
    std::vector<std::int32_t> pits;  // cells of direction kPit, ascending
};

/// `draw_key`: random draws are keyed by it and the cell (ReceiverRule::Random only). Overwrites `terrain`,
/// whose memory is used again. O(cells); parallel over rows; same bits on any number of threads; polls
/// `progress`.
void direct_terrain(const Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
                    ReceiverRule rule, std::uint64_t draw_key, DirectedTerrain& terrain, Progress& progress);

/// Gives the cells of `breached`, which have been turned, the full distance to their receivers as length:
/// along a breach there is no slope to correct by.
void lengthen_breached(const Lattice& lattice, std::span<const std::int32_t> breached,
                       DirectedTerrain& terrain);

}  // namespace thalweg
