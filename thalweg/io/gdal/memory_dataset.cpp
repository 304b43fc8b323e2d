#include "thalweg/io/gdal/memory_dataset.hpp"

#include "thalweg/core/error.hpp"

#include <array>
#include <cassert>
#include <cstdint>

#include <cpl_conv.h>
#include <cpl_string.h>
#include <fmt/format.h>
#include <gdal_priv.h>

namespace thalweg {
namespace {

template <class T>
constexpr GDALDataType kValueType = GDT_Unknown;
template <>
constexpr GDALDataType kValueType<std::uint8_t> = GDT_Byte;
template <>
constexpr GDALDataType kValueType<std::uint16_t> = GDT_UInt16;
template <>
constexpr GDALDataType kValueType<std::int32_t> = GDT_Int32;
template <>
constexpr GDALDataType kValueType<float> = GDT_Float32;

/// An address in the notation of GDAL's MEM driver.
std::string address_text(const void* address) {
    std::array<char, 64> text{};
    const int length =
        CPLPrintPointer(text.data(), const_cast<void*>(address), static_cast<int>(text.size()) - 1);
    return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

template <class T>
DatasetPointer memory_dataset(std::span<const T> values, int columns, int rows, int bands) {
    assert(values.size() == static_cast<std::size_t>(columns) * rows * bands);
    const GdalSession session;
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("MEM");
    DatasetPointer dataset(driver != nullptr ? driver->Create("", columns, rows, 0, kValueType<T>, nullptr)
                                             : nullptr);
    const std::size_t pixel_bytes = sizeof(T) * bands;
    for (int band = 0; band < bands && dataset != nullptr; ++band) {
        CPLStringList place;
        place.SetNameValue("DATAPOINTER", address_text(values.data() + band).c_str());
        place.SetNameValue("PIXELOFFSET", std::to_string(pixel_bytes).c_str());
        place.SetNameValue("LINEOFFSET", std::to_string(pixel_bytes * columns).c_str());
        if (dataset->AddBand(kValueType<T>, place.List()) != CE_None) dataset.reset();
    }
    if (dataset == nullptr)
        throw Error::failure(
            fmt::format("GDAL can't show {} x {} values in memory: {}", columns, rows, session.failure()));
    return dataset;
}

template DatasetPointer memory_dataset(std::span<const std::uint8_t>, int, int, int);
template DatasetPointer memory_dataset(std::span<const std::uint16_t>, int, int, int);
template DatasetPointer memory_dataset(std::span<const std::int32_t>, int, int, int);
template DatasetPointer memory_dataset(std::span<const float>, int, int, int);

}  // namespace thalweg
