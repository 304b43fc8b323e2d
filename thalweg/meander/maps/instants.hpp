// All channels of a history, at moments close enough that none moves far between them.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/meander/maps/courses.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace thalweg {

/// Where the channels run in the middle of a span of time, in which none moves much more than half its width.
struct Instant {
    double year = 0.0;
    double years = 0.0;  // length of the span
    std::vector<Course> courses = {};
};

/// Calls body(instant) for spans that cover the history from its first to its last network (or the last one
/// of or before `year`), in the order of time. Points run straight and evenly from where they come from
/// (sweeps.hpp); those that come from nowhere near are there all the time, and courses that are left until
/// the year in which they were.
void for_each_instant(const MeanderHistory& history, std::optional<double> year, Progress& progress,
                      const std::function<void(const Instant&)>& body);

}  // namespace thalweg
