// The channels of braided and anastomosed stretches.
#pragma once

#include "thalweg/riverscape/courses/base_line.hpp"
#include "thalweg/riverscape/courses/course_draws.hpp"
#include "thalweg/riverscape/river_types.hpp"

#include <vector>

namespace thalweg {

/// One channel beside the base line, at the points of a straight_line.
struct BraidChannel {
    double share = 1.0;           // of the flow
    std::vector<double> lateral;  // m, to the left of the base line
    std::vector<double> part;     // 1: from 1, the whole river at the ends, to the share
};

/// The channels of a stretch of `points` points, that begin and end as one.
std::vector<BraidChannel> braid_channels(const BaseLine& base, std::size_t points,
                                         const RiverStretch& stretch, const ReachDraws& draws);

}  // namespace thalweg
