// Lines of channels in the plane.
#pragma once

#include <cstddef>
#include <vector>

namespace thalweg {

/// A line in the plane, and the place of each point on the base line, in its steps.
struct PlanLine {
    std::vector<double> x;      // m
    std::vector<double> y;      // m
    std::vector<double> place;  // steps of the base line
};

/// Curvature at point i, 1/m, positive where the line turns left: the angle between the chords to the points
/// `chord` before and behind it, over their mean length; 0 where they have none.
double curvature_at(const PlanLine& line, std::size_t i, std::size_t chord);

/// Points in even steps of about `step` m along a line, the ends kept.
PlanLine evenly_spaced(const PlanLine& line, double step);

/// A line in steps of about `step` m that nowhere turns more tightly than on a circle of `least_radius` (m):
/// near tighter places points are moved to the middle of their neighbours until none is left; all others keep
/// their bits. Tips of hairpins that turn by more than 135 degrees stay tighter, since their sides would have
/// to go; so does what lies within half a radius of the ends, which stay. Radii are those of an angle of
/// chords as long as half the least radius.
PlanLine rounded_line(PlanLine line, double step, double least_radius);

}  // namespace thalweg
