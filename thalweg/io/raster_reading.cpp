#include "thalweg/core/error.hpp"
#include "thalweg/io/gdal_session.hpp"
#include "thalweg/io/georeference.hpp"
#include "thalweg/io/raster.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <cpl_conv.h>
#include <fmt/format.h>
#include <gdal_priv.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

/// Magnitudes from here on are no-data even without a tag: ESRI's tools write -3.4e38 and 1e38, and nothing
/// on Earth measures that much.
constexpr double kAbsurdMagnitude = 1e38;

constexpr int kMaximumStripRows = 1024;  // bounds the memory of a strip; more rows than any usual tile

/// Cells over all bands that GDAL may decode at once for a raster that is smaller itself: 256 MiB of float32,
/// a tile of 256 x 256 cells with a thousand bands. A small broken file may claim many gigabytes.
constexpr std::int64_t kLargestBlock = std::int64_t{1} << 26;

/// A raster that is open, and what it says of itself.
struct OpenRaster {
    std::string name;  // in sentences
    DatasetPointer dataset;
    GDALRasterBand* band = nullptr;
    double metres_per_unit = 1.0;
    RasterInfo info;
};

/// Metres in a band's height unit, as GDAL's drivers spell the feet; 1 for all others.
double metres_of_unit(std::string_view unit) {
    constexpr double kInternationalFoot = 0.3048;
    constexpr double kSurveyFoot = 1200.0 / 3937.0;
    for (const char* foot : {"ft", "foot", "feet", "Foot", "Feet", "FOOT", "FEET"})
        if (unit == foot) return kInternationalFoot;
    for (const char* foot : {"us-ft", "ftUS", "US survey foot", "Foot_US", "US_FOOT"})
        if (unit == foot) return kSurveyFoot;
    return 1.0;
}

void check_is_file(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    const auto refuse = [&](const char* reason) {
        const std::string name = path.empty() ? "\"\"" : path.string();
        throw Error::input(fmt::format("{} {}: give the path of a raster file", name, reason));
    };
    if (!fs::exists(status)) refuse("does not exist");
    if (fs::is_directory(status)) refuse("is a folder");
    if (!fs::is_regular_file(status)) refuse("is not a file");
}

/// The band that is read, once it is known to hold real numbers.
GDALRasterBand* first_band(GDALDataset& dataset, const std::string& name) {
    GDALRasterBand* band = dataset.GetRasterCount() > 0 ? dataset.GetRasterBand(1) : nullptr;
    if (band == nullptr)
        throw Error::input(
            fmt::format("{} holds no raster band of its own: give a raster with 1 band or more", name));
    if (GDALDataTypeIsComplex(band->GetRasterDataType()))
        throw Error::input(fmt::format("{} holds complex numbers ({}): give a raster of real numbers", name,
                                       GDALGetDataTypeName(band->GetRasterDataType())));
    return band;
}

/// Refuses blocks that hold far more than the raster itself, before GDAL takes the memory to decode one.
void check_block(GDALDataset& dataset, GDALRasterBand& band, const std::string& name) {
    int columns = 0;
    int rows = 0;
    band.GetBlockSize(&columns, &rows);
    const char* interleaving = dataset.GetMetadataItem("INTERLEAVE", "IMAGE_STRUCTURE");
    const bool holds_all_bands = interleaving != nullptr && std::string_view(interleaving) == "PIXEL";
    const std::int64_t bands = holds_all_bands ? dataset.GetRasterCount() : 1;
    const std::int64_t raster_cells = std::int64_t{dataset.GetRasterXSize()} * dataset.GetRasterYSize();
    if (std::int64_t{columns} * rows <= std::max(kLargestBlock / bands, raster_cells)) return;
    throw Error::input(fmt::format(
        "{} stores {} x {} cells of {} bands in one block, for a raster of {} x {} cells: rewrite "
        "it in smaller blocks, for example with gdal_translate -b 1",
        name, columns, rows, bands, dataset.GetRasterXSize(), dataset.GetRasterYSize()));
}

std::optional<double> no_data_of(GDALRasterBand& band) {
    int has_value = FALSE;
    double value = 0.0;
    if (band.GetRasterDataType() == GDT_Int64) {
        value = static_cast<double>(band.GetNoDataValueAsInt64(&has_value));
    } else if (band.GetRasterDataType() == GDT_UInt64) {
        value = static_cast<double>(band.GetNoDataValueAsUInt64(&has_value));
    } else {
        value = band.GetNoDataValue(&has_value);
    }
    return has_value != FALSE ? std::optional(value) : std::nullopt;
}

/// What GDAL said of a failure, with "it" for the name that it has for the file: the sentence around it has
/// the file's own name.
std::string reason_of(std::string reason, const std::string& gdal_name) {
    for (const std::string& named :
         {fmt::format("`{}'", gdal_name), fmt::format("'{}'", gdal_name), gdal_name})
        for (std::size_t at = reason.find(named); at != std::string::npos; at = reason.find(named))
            reason.replace(at, named.size(), "it");
    constexpr std::string_view kSubject = "it: ";
    return reason.starts_with(kSubject) ? reason.substr(kSubject.size()) : reason;
}

/// Why GDAL could not open `gdal_name`, as the end of a sentence that has a name of its own for the file.
std::string reason_not_opened(const std::string& reason, const std::string& gdal_name) {
    if (reason.find("not recognized as") != std::string::npos)
        return "it is in no format that GDAL knows; give a GeoTIFF, for example";
    return reason_of(reason, gdal_name);
}

OpenRaster open_raster(const std::string& gdal_name, const std::string& name, const GdalSession& session) {
    OpenRaster raster;
    raster.name = name;
    raster.dataset.reset(
        GDALDataset::Open(gdal_name.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR));
    if (raster.dataset == nullptr) {
        throw Error::input(fmt::format("{} can't be opened as a raster: {}", name,
                                       reason_not_opened(session.failure(), gdal_name)));
    }
    raster.band = first_band(*raster.dataset, name);
    check_block(*raster.dataset, *raster.band, name);
    raster.metres_per_unit = metres_of_unit(raster.band->GetUnitType());
    const Georeference place = georeference_of(*raster.dataset, name, raster.metres_per_unit != 1.0);
    raster.info = {.grid = place.grid,
                   .driver = raster.dataset->GetDriverName(),
                   .value_type = GDALGetDataTypeName(raster.band->GetRasterDataType()),
                   .no_data = no_data_of(*raster.band),
                   .georeferenced = place.georeferenced,
                   .bands = raster.dataset->GetRasterCount()};
    return raster;
}

/// Turns stored numbers into metres.
struct Conversion {
    double scale = 1.0;
    double offset = 0.0;

    [[nodiscard]] float operator()(double stored) const {
        const double value = stored * scale + offset;
        return std::abs(value) < kAbsurdMagnitude ? static_cast<float>(value) : kNoData;
    }
};

Conversion conversion_of(const OpenRaster& raster) {
    // GDAL gives 1 and 0 where a band has neither scale nor offset.
    const double metres = raster.metres_per_unit;
    return {.scale = raster.band->GetScale() * metres, .offset = raster.band->GetOffset() * metres};
}

[[noreturn]] void refuse_infinity(const OpenRaster& raster, std::int64_t cell) {
    const Grid& grid = raster.info.grid;
    throw Error::input(
        fmt::format("{} is infinite at column {}, row {}: give finite values, or name infinity as no-data",
                    raster.name, grid.column_of(cell), grid.row_of(cell)));
}

/// Values as they are read, strip by strip.
struct Reading {
    Field<float> values;
    bool any_data = false;
    std::int64_t unmarked_nan_cells = 0;  // that neither the no-data value nor a mask hides
};

/// Takes over a strip of stored numbers, the first of which belongs to cell `first`.
void take_strip(Reading& reading, const OpenRaster& raster, std::int64_t first,
                std::span<const double> stored, std::span<const std::uint8_t> valid) {
    const Conversion to_metres = conversion_of(raster);
    for (std::size_t i = 0; i < stored.size(); ++i) {
        if (valid[i] == 0) continue;
        const auto cell = first + static_cast<std::int64_t>(i);
        if (std::isinf(stored[i])) refuse_infinity(raster, cell);
        if (std::isnan(stored[i])) ++reading.unmarked_nan_cells;
        reading.values[cell] = to_metres(stored[i]);
        reading.any_data = reading.any_data || !is_no_data(reading.values[cell]);
    }
}

Reading read_values(const OpenRaster& raster, GdalSession& session) {
    const Grid& grid = raster.info.grid;
    Reading reading{.values = Field<float>(grid, kNoData)};
    GDALRasterBand* mask =
        (raster.band->GetMaskFlags() & GMF_ALL_VALID) != 0 ? nullptr : raster.band->GetMaskBand();

    int tile_columns = 0;
    int tile_rows = 0;
    raster.band->GetBlockSize(&tile_columns, &tile_rows);
    const int strip_rows = std::min(grid.rows, std::clamp(tile_rows, 1, kMaximumStripRows));
    const auto strip_cells = static_cast<std::size_t>(strip_rows) * grid.columns;
    std::vector<double> stored(strip_cells);
    std::vector<std::uint8_t> valid(strip_cells, 255);
    session.forget_failures();
    for (int row = 0; row < grid.rows; row += strip_rows) {
        const int rows = std::min(strip_rows, grid.rows - row);
        const auto read = [&](GDALRasterBand* band, void* into, GDALDataType type) {
            return band->RasterIO(GF_Read, 0, row, grid.columns, rows, into, grid.columns, rows, type, 0, 0,
                                  nullptr) == CE_None;
        };
        const bool done = read(raster.band, stored.data(), GDT_Float64) &&
                          (mask == nullptr || read(mask, valid.data(), GDT_Byte)) &&
                          session.failure().empty();
        if (!done) {
            session.check_memory();
            throw Error::input(fmt::format("{} can't be read to its end, it may be truncated: {}",
                                           raster.name,
                                           reason_of(session.failure(), raster.dataset->GetDescription())));
        }
        const auto cells = static_cast<std::size_t>(rows) * grid.columns;
        take_strip(reading, raster, grid.index(0, row), std::span(stored).first(cells),
                   std::span(valid).first(cells));
    }
    if (!reading.any_data)
        throw Error::input(fmt::format("{} has no cell with data: all {} x {} cells are no-data", raster.name,
                                       grid.columns, grid.rows));
    return reading;
}

std::vector<std::string> notes_of(const Reading& reading, const RasterInfo& info, const std::string& name) {
    std::vector<std::string> notes;
    if (info.bands > 1)
        notes.push_back(fmt::format("{} has {} bands, of which band 1 is read", name, info.bands));
    if (reading.unmarked_nan_cells > 0)
        notes.push_back(fmt::format("{}: {} of {} cells are not numbers (NaN) and are taken as no-data", name,
                                    reading.unmarked_nan_cells, reading.values.size()));
    return notes;
}

/// Errors of GDAL's own threads would reach the screen: reading stays on this one.
class ReadingOptions {
    CPLConfigOptionSetter no_threads_{"GDAL_NUM_THREADS", "1", false};
};

}  // namespace

RasterInfo read_raster_info(const fs::path& path) {
    check_is_file(path);
    const GdalSession session;
    return open_raster(path.string(), path.string(), session).info;
}

Field<float> read_raster(const fs::path& path) {
    return read_noted_raster(path).values;
}

NotedRaster read_noted_raster(const fs::path& path) {
    check_is_file(path);
    GdalSession session;
    const ReadingOptions options;
    const OpenRaster raster = open_raster(path.string(), path.string(), session);
    Reading reading = read_values(raster, session);
    std::vector<std::string> notes = notes_of(reading, raster.info, path.filename().string());
    return {std::move(reading.values), std::move(notes)};
}

Field<float> decode_raster(std::span<const std::byte> bytes, const std::string& name) {
    GdalSession session;
    const ReadingOptions options;
    MemoryFolder folder;
    return read_values(open_raster(folder.show("raster", bytes), name, session), session).values;
}

}  // namespace thalweg
