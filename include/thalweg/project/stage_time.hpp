// The time of a stage: the parameter that says until when it goes.
#pragma once

#include "thalweg/project/project.hpp"
#include "thalweg/project/stage.hpp"

#include <cstddef>
#include <string>

namespace thalweg {

/// A whole or other number among the parameters of a stage.
double number_of(const Stage& stage, const std::string& parameter, const void* parameters);

/// The time that the parameters of a stage with Stage::at_times hold, in the unit of its time.
double time_of(const Stage& stage, const void* parameters);

/// The time at which a stage with those parameters ends: the same, or where it is infinite the stage's own
/// end (StageTime::end), if there is one.
double end_of(const Stage& stage, const void* parameters);

/// A time as the stage's parameter holds it.
Value value_of_time(const Stage& stage, double time);

/// The stage with another time. Throws Error::input for one that its parameter does not allow.
///
/// Example:
///     const StageUse& use = project.stages[timed_stage(project)];
///     const StageUse later = at_time(use, 2.0 * time_of(*use.stage, use.parameters.get()));
StageUse at_time(const StageUse& use, double time);

/// The place of the last stage that knows times (Stage::at_times). Throws Error::input where there is none.
std::size_t timed_stage(const Project& project);

/// "250 000 years", "1 event", "steady state".
std::string time_in_words(double time, const StageTime& of);

}  // namespace thalweg
