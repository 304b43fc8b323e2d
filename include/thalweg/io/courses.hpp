// The history of wandering rivers to GeoPackage and GeoJSON.
#pragma once

#include "thalweg/meander/meander_history.hpp"

#include <filesystem>
#include <string>

namespace thalweg {

/// Writes the layers `history` (lines: year, reach_id, width_m; where rivers part branch_id, -1 for all of
/// the water, and flow_share too), `oxbow` (lines of what was left: course_id,
/// reach_id, year, cause, width_m, length_m) and `event` (points: year, kind, reach_id, course_id), as
/// write_network does (vectors.hpp); a GeoJSON holds `history` alone. Throws as write_network.
///
/// Example:
///     write_courses("courses.gpkg", history, network.crs);
void write_courses(const std::filesystem::path& path, const MeanderHistory& history, const std::string& crs);

}  // namespace thalweg
