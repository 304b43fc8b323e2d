// Rasters that are not in square metres, shown as if they were.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace thalweg {

/// Makes a view of a raster that GDAL reads as one in square cells of metres, with rows that run south: files
/// in the empty folder `folder`, of a few kB, which name `raster` and hold none of its values. Coordinates in
/// degrees or feet become those of the raster's UTM zone (beyond 84 N and 80 S, of UPS); turned rows and
/// oblong cells are straightened in the raster's own CRS. Cells keep about their size, values come by cubic
/// convolution (R. G. Keys 1981), and what the raster does not cover is no-data. A raster without CRS whose
/// numbers can only be degrees is taken to be in WGS 84.
struct RasterInMetres {
    std::filesystem::path path;  // of the view
    std::string note;            // what was done, as a sentence that begins with the raster's name
};

/// The view of `raster`, for which `no_data`, where given, stands for no data beside what it says itself.
/// Nothing for a raster that read_raster takes as it is, and for what is no raster, which read_raster
/// refuses. Throws Error::input where GDAL can't reproject it.
///
/// Example:
///     const std::filesystem::path degrees = "srtm.tif";
///     const std::optional<RasterInMetres> view = raster_in_metres(degrees, "an-empty-folder");
///     const Field<float> elevation = read_raster(view ? view->path : degrees);
std::optional<RasterInMetres> raster_in_metres(const std::filesystem::path& raster,
                                               const std::filesystem::path& folder,
                                               std::optional<double> no_data = {});

}  // namespace thalweg
