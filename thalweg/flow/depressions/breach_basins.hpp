// Breach paths out of all depressions at once.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Turns directions so that every pit (kPit) drains over the lowest saddle of its basin (spill_tree.hpp),
/// back up the bed, where flats have been given directions (flats.hpp). A pit without an exit becomes a
/// root. O(cells), in parallel, while DirectionBreacher costs what it floods: this is faster where more than
/// about one cell of 64 is a pit. Elevations do not change: m, on the grid of lattice and direction. Returns
/// the cells whose directions changed, by number; the same on any number of threads. Polls `progress`.
std::vector<std::int32_t> breach_basins(const Field<float>& elevation, const Lattice& lattice,
                                        std::vector<std::uint8_t>& direction, Progress& progress);

}  // namespace thalweg
