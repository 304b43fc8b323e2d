// Charts of the curves of terrains, laid over each other. Private to render.
#pragma once

#include "thalweg/render/chart/chart.hpp"
#include "thalweg/render/description_sheet.hpp"

namespace thalweg {

/// One chart of each curve, with a line for every terrain in the order of kSeriesColours, and no legends.
std::vector<Chart> description_charts(std::span<const DescribedTerrain> terrains);

}  // namespace thalweg
