// Rasters in and out of files, by GDAL and OpenEXR.
#pragma once

#include "thalweg/grid/field.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thalweg {

/// The no-data value written into GeoTIFFs.
inline constexpr float kNoDataTag = -9999.0F;

/// What a raster file says of itself, read without its values.
struct RasterInfo {
    Grid grid;               // with CRS; a file without georeference gets cell size 1 m and origin (0, 0)
    std::string driver;      // GDAL's short name, for example "GTiff"
    std::string value_type;  // "Int16", "Float32", ...
    std::optional<double> no_data;  // as written in the file
    bool georeferenced = true;
    int bands = 1;
    bool is_scaled = false;  // whether it is known what its numbers are in the layer's unit
};

/// What a file does not say of itself.
struct RasterHints {
    // m, of the numbers 0 and 65535 (255 for 8 bits)
    std::optional<std::array<double, 2>> height_range = {};
    std::optional<double> cell_size = {};  // m, where the file has no place
    std::optional<double> no_data = {};    // a number, as it is stored, that stands for no data
};

/// Reads the header of any raster that GDAL reads and that can hold elevation (GeoTIFF, VRT, ERDAS, ESRI and
/// GRASS grids, and others). It may refer to files in its own folder and to those that were allowed
/// (raster_sources.hpp). Rows run south and columns east, cells are square to one part in a thousand, and
/// coordinates are metres; a CRS whose heights are in feet is reduced to its horizontal part, since values
/// are read as metres.
///
/// Files called .r16 and .exr are read too, and 16-bit PNG as what it was written from: place and scale come
/// from the file itself, or for .r16, and a PNG that says nothing, from sidecar_of(path). Without one a .r16
/// is square, and refused unless the hints give its range. Hints that the file contradicts are refused.
///
/// Throws Error::input with one sentence for a missing file, a folder, a file that is no raster, no or
/// complex bands, rotated or non-square cells, more than kMaximumCells, and a CRS in degrees or feet (it
/// says how to reproject with gdalwarp).
RasterInfo read_raster_info(const std::filesystem::path& path, const RasterHints& hints = {});

/// All files that a raster is read from: its own, those beside it, and those that it refers to, also by way
/// of others. Of what is no raster, the file alone. Never throws.
std::vector<std::filesystem::path> files_of_raster(const std::filesystem::path& path);

/// Reads band 1 as metres (its scale and offset applied, heights in feet converted): masked and no-data
/// cells, NaN, and finite magnitudes of 1e38 and more become NaN. Throws Error::input as read_raster_info
/// does, for a truncated file, infinite values, and when no cell has data. 12 bytes a cell at most beside the
/// result for tiled files; on the calling thread alone.
Field<float> read_raster(const std::filesystem::path& path, const RasterHints& hints = {});

/// A raster's values, and what was decided for the user in reading them.
struct NotedRaster {
    Field<float> values;
    std::vector<std::string> notes;  // sentences that begin with the file's name
    RasterInfo info = {};
};

/// Reads as read_raster does, and notes which of several bands was read, how many cells hold NaN without the
/// file's saying that NaN is its no-data value, or a number that usually stands for no data, and metres that
/// may be degrees.
NotedRaster read_noted_raster(const std::filesystem::path& path, const RasterHints& hints = {});

/// The same as read_raster from a file's bytes in memory; `name` stands for the file in sentences. A few
/// bytes can claim many cells: those of more than `most_cells` are refused before memory is taken.
Field<float> decode_raster(std::span<const std::byte> bytes, const std::string& name,
                           std::int64_t most_cells = kMaximumCells);

/// How a float layer is stored.
enum class RasterFormat { GeoTiff, Cog, Png16, R16, Exr };

/// Format by extension: .tif/.tiff GeoTiff, .png Png16, .r16 R16, .exr Exr. Throws Error::input for others.
RasterFormat raster_format_of(const std::filesystem::path& path);

/// How values were encoded, for the manifest: value = stored * scale + offset.
struct RasterEncoding {
    double scale = 1.0;
    double offset = 0.0;
    double minimum = 0.0;  // of the data, in the layer's unit; 0 when no cell has data
    double maximum = 0.0;
    std::string stored_type;  // "float32", "uint16", ...
    std::optional<double>
        no_data;  // what is stored where there is none; nothing where that is NaN or nowhere
};

/// The values that 16 bits shall hold.
struct LayerRange {
    double minimum = 0.0;
    double maximum = 0.0;
    bool has_data = false;
    bool has_gaps = false;  // whether some cell has no data

    void add(double value);
    void add(const LayerRange& other);
};

/// Of the cells with data. O(cells).
LayerRange range_of(const Field<float>& field);

/// How 16 bits hold such values: 0 to 65535 span the range, and 0 stands for no data where there are gaps.
/// Whole numbers whose range fits are stored in steps of 1.
RasterEncoding sixteen_bit_encoding(const LayerRange& range, bool whole_numbers = false);

/// Whether values are stored in 16 bits, with a scale and an offset.
inline bool is_sixteen_bit(RasterFormat format) {
    return format == RasterFormat::Png16 || format == RasterFormat::R16;
}

/// What a layer is, and how it is stored beside its format.
struct RasterStorage {
    std::string layer = {};
    std::string unit = {};
    bool whole_numbers = false;                   // stored as such; no data of GeoTIFFs is kNoDataTag
    std::optional<RasterEncoding> encoding = {};  // of 16 bits; nothing: by the field's own range
};

/// Writes one layer whole or not at all (encoded in memory, written beside, flushed, renamed).
///
///   GeoTiff, Cog  float32 (int32 for whole numbers), tiled, ZSTD (DEFLATE where GDAL lacks it),
///                 predictor 3 for floats and 2 for integers, CRS and place; no-data is kNoDataTag, and a
///                 value within 5 mm of the tag is moved 1 cm away from it
///   Png16, R16    by sixteen_bit_encoding, R16 little-endian; a PNG says all that a sidecar says in its
///                 texts
///   Exr           one float channel "Y" in the layer's unit, with its place as attributes; no-data is NaN
///
/// Infinities count as no-data except in Exr. Peak memory: 4 bytes a cell and the encoded file beside the
/// field. Equal values give equal bytes on any number of threads. Throws Error::failure when the file can't
/// be written.
///
/// Example:
///     const Field<float> elevation = read_raster("dem.tif");
///     write_raster("dem.exr", elevation, RasterFormat::Exr, {.layer = "elevation", .unit = "m"});
RasterEncoding write_raster(const std::filesystem::path& path, const Field<float>& field, RasterFormat format,
                            const RasterStorage& storage = {});

/// Where the sidecar of a raster stands: a JSON file that tells its place, scale and offset.
std::filesystem::path sidecar_of(const std::filesystem::path& raster);

/// Writes the sidecar of the raster `name` to `path`, whole or not at all. Throws as write_file_atomically.
void write_sidecar(const std::filesystem::path& path, const std::string& name, const Grid& grid,
                   const RasterStorage& storage, const RasterEncoding& encoding);

}  // namespace thalweg
