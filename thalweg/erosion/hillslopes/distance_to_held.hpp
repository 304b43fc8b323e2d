// How far cells lie from those that keep their elevation.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// m from held cells on, over which what moves the ground comes in (by eye).
inline constexpr double kFadeLength = 60.0;

/// Cells to the nearest held one, along rows, columns and diagonals; very far where there is none.
Field<float> distance_to_held(const Field<std::uint8_t>& held, Progress& progress);

}  // namespace thalweg
