// Which cells of a row may stand steeply above a linked neighbour.
#pragma once

#include "thalweg/erosion/correction/steep_rows.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>

namespace thalweg {

/// Makes `steep`, one value a cell of row `row`, 1 for every cell from which a linked neighbour lies lower by
/// more than `law` lets stand. Cells that vectors do not reach count as steep: those at the edges of the
/// grid. Compares in float32: a cell nearer to what stands than 1e-5 of it may be either.
void mark_steep_cells(const Lattice& lattice, const Field<float>& elevation, std::int64_t row,
                      const SteepLaw& law, std::span<std::uint8_t> steep);

}  // namespace thalweg
