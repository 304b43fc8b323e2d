// Lakes at places between their cells.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/riverscape/bed_course.hpp"

namespace thalweg {

/// From 0 at x <= 0 to 1 at x >= 1, by 3 x^2 - 2 x^3.
float lake_share(float x);

/// A lake at a place.
struct LakeThere {
    float level = kNoData;  // m; no data where none reaches
    float share = 0.0F;     // 1: in it, to 0 half a cell towards dry cells that lie lower
};

LakeThere lake_at(const StandingWater& water, const Position& place);

}  // namespace thalweg
