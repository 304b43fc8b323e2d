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

}  // namespace thalweg
