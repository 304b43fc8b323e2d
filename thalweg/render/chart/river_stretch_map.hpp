// A map of two surveyed lines of one river. Private to render.
#pragma once

#include "thalweg/meander/river_validation.hpp"
#include "thalweg/render/chart/chart.hpp"

namespace thalweg {

inline constexpr Colour kEarlierLine = kSeriesColours[0];
inline constexpr Colour kLaterLine = kSeriesColours[1];
inline constexpr Colour kExcludedLine = srgb(0xA61C3C);

/// Both lines about the longest stretch that is excluded, or where there is none about the fastest migration,
/// with what is excluded marked, which points match, kilometres along the earlier line, a scale bar and a
/// legend. `unit`: pixels, as of draw_chart.
void draw_river_stretch(Canvas& canvas, const Box& box, const RiverValidation& found, double unit);

}  // namespace thalweg
