// Where a GDAL raster lies, checked for what Thalweg can work on: square cells in metres.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <string>

class GDALDataset;

namespace thalweg {

/// The place of a raster; without georeference its south-west corner is (0, 0) and its cells are 1 m.
struct Georeference {
    Grid grid;
    bool georeferenced = true;
};

/// Reads and checks the place. `name` stands for the file in sentences; heights in feet (`drop_heights`)
/// reduce the CRS to its horizontal part. Throws Error::input as read_raster_info says.
Georeference georeference_of(GDALDataset& dataset, const std::string& name, bool drop_heights);

/// Whether a raster without CRS has numbers that only degrees explain: cells of less than 0.1, and all of it
/// within 360 degrees of longitude and 90 of latitude.
bool looks_like_degrees(GDALDataset& dataset);

/// The CRS in metres to reproject a raster to, as "EPSG:code": the UTM zone (beyond 84 N and 80 S, UPS) on
/// WGS 84 of its centre, where its coordinates are in degrees (also by their looks) or another unit. Empty
/// where they are metres, or where the place of the centre can't be found.
std::string metric_crs_of(GDALDataset& dataset);

}  // namespace thalweg
