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

/// The stream over whose outlet the most water leaves: from the cell inside the edge where it does, against
/// the mean flow around each place and along the crest of discharge, until a tenth of that is left. Smoothed
/// over about a bed of four cells, so that it tells bends and not what droplets do in the bed; m, from
/// upstream. O(cells).
std::vector<Position> main_stream(const FlowFields& flow);

/// Length of a line over the distance of its ends; 1 for one without length.
double sinuosity_of(const std::vector<Position>& line);

}  // namespace thalweg
