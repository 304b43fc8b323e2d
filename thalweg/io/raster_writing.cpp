#include "thalweg/core/error.hpp"
#include "thalweg/io/exr.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/memory_dataset.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/tiff.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <type_traits>

#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

namespace thalweg {
namespace {

constexpr double kLargestStored = 65535.0;  // of 16 bits

template <class T>
constexpr const char* kTypeName = nullptr;
template <>
constexpr const char* kTypeName<float> = "float32";
template <>
constexpr const char* kTypeName<std::int32_t> = "int32";
template <>
constexpr const char* kTypeName<std::uint8_t> = "uint8";

/// The type and range of the data; minimum and maximum stay 0 when no cell has data.
template <class T>
RasterEncoding plain_encoding(const Field<T>& field) {
    RasterEncoding encoding;
    encoding.stored_type = kTypeName<T>;
    bool found = false;
    for (const T value : field) {
        const auto number = static_cast<double>(value);
        if (!std::isfinite(number)) continue;
        encoding.minimum = found ? std::min(encoding.minimum, number) : number;
        encoding.maximum = found ? std::max(encoding.maximum, number) : number;
        found = true;
    }
    return encoding;
}

template <class T>
void write_tiff(const std::filesystem::path& path, const Grid& grid, std::span<const T> values,
                RasterFormat format) {
    constexpr bool kIsFloat = std::is_floating_point_v<T>;
    const GdalSession session;
    const DatasetPointer dataset = memory_dataset(values, grid.columns, grid.rows);
    set_place(*dataset, grid);
    if (kIsFloat) dataset->GetRasterBand(1)->SetNoDataValue(static_cast<double>(kNoDataTag));
    write_copy(path, *dataset, format == RasterFormat::Cog ? "COG" : "GTiff", tiff_options(format, kIsFloat));
}

/// Chooses scale and offset of 16-bit values; integers that fit are stored step by step.
template <class T>
RasterEncoding sixteen_bit_encoding(const Field<T>& field) {
    RasterEncoding encoding = plain_encoding(field);
    encoding.stored_type = "uint16";
    const double range = encoding.maximum - encoding.minimum;
    const bool steps_fit = std::is_integral_v<T> && range <= kLargestStored;
    encoding.scale = range > 0.0 && !steps_fit ? range / kLargestStored : 1.0;
    encoding.offset = encoding.minimum;
    return encoding;
}

template <class T>
std::vector<std::uint16_t> to_sixteen_bits(const Field<T>& field, const RasterEncoding& encoding) {
    std::vector<std::uint16_t> stored;
    stored.reserve(static_cast<std::size_t>(field.size()));
    for (const T value : field) {
        const double steps = (static_cast<double>(value) - encoding.offset) / encoding.scale;
        const double bounded = std::clamp(std::round(steps), 0.0, kLargestStored);
        stored.push_back(std::isfinite(steps) ? static_cast<std::uint16_t>(bounded) : 0);
    }
    return stored;
}

void write_png16(const std::filesystem::path& path, const Grid& grid,
                 const std::vector<std::uint16_t>& stored) {
    const DatasetPointer dataset =
        memory_dataset(std::span<const std::uint16_t>(stored), grid.columns, grid.rows);
    write_copy(path, *dataset, "PNG", {});
}

void write_r16(const std::filesystem::path& path, std::vector<std::uint16_t> stored) {
    if constexpr (std::endian::native == std::endian::big)
        for (std::uint16_t& value : stored) value = static_cast<std::uint16_t>(value << 8 | value >> 8);
    write_file_atomically(path, std::as_bytes(std::span(stored)));
}

template <class T>
Field<float> as_floats(const Field<T>& field) {
    Field<float> floats(field.grid());
    std::transform(field.begin(), field.end(), floats.begin(),
                   [](T value) { return static_cast<float>(value); });
    return floats;
}

template <class T>
void write_exr(const std::filesystem::path& path, const Field<T>& field) {
    if constexpr (std::is_floating_point_v<T>) {
        write_file_atomically(path, encode_exr(field, path.string()));
    } else {
        write_file_atomically(path, encode_exr(as_floats(field), path.string()));
    }
}

template <class T>
RasterEncoding write_as_type(const std::filesystem::path& path, const Field<T>& field, RasterFormat format) {
    if constexpr (std::is_floating_point_v<T>) {
        write_tiff<T>(path, field.grid(), with_no_data_tag(field.values()), format);
    } else {
        write_tiff<T>(path, field.grid(), field.values(), format);
    }
    return plain_encoding(field);
}

template <class T>
RasterEncoding write_layer(const std::filesystem::path& path, const Field<T>& field, RasterFormat format) {
    check_grid(field.grid());
    if (format == RasterFormat::GeoTiff || format == RasterFormat::Cog)
        return write_as_type(path, field, format);
    if (format == RasterFormat::Exr) {
        RasterEncoding encoding = plain_encoding(field);
        encoding.stored_type = kTypeName<float>;
        write_exr(path, field);
        return encoding;
    }
    const RasterEncoding encoding = sixteen_bit_encoding(field);
    std::vector<std::uint16_t> stored = to_sixteen_bits(field, encoding);
    if (format == RasterFormat::Png16) {
        write_png16(path, field.grid(), stored);
    } else {
        write_r16(path, std::move(stored));
    }
    return encoding;
}

}  // namespace

RasterFormat raster_format_of(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    if (extension == ".tif" || extension == ".tiff") return RasterFormat::GeoTiff;
    if (extension == ".png") return RasterFormat::Png16;
    if (extension == ".r16") return RasterFormat::R16;
    if (extension == ".exr") return RasterFormat::Exr;
    throw Error::input(
        fmt::format("{} has the extension \"{}\": a layer is written as .tif, .tiff, .png, .r16 or .exr",
                    path.string(), extension));
}

RasterEncoding write_raster(const std::filesystem::path& path, const Field<float>& field,
                            RasterFormat format) {
    return write_layer(path, field, format);
}

RasterEncoding write_raster(const std::filesystem::path& path, const Field<std::int32_t>& field,
                            RasterFormat format) {
    return write_layer(path, field, format);
}

RasterEncoding write_raster(const std::filesystem::path& path, const Field<std::uint8_t>& field,
                            RasterFormat format) {
    return write_layer(path, field, format);
}

}  // namespace thalweg
