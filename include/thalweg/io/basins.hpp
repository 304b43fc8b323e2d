// Basins and catchments to GeoPackage and GeoJSON.
#pragma once

#include "thalweg/flow/basin_outlines.hpp"

#include <filesystem>

namespace thalweg {

/// Writes the polygons (of many parts) as one layer: `basin` with basin_id, or `catchment` with catchment_id
/// and the place that was given, pour_x and pour_y (m), and snap_m, how far it was moved, where `basins`
/// have pour points. Both with area_km2, outlet_x, outlet_y, outlet_z, least_m, mean_m and greatest_m of the
/// elevation. Formats, reference systems, time stamps and errors as in vectors.hpp. Whole or not at all;
/// peak memory: the file.
///
/// Example:
///     write_basins("basins.gpkg", outline_basins(flow.tree, elevation, 1e6, progress));
void write_basins(const std::filesystem::path& path, const BasinOutlines& basins);

}  // namespace thalweg
