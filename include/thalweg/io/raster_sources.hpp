// The files that a raster is made of, and which of them it may refer to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

class GDALDataset;

namespace thalweg {

/// Lets rasters refer to a file, or to what lies in a folder, as long as the program runs. May be called by
/// any thread.
///
/// Example:
///     allow_raster_sources("/data/tiles");
///     const Field<float> elevation = read_raster("mosaic.vrt");
void allow_raster_sources(const std::filesystem::path& place);

/// Throws Error::input where the VRT at `path`, or one that it refers to, would read anything but regular
/// files in its own folder and below, links followed, or that were allowed. Looks into the file without
/// opening what it names. Does nothing for other formats. `name` stands for the raster in sentences.
void check_vrt_sources(const std::filesystem::path& path, const std::string& name);

/// All files that an open raster is read from: its own, those beside it, and those that it refers to.
std::vector<std::filesystem::path> files_of(GDALDataset& dataset);

/// Throws Error::input as check_vrt_sources does for any format, of what GDAL knows once the raster is open.
void check_files_of(GDALDataset& dataset, const std::filesystem::path& path, const std::string& name);

}  // namespace thalweg
