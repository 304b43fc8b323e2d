// A raster file that is open for reading, and how its numbers become metres.
#pragma once

#include "thalweg/io/gdal/gdal_session.hpp"
#include "thalweg/io/raster.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <cpl_conv.h>

class GDALRasterBand;

namespace thalweg {

/// A raster that is open, and what it says of itself.
struct OpenRaster {
    std::string name;               // in sentences
    std::vector<std::byte> values;  // of a bare raster, that the dataset shows
    DatasetPointer dataset;
    GDALRasterBand* band = nullptr;
    double scale = 1.0;  // m = stored * scale + offset
    double offset = 0.0;
    std::optional<double> hidden = {};  // a stored number that stands for no data and that GDAL does not know
    RasterInfo info;
};

/// Throws Error::input unless there is a file.
void check_is_file(const std::filesystem::path& path);

/// Opens what GDAL knows as `gdal_name` by a driver of elevation; `name` stands for it in sentences. Nothing
/// where no driver takes it. Throws Error::input where it refers to files that it may not
/// (raster_sources.hpp).
DatasetPointer open_dataset(const std::string& gdal_name, const std::string& name);

/// Opens what GDAL knows as `gdal_name`; `name` stands for it in sentences. Throws as read_raster_info.
/// Of a file called as a bare raster (bare_raster.hpp), `gdal_name` is its path.
OpenRaster open_raster(const std::string& gdal_name, const std::string& name, const GdalSession& session,
                       const RasterHints& hints = {});

/// Throws Error::input for numbers that only a range makes heights of, where none was given.
void check_heights(const OpenRaster& raster);

/// A rectangle of cells as a file stores them, by rows.
struct StoredCells {
    int first_column = 0;
    int first_row = 0;
    int columns = 0;
    int rows = 0;
    std::vector<double> numbers = {};
    std::vector<std::uint8_t> valid = {};  // 0 where the file, or a hint, says that there is no data
};

/// Fills `cells` from the file. Throws Error::input where it ends before.
void read_stored(const OpenRaster& raster, GdalSession& session, StoredCells& cells);

/// Metres of stored numbers; NaN for no data and absurd magnitudes. Throws Error::input for infinity.
void to_metres(const OpenRaster& raster, const StoredCells& cells, float* metres);

/// Errors of GDAL's own threads would reach the screen: reading stays on this one.
class ReadingOptions {
    CPLConfigOptionSetter no_threads_{"GDAL_NUM_THREADS", "1", false};
};

}  // namespace thalweg
