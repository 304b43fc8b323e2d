// The channels of braided and anastomosed stretches.
#pragma once

#include "thalweg/riverscape/courses/base_line.hpp"
#include "thalweg/riverscape/courses/course_draws.hpp"
#include "thalweg/riverscape/river_types.hpp"

#include <vector>

namespace thalweg {

/// One channel beside the middle line, at its points.
struct BraidChannel {
    double share = 1.0;           // of the flow
    std::vector<double> lateral;  // m, to the left of the middle line
    std::vector<double> part;     // 1: from 1, the whole river at the ends, to the share
};

/// From the middle line of a braid to the middle of its outermost channels, at most, m.
double braid_half_span(const BaseLine& base, const RiverStretch& stretch);

/// The channels of a stretch of `points` points, that begin and end as one.
std::vector<BraidChannel> braid_channels(const BaseLine& base, std::size_t points,
                                         const RiverStretch& stretch, const ReachDraws& draws);

}  // namespace thalweg
