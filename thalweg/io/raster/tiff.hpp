// How GeoTIFFs are written.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/io/raster.hpp"

#include <string>
#include <vector>

class GDALDataset;

namespace thalweg {

/// Creation options of GDAL's drivers GTiff and COG.
std::vector<std::string> tiff_options(RasterFormat format, bool is_float);

/// Replaces what has no value by kNoDataTag, and moves real values away from it.
std::vector<float> with_no_data_tag(std::vector<float> values);

/// Sets place, cell size and CRS.
void set_place(GDALDataset& dataset, const Grid& grid);

}  // namespace thalweg
