// Charts beside each other on one sheet. Private to render.
#pragma once

#include "thalweg/render/chart/chart.hpp"
#include "thalweg/render/image.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// Charts in two columns, or one alone, and what stands above them, which may be empty.
struct ChartSheet {
    std::string title;
    std::vector<Chart> charts;
    int chart_width = 0;  // pixels, of each; it is four fifths as high
};

Image draw_chart_sheet(const ChartSheet& sheet);

/// The same as SVG, with the same bytes for the same numbers.
std::string chart_sheet_svg(const ChartSheet& sheet);

}  // namespace thalweg
