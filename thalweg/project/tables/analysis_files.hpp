// Files of terrain analyses: as JSON for programs, as charts for people.
#pragma once

#include "thalweg/flow/terrain_analyses.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace thalweg {

/// Throws Error::input unless the name ends in .json, .png or .svg.
void check_analysis_file(const std::filesystem::path& path);

/// The analysis of that name (slope_area, hack, hypsometry, chi_profiles), or all that there are, `analyses`,
/// as JSON text, indented by two spaces (docs/theory/analyses.md describes every member). What could not be
/// fitted is null; no number is NaN or infinite.
std::string analysis_json(const TerrainAnalyses& analyses, std::string_view name);

/// Writes the same, or its chart as .png or .svg with `title` above, whole or not at all. Equal analyses give
/// equal bytes. Throws as check_analysis_file, and where it can't be written.
void write_analysis(const std::filesystem::path& path, const TerrainAnalyses& analyses, std::string_view name,
                    const std::string& title);

}  // namespace thalweg
