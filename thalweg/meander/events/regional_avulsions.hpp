// Rivers that leave their course for another river, or for an outlet of their own.
#pragma once

#include "thalweg/meander/events/course_search.hpp"

namespace thalweg {

/// Whether a river has taken another course, or why not.
enum class CourseOutcome {
    Taken,
    NoWay,    // there is none on which it would run downhill and not have to be cut too deep
    TooDeep,  // the bed that falls along it lies more than avulsion_depth below the ground, besides its depth
    Meets     // it comes within a width of a channel elsewhere than at its ends
};

/// Lets a channel leave its course at an inner point for the way of least cost to a target (find_course): a
/// regional avulsion (Heller and Paola 1996). The course follows that way towards the place on it that is
/// four widths ahead, each step turned aside by up to 5 degrees (wobble_at). Its bed is the ground less the
/// depth, and never rises; the ground is lowered to its banks. Its water goes down it: discharge, upland
/// area, width and depth below both mouths are made anew (carry_flow). What runs dry is left, with what comes
/// into that from its sides going down the new course; what other reaches join stays. Nothing happens but
/// where the outcome is Taken. Paris et al. 2023 leave this to future work (section 8.5).
CourseOutcome avulse_to(MeanderState& state, const ChannelPoint& from, const CourseTarget& target = {});

}  // namespace thalweg
