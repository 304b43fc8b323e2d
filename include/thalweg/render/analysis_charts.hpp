// Charts of terrain analyses.
#pragma once

#include "thalweg/flow/terrain_analyses.hpp"
#include "thalweg/render/image.hpp"

#include <string>

namespace thalweg {

inline constexpr int kChartWidth = 1200;  // pixels, of one chart

/// A chart of each analysis that there is, beside each other in two columns where there are several: slope
/// over area, length over area, area above each height, elevation over chi; with the fitted laws and their
/// numbers. What could not be fitted is said. `title` stands above (a terrain's name; may be empty).
/// `chart_width`: pixels of each, 300 or more; it is four fifths as high. O(pixels + points of the charts).
///
/// Example:
///     const TerrainAnalyses analyses = analyse_terrain(elevation, flow, {}, {}, {}, progress);
///     const Image charts = draw_analyses(analyses, "Upper valley");
Image draw_analyses(const TerrainAnalyses& analyses, const std::string& title, int chart_width = kChartWidth);

/// The same as SVG, with the same bytes for the same numbers.
std::string analyses_svg(const TerrainAnalyses& analyses, const std::string& title,
                         int chart_width = kChartWidth);

}  // namespace thalweg
