// Rasters in and out of files, by GDAL and OpenEXR.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
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

/// Reads the header of any raster in a format of elevation (gdal_drivers.hpp). It may refer to files in its
/// own folder and to those that were allowed (raster_sources.hpp). Rows run south and columns east, cells are
/// square to one part in a thousand, and coordinates are metres; a CRS whose heights are in feet is reduced
/// to its horizontal part, since values are read as metres. Throws Error::input with one sentence for a
/// missing file, a folder, a file that is no raster, no or complex bands, rotated or non-square cells, more
/// than kMaximumCells, and a CRS in degrees or feet (it says how to reproject with gdalwarp).
RasterInfo read_raster_info(const std::filesystem::path& path);

/// Reads band 1 as metres (its scale and offset applied, heights in feet converted): masked and no-data
/// cells, NaN, and finite magnitudes of 1e38 and more become NaN. Throws Error::input as read_raster_info
/// does, for a truncated file, infinite values, and when no cell has data. 12 bytes a cell at most beside the
/// result for tiled files; on the calling thread alone.
Field<float> read_raster(const std::filesystem::path& path);

/// A raster's values, and what was decided for the user in reading them.
struct NotedRaster {
    Field<float> values;
    std::vector<std::string> notes;  // sentences that begin with the file's name
};

/// Reads as read_raster does, and notes which of several bands was read, how many cells hold NaN without the
/// file's saying that NaN is its no-data value, and metres that may be degrees.
NotedRaster read_noted_raster(const std::filesystem::path& path);

/// The same as read_raster from a file's bytes in memory; `name` stands for the file in sentences. A few
/// bytes can claim many cells: those of more than `most_cells` are refused before memory is taken.
Field<float> decode_raster(std::span<const std::byte> bytes, const std::string& name,
                           std::int64_t most_cells = kMaximumCells);

/// How a float layer is stored.
enum class RasterFormat { GeoTiff, Cog, Png16, R16, Exr };

/// Format by extension: .tif/.tiff GeoTiff, .png Png16, .r16 R16, .exr Exr. Throws Error::input for others.
RasterFormat raster_format_of(const std::filesystem::path& path);

/// How values were encoded, for the manifest: metres = stored * scale + offset.
struct RasterEncoding {
    double scale = 1.0;
    double offset = 0.0;
    double minimum = 0.0;  // of the data, in the layer's unit; 0 when no cell has data
    double maximum = 0.0;
    std::string stored_type;  // "float32", "uint16", ...
};

/// Writes one layer whole or not at all (encoded in memory, written beside, flushed, renamed).
///   GeoTiff, Cog  the type of the field, tiled, ZSTD (DEFLATE where GDAL lacks it), predictor 3 for floats
///   and 2
///                 for integers, CRS and place; no-data of floats is kNoDataTag, and a value within 5 mm of
///                 the tag is moved 1 cm away from it
///   Png16, R16    the data's range mapped to 0..65535 (integers whose range fits: steps of 1),
///   little-endian,
///                 without place; no-data is 0, the same as the minimum
///   Exr           one float channel "Y" in the layer's unit, without place; no-data is NaN
/// Infinities count as no-data except in Exr. Peak memory: 4 bytes a cell and the encoded file beside the
/// field. Equal values give equal bytes on any number of threads. Throws Error::failure when the file can't
/// be written.
RasterEncoding write_raster(const std::filesystem::path& path, const Field<float>& field,
                            RasterFormat format);
RasterEncoding write_raster(const std::filesystem::path& path, const Field<std::int32_t>& field,
                            RasterFormat format);
RasterEncoding write_raster(const std::filesystem::path& path, const Field<std::uint8_t>& field,
                            RasterFormat format);

}  // namespace thalweg
