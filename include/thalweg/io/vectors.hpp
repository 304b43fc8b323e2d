// River networks to GeoPackage and GeoJSON.
#pragma once

#include "thalweg/river/network.hpp"
#include "thalweg/river/network_checks.hpp"

#include <filesystem>
#include <vector>

namespace thalweg {

/// How a river network is stored.
enum class NetworkFormat { GeoPackage, GeoJson };

/// Format by extension: .gpkg GeoPackage, .geojson/.json GeoJson. Throws Error::input for others.
NetworkFormat network_format_of(const std::filesystem::path& path);

/// Writes layers `reach` (3-D lines) and `node` (3-D points) with the attributes reach_id, next_down,
/// from_node, to_node, strahler, length_km, upland_km2, discharge_m3s (mean flow), slope, width_m, depth_m,
/// velocity_ms (all three at bankfull), sinuosity, stream_power_m, ksn, drawn (0 or 1), bankfull_m3s,
/// children (the last four may be absent where read), and type, as Reach::type, where that of any reach is
/// known; node_id, kind. A GeoPackage has a layer `branch` (3-D
/// lines: branch_id, reach_id, flow_share, and width_m, depth_m and discharge_m3s in the middle) too where
/// reaches run in several channels, which read_network does not read. Whole or not at all; equal networks,
/// equal bytes. Peak memory: the file. By extension:
///
///   .gpkg            both layers; a network without CRS gets the reference system -1, "undefined Cartesian";
///                    all time stamps are fixed to the year 2000
///   .geojson, .json  the reaches to 1 mm, in the network's own CRS: RFC 7946 knows only WGS 84, so the older
///                    "crs" member is written. It is null where the CRS has no EPSG code, which GDAL takes
///                    for WGS 84 all the same: local grids are better off in a GeoPackage
///
/// Throws Error::input for another extension, Error::failure when the file can't be written.
void write_network(const std::filesystem::path& path, const RiverNetwork& network);

/// Writes what the network carries at the points of its lines as 3-D points with the attributes reach_id,
/// point (its number in the line, from 0), z, width_m, depth_m and discharge_m3s. A .gpkg is the network as
/// write_network writes it, with these points as a third layer, `reach_point`, three to five times as large;
/// .geojson, .json and .csv are the points alone (point_table.hpp). Reaches without values have no points;
/// ids beyond 2^53 lose their last digits. Throws as check_point_file does, and as write_network.
void write_network_points(const std::filesystem::path& path, const RiverNetwork& network);

/// Reads back what write_network wrote: the same network to the bit from a GeoPackage, with the values of
/// its points where there is a layer `reach_point` (whose places are not looked at: the lines tell them); to
/// 1 mm in place from a GeoJSON, which has its nodes in the ends of its lines (nodes_at_ends of
/// river/network_checks.hpp) and no CRS where that had no EPSG code. Lengths and areas pass through
/// kilometres: those that no file can hold move by their last bit. Read and written again, a file keeps its
/// bytes.
///
/// In older files, without bankfull_m3s, discharge_m3s is the bankfull discharge, and the mean flow is not
/// known. Reaches in another order, as other programs may leave them, are put upstream before downstream.
/// Throws Error::input when a layer, attribute or value is missing, the file is truncated, or its network
/// breaks a rule of check_network for that profile.
///
/// Example:
///     write_network("rivers.gpkg", network);
///     const bool is_the_same = read_network("rivers.gpkg") == network;
RiverNetwork read_network(const std::filesystem::path& path,
                          NetworkProfile profile = NetworkProfile::DownhillForest);

/// Whether a file is a network, sound or not: its reaches have ids, which lines of other programs have not.
/// False where it can't be opened.
bool is_network_file(const std::filesystem::path& path);

/// A network as it was at a time.
struct NetworkAtTime {
    double time = 0.0;
    const RiverNetwork* network = nullptr;  // not null
};

/// Writes the reaches of all times as one layer `history`, with the attributes of `reach` and their `time`,
/// as write_network does: programs that show lines by time play them. Networks of one CRS. Throws as
/// write_network.
void write_network_history(const std::filesystem::path& path, const std::vector<NetworkAtTime>& networks);

}  // namespace thalweg
