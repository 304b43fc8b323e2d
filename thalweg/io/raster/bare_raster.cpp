#include "thalweg/io/raster/bare_raster.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/gdal/memory_dataset.hpp"
#include "thalweg/io/raster/exr.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <gdal_priv.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

template <class T>
DatasetPointer dataset_over(const std::vector<std::byte>& values, int columns, int rows) {
    const auto* first = reinterpret_cast<const T*>(values.data());
    return memory_dataset(std::span(first, values.size() / sizeof(T)), columns, rows);
}

BareRaster open_exr(const fs::path& path) {
    const ExrChannel channel = read_exr(path);
    BareRaster raster{.driver = "EXR"};
    const auto bytes = std::as_bytes(std::span(channel.values));
    raster.values.assign(bytes.begin(), bytes.end());
    raster.dataset = dataset_over<float>(raster.values, channel.columns, channel.rows);
    raster.dataset->GetRasterBand(1)->SetNoDataValue(std::numeric_limits<double>::quiet_NaN());
    raster.description = description_of(
        [&](const char* name) {
            const auto text = channel.texts.find(name);
            return text == channel.texts.end() ? std::nullopt : std::optional(text->second);
        },
        path.string());
    return raster;
}

std::vector<std::byte> bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes(fs::file_size(path));
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        throw Error::input(fmt::format("{} can't be read to its end", path.string()));
    return bytes;
}

/// Columns and rows of a .r16 of so many numbers.
std::pair<int, int> size_of(const fs::path& path, std::uintmax_t numbers,
                            const std::optional<RasterDescription>& description) {
    if (description && description->columns && description->rows) {
        const std::int64_t said = std::int64_t{*description->columns} * *description->rows;
        if (static_cast<std::uintmax_t>(said) == numbers) return {*description->columns, *description->rows};
        throw Error::input(fmt::format("{} holds {} numbers of 16 bits, and {} says {} x {}", path.string(),
                                       numbers, sidecar_of(path).string(), *description->columns,
                                       *description->rows));
    }
    const auto side = static_cast<std::uintmax_t>(std::llround(std::sqrt(static_cast<double>(numbers))));
    if (side * side != numbers || numbers == 0 || numbers > static_cast<std::uintmax_t>(kMaximumCells))
        throw Error::input(
            fmt::format("{} holds {} numbers of 16 bits, which fill no square: give {} with its "
                        "columns, rows, scale and offset",
                        path.string(), numbers, sidecar_of(path).string()));
    return {static_cast<int>(side), static_cast<int>(side)};
}

BareRaster open_r16(const fs::path& path) {
    BareRaster raster{.driver = "R16"};
    raster.description = read_sidecar(path);
    const std::uintmax_t size = fs::file_size(path);
    if (size % sizeof(std::uint16_t) != 0)
        throw Error::input(fmt::format("{} holds {} bytes: give an even count, for numbers of 16 bits",
                                       path.string(), size));
    const auto [columns, rows] = size_of(path, size / sizeof(std::uint16_t), raster.description);
    raster.values = bytes_of(path);
    if (raster.values.size() != size) throw Error::input(path.string() + " changed while it was read");
    if constexpr (std::endian::native == std::endian::big)
        for (std::size_t i = 0; i + 1 < raster.values.size(); i += 2)
            std::swap(raster.values[i], raster.values[i + 1]);
    raster.dataset = dataset_over<std::uint16_t>(raster.values, columns, rows);
    return raster;
}

}  // namespace

bool is_bare_raster(const fs::path& path) {
    try {
        const RasterFormat format = raster_format_of(path);
        return format == RasterFormat::R16 || format == RasterFormat::Exr;
    } catch (const Error&) {
        return false;
    }
}

BareRaster open_bare_raster(const fs::path& path) {
    return raster_format_of(path) == RasterFormat::Exr ? open_exr(path) : open_r16(path);
}

}  // namespace thalweg
