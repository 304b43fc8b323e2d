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

/// Throws Error::input for a sheet that is neither .png nor .svg.
void check_description_sheet(const std::filesystem::path& sheet);

/// Writes the plots of one to 8 terrains to `sheet` and their numbers to `json`, both or none; an empty name
/// is passed over. Throws as check_description_sheet does, and Error::failure.
void write_descriptions(std::span<const DescribedTerrain> terrains, const std::filesystem::path& sheet,
                        const std::filesystem::path& json);

}  // namespace thalweg
