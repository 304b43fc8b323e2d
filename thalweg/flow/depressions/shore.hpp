// Directions of dry cells beside filled depressions.
#pragma once

#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace thalweg {

/// Where `cell` drains once depressions are filled. Beds lead below water as over dry ground, so its
/// `direction` over the bed stays; but a dry cell that drained into what is water now takes its steepest way
/// down the new surface, of equally steep ones that over the deepest bed. bed, surface: m, on the lattice's
/// grid; steps: the lattice's index_steps.
inline std::uint8_t direction_beside_water(std::int64_t cell, std::uint8_t direction, const Lattice& lattice,
                                           const std::array<std::int32_t, 8>& steps, const Field<float>& bed,
                                           const Field<float>& surface) {
    if (direction >= kRoot || surface[cell] != bed[cell]) return direction;
    const std::int64_t receiver = cell + steps[direction];
    if (surface[receiver] == bed[receiver]) return direction;
    const std::uint8_t links = lattice.links_inside(lattice.grid.column_of(cell), lattice.grid.row_of(cell));
    float steepest = 0.0F, deepest = bed[receiver];
    for (std::uint8_t d = 0; d < 8; ++d) {
        if ((links >> d & 1) == 0) continue;
        const std::int64_t other = cell + steps[d];
        const float slope = lattice.slope(surface[cell] - surface[other], cell, other, d);
        const bool is_better =
            slope > steepest || (slope > 0.0F && slope == steepest && bed[other] < deepest);
        if (!is_better) continue;
        direction = d;
        steepest = slope;
        deepest = bed[other];
    }
    return direction;
}

/// The same for all cells. direction: per cell, over the bed. O(cells), parallel; the same on any number of
/// threads.
void direct_on_shores(const Lattice& lattice, const Field<float>& bed, const Field<float>& surface,
                      std::vector<std::uint8_t>& direction);

}  // namespace thalweg
