// River networks to GeoPackage and GeoJSON.
#pragma once

#include "thalweg/river/network.hpp"

#include <filesystem>

namespace thalweg {

/// How a river network is stored.
enum class NetworkFormat { GeoPackage, GeoJson };

/// Format by extension: .gpkg GeoPackage, .geojson/.json GeoJson. Throws Error::input for others.
NetworkFormat network_format_of(const std::filesystem::path& path);

/// Writes layers `reach` (3-D lines) and `node` (3-D points) with the attributes of conventions: reach_id,
/// next_down, from_node, to_node, strahler, length_km, upland_km2, discharge_m3s, slope, width_m, depth_m,
/// velocity_ms, sinuosity. By extension: .gpkg (both layers) or .geojson/.json (the reaches, in the network's
/// own CRS; RFC 7946 has no other than WGS 84, so the old "crs" member is written where the CRS has an EPSG
/// code). Whole or not at all; equal networks, equal bytes. Throws Error::input for another extension,
/// Error::failure when the file can't be written. In a GeoPackage a network without CRS has the reference
/// system -1, "undefined Cartesian", and all time stamps are fixed to the year 2000. Peak memory: the file.
void write_network(const std::filesystem::path& path, const RiverNetwork& network);

/// Reads back what write_network wrote to a GeoPackage. Throws Error::input when a layer or attribute is
/// missing, or the file is truncated. Lengths and areas pass through kilometres, which may cost their last
/// bit.
RiverNetwork read_network(const std::filesystem::path& path);

}  // namespace thalweg
