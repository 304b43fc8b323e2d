// The course of the stream that carries the most water.
#pragma once

#include "thalweg/grid/field.hpp"

#include <vector>

namespace thalweg {

/// The crest of `discharge` (m^3/yr, 0 where there is none) upstream from the cell inside the edge that
/// carries the most, until a tenth of that is left: at each step of a cell, of nine directions within 75
/// degrees of the last, to where the most comes. Smoothed over a few cells; m, from upstream. O(length).
std::vector<Position> main_stream(const Field<float>& discharge);

/// Length of a line over the distance of its ends; 1 for one without length.
double sinuosity_of(const std::vector<Position>& line);

}  // namespace thalweg
