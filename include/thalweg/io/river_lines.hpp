// Rivers as lines and springs as points from GeoPackage, GeoJSON and Shapefile.
#pragma once

#include "thalweg/erosion/drawn_river.hpp"
#include "thalweg/river/headwaters.hpp"
#include "thalweg/river/line_network.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace thalweg {

/// Whether the extension is one of a vector file that read_river_lines reads: .gpkg, .geojson, .json, .shp.
bool is_river_file(const std::filesystem::path& path);

/// The lines of a vector file in the order of its layers and features, each part of a multi-line or a
/// collection for itself; points and areas are passed over. Where there is a layer `reach`, as write_network
/// makes it, only that is read. A line is locked where its attribute `locked` is true, or a number other
/// than 0.
///
/// `crs`: WKT of the landscape's coordinate system, empty for a local metre grid, on which coordinates are
/// taken for metres; so are those of GeoJSON, which has no way to say that it has no coordinate system.
/// Throws Error::input when the file can't be read, has no lines, is in degrees, or in another system.
///
/// Example:
///     ErosionInputs with_rivers = inputs;
///     with_rivers.rivers = read_river_lines("rivers.gpkg", inputs.grid.crs);
std::vector<DrawnRiver> read_river_lines(const std::filesystem::path& path, const std::string& crs);

/// The same lines as channels: with the width (m) that an attribute `width_m` or `width` gives, where it
/// does, and with their heights (m) where lines have such.
///
/// Example:
///     const RiverNetwork rivers = network_of_lines(read_channel_lines("rivers.gpkg", ""), 60.0, {},
///     "rivers");
std::vector<RiverLine> read_channel_lines(const std::filesystem::path& path, const std::string& crs);

/// The points of a vector file in the order of its layers and features, each part of a multi-point or a
/// collection for itself; lines and areas are passed over. `crs` and errors as for read_river_lines.
std::vector<Spring> read_springs(const std::filesystem::path& path, const std::string& crs);

}  // namespace thalweg
