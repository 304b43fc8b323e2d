// The z of every statistic of terrains beside the range of real landscapes. Private to render.
#pragma once

#include "thalweg/render/description_sheet.hpp"
#include "thalweg/render/drawing/canvas.hpp"

namespace thalweg {

/// A row for each statistic, with a band for its natural range and a dot for every terrain, in the order of
/// kSeriesColours. `unit`: pixels, as of draw_chart.
void draw_nature_strip(Canvas& canvas, const Box& box, std::span<const DescribedTerrain> terrains,
                       double unit);

}  // namespace thalweg
