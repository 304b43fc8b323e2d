// Lines of channels in the plane.
#pragma once

#include <vector>

namespace thalweg {

/// A line in the plane, and the place of each point on the base line, in its steps.
struct PlanLine {
    std::vector<double> x;      // m
    std::vector<double> y;      // m
    std::vector<double> place;  // steps of the base line
};

/// Points in even steps of about `step` m along a line, the ends kept.
PlanLine evenly_spaced(const PlanLine& line, double step);

/// A line in even steps of about `step` m that nowhere turns more tightly than on a circle of `least_radius`,
/// but next to its ends, which stay: near tighter places points are moved to the middle of their neighbours
/// until none is left. A line without such a place stays as it is, to the bit. Radii are those of an angle of
/// chords as long as half the least radius.
PlanLine rounded_line(PlanLine line, double step, double least_radius);

}  // namespace thalweg
