// Bends that a network is too coarse to show.
#pragma once

#include "thalweg/riverscape/courses/base_line.hpp"
#include "thalweg/riverscape/courses/course_draws.hpp"
#include "thalweg/riverscape/courses/plan_line.hpp"
#include "thalweg/riverscape/river_types.hpp"

namespace thalweg {

/// The base line from its place `first` to `last`, as it is, by points half a step to one and a half apart,
/// but for shorter stretches: what changes with the type does so over no less.
PlanLine straight_line(const BaseLine& base, double first, double last);

/// Half the angle between the directions of a sine-generated curve at its crossings, rad, for a sinuosity of
/// 1 to 3: 1 / J_0(omega) = sinuosity.
double bend_angle(double sinuosity);

/// The same with bends of the stretch's type (bed_course.hpp), in even steps. Ends stay.
PlanLine bent_line(const BaseLine& base, double first, double last, const RiverStretch& stretch,
                   double sinuosity_factor, const ReachDraws& draws);

}  // namespace thalweg
