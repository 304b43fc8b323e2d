// Directions over flat ground.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Gives directions to cells that have no lower neighbour (kPit) but neighbours of their own elevation. A
/// flat is a connected piece of such cells. Where it touches cells of its elevation that drain, water flows
/// there; else its first cell by rows stays a pit and takes the water of all others. Every other cell drains
/// to the neighbour of its flat that has the least
///
///   2 (steps to the exit) - (steps from higher ground)
///
/// so that water gathers away from the slopes; of equal ones to the first direction. Source: Barnes, Lehman
/// and Mulla 2014 (Computers and Geosciences 62, 128-135). Differs in: flats without an exit.
///
/// direction: as steepest_directions leaves it. O(cells); flats within a strip of rows in
/// parallel to those in others, larger ones one by one; the same on any number of threads; polls `progress`.
void resolve_flats(const Field<float>& elevation, const Lattice& lattice,
                   std::vector<std::uint8_t>& direction, Progress& progress);

}  // namespace thalweg
