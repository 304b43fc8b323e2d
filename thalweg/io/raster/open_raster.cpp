#include "thalweg/io/raster/open_raster.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/gdal/gdal_drivers.hpp"
#include "thalweg/io/raster/bare_raster.hpp"
#include "thalweg/io/raster/georeference.hpp"
#include "thalweg/io/raster/truncation.hpp"
#include "thalweg/io/raster_sources.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

/// Magnitudes from here on are no-data even without a tag: ESRI's tools write -3.4e38 and 1e38, and nothing
/// on Earth measures that much.
constexpr double kAbsurdMagnitude = 1e38;

/// Cells over all bands that GDAL may decode at once for a raster that is smaller itself: 256 MiB of float32,
/// a tile of 256 x 256 cells with a thousand bands. A small broken file may claim many gigabytes.
constexpr std::int64_t kLargestBlock = std::int64_t{1} << 26;

/// Bands that a larger raster may decode at once for the one that is read: pictures have four.
constexpr std::int64_t kMostBandsAtOnce = 16;

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

/// Refuses blocks that hold far more than the raster itself, before GDAL takes the memory to decode one, and
/// lets GDAL keep a row of blocks.
void check_block(GDALDataset& dataset, GDALRasterBand& band, const std::string& name) {
    int columns = 0;
    int rows = 0;
    band.GetBlockSize(&columns, &rows);
    const char* interleaving = dataset.GetMetadataItem("INTERLEAVE", "IMAGE_STRUCTURE");
    const bool holds_all_bands = interleaving != nullptr && std::string_view(interleaving) == "PIXEL";
    const std::int64_t bands = holds_all_bands ? dataset.GetRasterCount() : 1;
    const std::int64_t raster_cells = std::int64_t{dataset.GetRasterXSize()} * dataset.GetRasterYSize();
    const std::int64_t most_cells = std::max(kLargestBlock, std::min(bands, kMostBandsAtOnce) * raster_cells);
    if (std::int64_t{columns} * rows <= most_cells / bands)
        return keep_in_cache((std::int64_t{dataset.GetRasterXSize()} + columns) * rows * bands *
                             GDALGetDataTypeSizeBytes(band.GetRasterDataType()));
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
        return "it is in no format that GDAL knows for elevation; give a GeoTIFF, for example";
    return reason_of(reason, gdal_name);
}

float metres_of(const OpenRaster& raster, double stored) {
    const double value = stored * raster.scale + raster.offset;
    return std::abs(value) < kAbsurdMagnitude ? static_cast<float>(value) : kNoData;
}

/// Hides the cells that store the number that stands for no data, by a hint or by the program that wrote
/// them.
void hide_no_data(const OpenRaster& raster, StoredCells& cells) {
    if (!raster.hidden) return;
    const double no_data = *raster.hidden;
    const bool is_float = raster.band->GetRasterDataType() == GDT_Float32;
    for (std::size_t i = 0; i < cells.numbers.size(); ++i) {
        const double number = cells.numbers[i];
        const bool is_same =
            is_float ? static_cast<float>(number) == static_cast<float>(no_data) : number == no_data;
        if (is_same) cells.valid[i] = 0;
    }
}

/// What a PNG's texts tell of it, if this program wrote them, else its sidecar; nothing of other formats.
std::optional<RasterDescription> description_in(GDALDataset& dataset, const std::string& gdal_name,
                                                const std::string& name) {
    if (dataset.GetDriver() == nullptr || std::string_view(dataset.GetDriverName()) != "PNG")
        return std::nullopt;
    auto described = description_of(
        [&](const char* key) {
            const char* text = dataset.GetMetadataItem(key);
            return text != nullptr ? std::optional<std::string>(text) : std::nullopt;
        },
        name);
    return described ? described : read_sidecar(gdal_name);
}

/// Takes over what is known of a raster that says nothing itself.
void take_description(OpenRaster& raster, const RasterDescription& description) {
    RasterInfo& info = raster.info;
    info.is_scaled = info.is_scaled || description.scale.has_value();
    raster.scale = description.scale.value_or(raster.scale);
    raster.offset = description.offset.value_or(raster.offset);
    if (description.no_data) raster.hidden = info.no_data = description.no_data;
    const bool has_its_size = description.columns.value_or(info.grid.columns) == info.grid.columns &&
                              description.rows.value_or(info.grid.rows) == info.grid.rows;
    if (info.georeferenced || !description.cell_size || !has_its_size) return;
    info.georeferenced = true;
    info.grid.cell_size = *description.cell_size;
    info.grid.west = description.west.value_or(0.0);
    info.grid.north = description.north.value_or(info.grid.rows * *description.cell_size);
    try {
        const OGRSpatialReference reference = spatial_reference_of(description.crs.value_or(""));
        info.grid.crs = wkt_of(&reference);
    } catch (const Error& error) {
        throw Error::input(fmt::format("{}: {}", raster.name, error.what()));
    }
}

/// The largest number of a type whose range a hint may give; 0 for all others.
double largest_number(GDALDataType type) {
    if (type == GDT_Byte) return 255.0;
    return type == GDT_UInt16 ? 65535.0 : 0.0;
}

/// Takes over what the user says of a raster.
void take_hints(OpenRaster& raster, const RasterHints& hints) {
    RasterInfo& info = raster.info;
    if (hints.no_data) raster.hidden = info.no_data = hints.no_data;
    if (hints.height_range) {
        const double largest = largest_number(raster.band->GetRasterDataType());
        if (largest == 0.0)
            throw Error::input(
                fmt::format("{} holds {} numbers, and a height range is for those of 8 or 16 bits without "
                            "sign: leave it out",
                            raster.name, info.value_type));
        const auto [lowest, highest] = *hints.height_range;
        raster.scale = (highest - lowest) / largest;
        raster.offset = lowest;
        info.is_scaled = true;
    }
    if (!hints.cell_size) return;
    if (info.georeferenced)
        throw Error::input(
            fmt::format("{} has its own cells, of {} m, and a cell size is given: leave it out", raster.name,
                        info.grid.cell_size));
    info.grid.cell_size = *hints.cell_size;
    info.grid.north = info.grid.rows * info.grid.cell_size;
}

/// Throws Error::input for a grid that can't be.
void check_described(const OpenRaster& raster) {
    try {
        check_grid(raster.info.grid);
    } catch (const Error& error) {
        throw Error::input(fmt::format("{}: {}", raster.name, error.what()));
    }
}

[[noreturn]] void refuse_infinity(const OpenRaster& raster, int column, int row) {
    throw Error::input(
        fmt::format("{} is infinite at column {}, row {}: give finite values, or name infinity as no-data",
                    raster.name, column, row));
}

}  // namespace

void check_heights(const OpenRaster& raster) {
    if (raster.info.driver == "R16" && !raster.info.is_scaled)
        throw Error::input(fmt::format(
            "{} does not say which heights its numbers are: give --height-range MIN,MAX in metres, or "
            "{} with its scale and offset",
            raster.name, sidecar_of(raster.name).string()));
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

DatasetPointer open_dataset(const std::string& gdal_name, const std::string& name) {
    check_vrt_sources(gdal_name, name);
    DatasetPointer dataset(GDALDataset::Open(gdal_name.c_str(),
                                             GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                                             elevation_drivers().data()));
    if (dataset == nullptr) return dataset;
    check_files_of(*dataset, gdal_name, name);
    check_not_truncated(*dataset, gdal_name, name);
    return dataset;
}

OpenRaster open_raster(const std::string& gdal_name, const std::string& name, const GdalSession& session,
                       const RasterHints& hints) {
    OpenRaster raster;
    raster.name = name;
    BareRaster bare;
    if (is_bare_raster(gdal_name)) {
        bare = open_bare_raster(gdal_name);
        raster.values = std::move(bare.values);
        raster.dataset = std::move(bare.dataset);
    } else {
        raster.dataset = open_dataset(gdal_name, name);
    }
    if (raster.dataset == nullptr) {
        throw Error::input(fmt::format("{} can't be opened as a raster: {}", name,
                                       reason_not_opened(session.failure(), gdal_name)));
    }
    raster.band = first_band(*raster.dataset, name);
    check_block(*raster.dataset, *raster.band, name);
    const double metres_per_unit = metres_of_unit(raster.band->GetUnitType());
    const Georeference place = georeference_of(*raster.dataset, name, metres_per_unit != 1.0);
    int has_scale = FALSE;
    // GDAL gives 1 and 0 where a band has neither scale nor offset.
    raster.scale = raster.band->GetScale(&has_scale) * metres_per_unit;
    raster.offset = raster.band->GetOffset() * metres_per_unit;
    raster.info = {.grid = place.grid,
                   .driver = bare.driver.empty() ? raster.dataset->GetDriverName() : bare.driver,
                   .value_type = GDALGetDataTypeName(raster.band->GetRasterDataType()),
                   .no_data = no_data_of(*raster.band),
                   .georeferenced = place.georeferenced,
                   .bands = raster.dataset->GetRasterCount(),
                   .is_scaled = has_scale != FALSE};
    const std::optional<RasterDescription> description =
        !bare.driver.empty() ? bare.description : description_in(*raster.dataset, gdal_name, name);
    if (description) take_description(raster, *description);
    take_hints(raster, hints);
    check_described(raster);
    return raster;
}

void read_stored(const OpenRaster& raster, GdalSession& session, StoredCells& cells) {
    const auto count = static_cast<std::size_t>(cells.columns) * static_cast<std::size_t>(cells.rows);
    cells.numbers.resize(count);
    cells.valid.assign(count, 255);
    GDALRasterBand* mask =
        (raster.band->GetMaskFlags() & GMF_ALL_VALID) != 0 ? nullptr : raster.band->GetMaskBand();
    GDALRasterIOExtraArg polls;
    INIT_RASTERIO_EXTRA_ARG(polls);
    polls.pfnProgress = goes_on;
    const auto read = [&](GDALRasterBand* band, void* into, GDALDataType type) {
        return band->RasterIO(GF_Read, cells.first_column, cells.first_row, cells.columns, cells.rows, into,
                              cells.columns, cells.rows, type, 0, 0, &polls) == CE_None;
    };
    const bool done = read(raster.band, cells.numbers.data(), GDT_Float64) &&
                      (mask == nullptr || read(mask, cells.valid.data(), GDT_Byte)) &&
                      session.failure().empty();
    poll_cancelled();
    if (done) return hide_no_data(raster, cells);
    session.check_memory();
    throw Error::input(fmt::format("{} can't be read to its end, it may be truncated: {}", raster.name,
                                   reason_of(session.failure(), raster.dataset->GetDescription())));
}

void to_metres(const OpenRaster& raster, const StoredCells& cells, float* metres) {
    for (std::size_t i = 0; i < cells.numbers.size(); ++i) {
        metres[i] = kNoData;
        if (cells.valid[i] == 0) continue;
        if (std::isinf(cells.numbers[i]))
            refuse_infinity(raster, cells.first_column + static_cast<int>(i) % cells.columns,
                            cells.first_row + static_cast<int>(i) / cells.columns);
        metres[i] = metres_of(raster, cells.numbers[i]);
    }
}

}  // namespace thalweg
