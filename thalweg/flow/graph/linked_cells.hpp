// The neighbours that a cell of a lattice is joined to.
#pragma once

#include "thalweg/flow/lattice.hpp"

#include <array>
#include <cstdint>

namespace thalweg {

/// Calls `visit(neighbour, d)` for the cells inside the grid that `cell` is joined to, in the order of their
/// directions d. steps: the lattice's index_steps.
template <class Cell, class Visit>
void for_each_linked(const Lattice& lattice, const std::array<std::int32_t, 8>& steps, Cell cell,
                     const Visit& visit) {
    const std::uint8_t links = lattice.links_inside(lattice.grid.column_of(cell), lattice.grid.row_of(cell));
    for (std::size_t d = 0; d < 8; ++d)
        if ((links >> d & 1) != 0) visit(cell + steps[d], static_cast<int>(d));
}

}  // namespace thalweg
