// Values in memory, shown to GDAL as a raster.
#pragma once

#include "thalweg/io/gdal/gdal_session.hpp"

#include <span>

namespace thalweg {

/// A GDAL raster over `values` (rows from the top, `bands` values a pixel) without a copy: they must outlive
/// it. T is std::uint8_t, std::uint16_t, std::int32_t or float. Throws Error::failure.
template <class T>
DatasetPointer memory_dataset(std::span<const T> values, int columns, int rows, int bands = 1);

}  // namespace thalweg
