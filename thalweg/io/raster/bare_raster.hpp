// Rasters of formats that GDAL does not read, shown to it.
#pragma once

#include "thalweg/io/gdal/gdal_session.hpp"
#include "thalweg/io/raster/raster_description.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// Whether the file is called as one of those: .r16 or .exr.
bool is_bare_raster(const std::filesystem::path& path);

/// A raster that is held whole, and what it says of itself.
struct BareRaster {
    std::string driver = {};
    std::vector<std::byte> values = {};  // that the dataset shows
    DatasetPointer dataset = {};
    std::optional<RasterDescription> description = {};
};

/// Reads it. A .r16 without sidecar is square. Throws Error::input where it can't be read.
BareRaster open_bare_raster(const std::filesystem::path& path);

}  // namespace thalweg
