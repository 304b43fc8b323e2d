// Tables of terrains described in numbers, for a terminal.
#pragma once

#include "thalweg/render/description_sheet.hpp"

#include <span>
#include <string>

namespace thalweg::cli {

/// One terrain: every statistic with its unit, the range of real landscapes and z.
std::string description_table(const DescribedTerrain& terrain);

/// Several terrains, one column each, and of two how far their z lie from each other.
std::string comparison_table(std::span<const DescribedTerrain> terrains);

}  // namespace thalweg::cli
