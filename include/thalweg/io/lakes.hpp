// Lakes to GeoPackage and GeoJSON.
#pragma once

#include "thalweg/flow/lake_outlines.hpp"

#include <filesystem>

namespace thalweg {

/// Writes layer `lake` (polygons of many parts) with the attributes lake_id, area_m2, depth_m, volume_m3,
/// level_m, outlet_x and outlet_y (m; null where the lake is not full), inflow_m3 (null where it is
/// infinite). Formats, reference systems, time stamps and errors as in vectors.hpp. Whole or not at all;
/// peak memory: the file.
///
/// Example:
///     if (flow.lakes) write_lakes("lakes.geojson", outline(*flow.lakes, progress));
void write_lakes(const std::filesystem::path& path, const LakeOutlines& lakes);

}  // namespace thalweg
