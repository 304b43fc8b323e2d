// Boundary cells that are one outlet.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>

namespace thalweg {

/// Gives boundary cells (`roots` other than 0) that touch, at a side or a corner, the largest celerity among
/// them: they are one outlet, however many cells it has at this size, and fall together with the river that
/// brings most water. celerity, m/yr: that of other cells stays. O(cells), serial.
void share_outlet_celerity(const Field<std::uint8_t>& roots, std::span<float> celerity);

}  // namespace thalweg
