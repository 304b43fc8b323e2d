// Land that no boundary cell drains.
#pragma once

#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// Makes the lowest cell of every closed component a root (1), the first of equal ones: land that the
/// lattice's links join, from which no root can be reached over cells with data. Returns how many there are.
/// O(cells), serial.
std::int64_t root_closed_components(const Field<float>& elevation, const Lattice& lattice,
                                    Field<std::uint8_t>& roots);

}  // namespace thalweg
