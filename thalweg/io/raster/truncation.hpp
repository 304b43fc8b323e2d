// Files that end before their values do, where GDAL's drivers do not notice.
#pragma once

#include <filesystem>
#include <string>

class GDALDataset;

namespace thalweg {

/// Throws Error::input where an open raster of the formats ENVI, PCRaster or classic netCDF ends before its
/// last value: their drivers take such values for 0. Looks at the file's size and its header alone.
void check_not_truncated(GDALDataset& dataset, const std::filesystem::path& path, const std::string& name);

}  // namespace thalweg
