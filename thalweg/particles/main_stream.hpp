// The course of the stream that carries the most water.
#pragma once

#include "thalweg/grid/field.hpp"

#include <vector>

namespace thalweg {

/// Water that flows, m^3/yr: how much, and how much of it to the east and the south. 0 where there is none.
struct FlowFields {
    const Field<float>& discharge;
    const Field<float>& east;
    const Field<float>& south;
};

/// The crest of discharge, upstream from the cell inside the edge over which the most leaves, until a tenth
/// of that is left: at each step of a cell, of nine directions within 75 degrees of the last and against the
/// flow, to where the most comes. Smoothed over a few cells; m, from upstream. O(cells).
std::vector<Position> main_stream(const FlowFields& flow);

/// Length of a line over the distance of its ends; 1 for one without length.
double sinuosity_of(const std::vector<Position>& line);

}  // namespace thalweg
