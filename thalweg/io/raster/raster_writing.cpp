#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/gdal/memory_dataset.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/raster/exr.hpp"
#include "thalweg/io/raster/raster_description.hpp"
#include "thalweg/io/raster/tiff.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

namespace thalweg {
namespace {

constexpr double kLargestStored = 65535.0;  // of 16 bits
constexpr const char* kFloat = "float32";

/// The type and range of the data.
RasterEncoding plain_encoding(const Field<float>& field, const char* stored_type) {
    const LayerRange range = range_of(field);
    return {.minimum = range.minimum, .maximum = range.maximum, .stored_type = stored_type, .no_data = {}};
}

template <class T>
void write_tiff(const std::filesystem::path& path, const Grid& grid, std::span<const T> values,
                RasterFormat format) {
    constexpr bool kIsFloat = std::is_floating_point_v<T>;
    const GdalSession session;
    const DatasetPointer dataset = memory_dataset(values, grid.columns, grid.rows);
    set_place(*dataset, grid);
    dataset->GetRasterBand(1)->SetNoDataValue(static_cast<double>(kNoDataTag));
    const std::vector<std::string> options = tiff_options(format, kIsFloat);
    if (format == RasterFormat::Cog) return write_copy(path, *dataset, "COG", options);
    write_band(path, *dataset, "GTiff", options);
}

std::vector<std::int32_t> whole_numbers(const Field<float>& field) {
    std::vector<std::int32_t> numbers;
    numbers.reserve(static_cast<std::size_t>(field.size()));
    for_each_polled(field, [&](float value) {
        numbers.push_back(static_cast<std::int32_t>(std::lround(std::isfinite(value) ? value : kNoDataTag)));
    });
    return numbers;
}

std::vector<std::uint16_t> to_sixteen_bits(const Field<float>& field, const RasterEncoding& encoding) {
    const double lowest = encoding.no_data ? 1.0 : 0.0;
    std::vector<std::uint16_t> stored;
    stored.reserve(static_cast<std::size_t>(field.size()));
    for_each_polled(field, [&](float value) {
        const double steps = (static_cast<double>(value) - encoding.offset) / encoding.scale;
        const double bounded = std::clamp(std::round(steps), lowest, kLargestStored);
        stored.push_back(std::isfinite(steps) ? static_cast<std::uint16_t>(bounded) : 0);
    });
    return stored;
}

void write_png16(const std::filesystem::path& path, const Grid& grid,
                 const std::vector<std::uint16_t>& stored, const RasterStorage& storage,
                 const RasterEncoding& encoding) {
    const DatasetPointer dataset =
        memory_dataset(std::span<const std::uint16_t>(stored), grid.columns, grid.rows);
    for (const auto& [name, text] : description_texts(grid, storage, encoding))
        dataset->SetMetadataItem(name.c_str(), text.c_str());
    write_copy(path, *dataset, "PNG", {"WRITE_METADATA_AS_TEXT=YES"});
}

void write_r16(const std::filesystem::path& path, std::vector<std::uint16_t> stored) {
    if constexpr (std::endian::native == std::endian::big)
        for (std::uint16_t& value : stored) value = static_cast<std::uint16_t>(value << 8 | value >> 8);
    write_file_atomically(path, std::as_bytes(std::span(stored)));
}

/// A layer in a format that holds floats, or 16 bits.
RasterEncoding write_without_gis(const std::filesystem::path& path, const Field<float>& field,
                                 RasterFormat format, const RasterStorage& storage) {
    if (format == RasterFormat::Exr) {
        const RasterEncoding encoding = plain_encoding(field, kFloat);
        write_file_atomically(
            path, encode_exr(field, description_texts(field.grid(), storage, encoding), path.string()));
        return encoding;
    }
    const LayerRange range = range_of(field);
    RasterEncoding encoding = storage.encoding.value_or(sixteen_bit_encoding(range, storage.whole_numbers));
    encoding.minimum = range.minimum;
    encoding.maximum = range.maximum;
    std::vector<std::uint16_t> stored = to_sixteen_bits(field, encoding);
    if (format == RasterFormat::Png16) {
        write_png16(path, field.grid(), stored, storage, encoding);
    } else {
        write_r16(path, std::move(stored));
    }
    return encoding;
}

}  // namespace

void LayerRange::add(double value) {
    if (!std::isfinite(value)) {
        has_gaps = true;
        return;
    }
    minimum = has_data ? std::min(minimum, value) : value;
    maximum = has_data ? std::max(maximum, value) : value;
    has_data = true;
}

void LayerRange::add(const LayerRange& other) {
    has_gaps = has_gaps || other.has_gaps;
    if (!other.has_data) return;
    add(other.minimum);
    add(other.maximum);
}

LayerRange range_of(const Field<float>& field) {
    LayerRange range;
    for_each_polled(field, [&](float value) { range.add(static_cast<double>(value)); });
    return range;
}

RasterEncoding sixteen_bit_encoding(const LayerRange& range, bool whole_numbers) {
    RasterEncoding encoding{
        .minimum = range.minimum, .maximum = range.maximum, .stored_type = "uint16", .no_data = {}};
    const double lowest = range.has_gaps ? 1.0 : 0.0;
    const double steps = kLargestStored - lowest;
    const double span = range.maximum - range.minimum;
    const bool steps_fit = whole_numbers && span <= steps;
    encoding.scale = span > 0.0 && !steps_fit ? span / steps : 1.0;
    encoding.offset = range.minimum - lowest * encoding.scale;
    if (range.has_gaps) encoding.no_data = 0.0;
    return encoding;
}

RasterFormat raster_format_of(const std::filesystem::path& path) {
    const std::string extension = lower_case_extension(path);
    if (extension == ".tif" || extension == ".tiff") return RasterFormat::GeoTiff;
    if (extension == ".png") return RasterFormat::Png16;
    if (extension == ".r16") return RasterFormat::R16;
    if (extension == ".exr") return RasterFormat::Exr;
    throw Error::input(
        fmt::format("{} has the extension \"{}\": a layer is written as .tif, .tiff, .png, .r16 or .exr",
                    path.string(), extension));
}

RasterEncoding write_raster(const std::filesystem::path& path, const Field<float>& field, RasterFormat format,
                            const RasterStorage& storage) {
    check_grid(field.grid());
    if (format != RasterFormat::GeoTiff && format != RasterFormat::Cog)
        return write_without_gis(path, field, format, storage);
    RasterEncoding encoding = plain_encoding(field, storage.whole_numbers ? "int32" : kFloat);
    encoding.no_data = static_cast<double>(kNoDataTag);
    if (storage.whole_numbers) {
        write_tiff<std::int32_t>(path, field.grid(), whole_numbers(field), format);
    } else {
        write_tiff<float>(path, field.grid(), with_no_data_tag(polled_copy(field.values())), format);
    }
    return encoding;
}

}  // namespace thalweg
