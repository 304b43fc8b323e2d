// Terrains described in numbers, as JSON.
#pragma once

#include "thalweg/render/description_sheet.hpp"

#include <span>
#include <string>

namespace thalweg {

/// Every statistic of the terrains with its unit, meaning, natural range and z, and their curves, indented by
/// two spaces; the same text for the same numbers. docs/describe-json.md describes every member.
///
/// Example:
///     #include "thalweg/render/description_sheet.hpp"
///     const std::vector<DescribedTerrain> terrains = {{"valley", describe_terrain(elevation, progress)}};
///     std::puts(descriptions_json(terrains).c_str());
std::string descriptions_json(std::span<const DescribedTerrain> terrains);

}  // namespace thalweg
