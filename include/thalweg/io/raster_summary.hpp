// What a raster holds, of however many cells.
#pragma once

#include "thalweg/grid/summary.hpp"
#include "thalweg/io/raster.hpp"

#include <filesystem>

namespace thalweg {

/// summary_of(read_raster(path, hints)), part by part where the format has parts, for a small file may hold
/// more cells than memory does; means differ in rounding. Throws Error::input as read_raster.
///
/// Example:
///     const double highest = raster_summary("dem.tif", {.no_data = -32768.0}).maximum;  // m
FieldSummary raster_summary(const std::filesystem::path& path, const RasterHints& hints);

}  // namespace thalweg
