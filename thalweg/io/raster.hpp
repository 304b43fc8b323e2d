// Rasters in and out of files, by GDAL and OpenEXR.
#pragma once

#include "thalweg/grid/field.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// The no-data value written into float GeoTIFFs (conventions.md).
inline constexpr float kNoDataTag = -9999.0F;

/// What a raster file says of itself, read without its values.
struct RasterInfo {
    Grid grid;               // with CRS; a file without georeference gets cell size 1 m and origin (0, 0)
    std::string driver;      // GDAL's short name, for example "GTiff"
    std::string value_type;  // "Int16", "Float32", ...
    std::optional<double> no_data;  // as written in the file
    bool georeferenced = true;
    int bands = 1;
};

/// Reads the header of any raster that GDAL knows. Throws Error::input with one sentence for a missing file,
/// a file that is no raster, rotated or non-square cells, and a CRS in degrees (it says how to reproject with
/// gdalwarp).
RasterInfo read_raster_info(const std::filesystem::path& path);

/// Reads band 1 as metres (its scale and offset applied): no-data cells, NaN and infinities become NaN.
/// Throws Error::input as read_raster_info does, for a truncated file, and when no cell has data.
Field<float> read_raster(const std::filesystem::path& path);

/// How a float layer is stored.
enum class RasterFormat { GeoTiff, Cog, Png16, R16, Exr };

/// Format by extension: .tif/.tiff GeoTiff, .png Png16, .r16 R16, .exr Exr. Throws Error::input for others.
RasterFormat raster_format_of(const std::filesystem::path& path);

/// How values were encoded, for the manifest: metres = stored * scale + offset.
struct RasterEncoding {
    double scale = 1.0;
    double offset = 0.0;
    double minimum = 0.0;  // of the data, in the layer's unit
    double maximum = 0.0;
    std::string stored_type;  // "float32", "uint16", ...
};

/// Writes one layer whole or not at all (written in memory, beside, flushed, renamed). Integers (uint8,
/// int32) and float32 keep their type in GeoTIFF and COG; Png16 and R16 map the data's range to 0..65535
/// (no-data: 0). Throws Error::failure when the file can't be written. Equal values give equal bytes.
RasterEncoding write_raster(const std::filesystem::path& path, const Field<float>& field,
                            RasterFormat format);
RasterEncoding write_raster(const std::filesystem::path& path, const Field<std::int32_t>& field,
                            RasterFormat format);

}  // namespace thalweg
