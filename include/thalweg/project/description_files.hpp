// Terrains described in numbers, as files.
#pragma once

#include "thalweg/render/description_sheet.hpp"

#include <filesystem>
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

/// Writes the plots of one to 8 terrains to `sheet` and their numbers to `json`, both or none; an empty name
/// is passed over. Throws as check_sheet does (sheet_files.hpp), and Error::failure.
void write_descriptions(std::span<const DescribedTerrain> terrains, const std::filesystem::path& sheet,
                        const std::filesystem::path& json);

}  // namespace thalweg
