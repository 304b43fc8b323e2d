// Charts of how wandering rivers change with time.
#pragma once

#include "thalweg/meander/meander_metrics.hpp"
#include "thalweg/render/image.hpp"

#include <string>

namespace thalweg {

inline constexpr int kMeanderChartWidth = 800;  // pixels, of one chart

/// Six charts over the years on one sheet: sinuosity, wavelength beside that of real rivers of the same
/// width, amplitude, migration, cutoffs and width of the belt. Each has a line of all channels, those of the
/// reaches that are longest at last, and faint ones of the others. `title` stands above (may be empty).
/// `chart_width`: pixels of each, 300 or more; it is four fifths as high. O(pixels + records of reaches).
///
/// Example:
///     const MeanderMetrics metrics = meander_metrics(history, {.window = 25.0}, progress);
///     const Image charts = draw_meander_metrics(metrics, "Lower valley");
Image draw_meander_metrics(const MeanderMetrics& metrics, const std::string& title,
                           int chart_width = kMeanderChartWidth);

/// The same as SVG, with the same bytes for the same numbers.
std::string meander_metrics_svg(const MeanderMetrics& metrics, const std::string& title,
                                int chart_width = kMeanderChartWidth);

}  // namespace thalweg
