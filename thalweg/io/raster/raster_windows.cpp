#include "thalweg/io/raster_windows.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/raster/bare_raster.hpp"
#include "thalweg/io/raster/open_raster.hpp"
#include "thalweg/io/raster/tiff.hpp"
#include "thalweg/io/raster_sources.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <gdal_priv.h>

namespace thalweg {

struct RasterReader::Opened {
    std::filesystem::path path;
    RasterHints hints;
    RasterInfo info;
    std::mutex mutex;
    std::vector<OpenRaster> free;  // open files that no thread reads from

    OpenRaster take(const GdalSession& session) {
        {
            const std::lock_guard lock(mutex);
            if (!free.empty()) {
                OpenRaster raster = std::move(free.back());
                free.pop_back();
                return raster;
            }
        }
        OpenRaster raster = open_raster(path.string(), path.string(), session, hints);
        check_heights(raster);
        return raster;
    }
    void give_back(OpenRaster raster) {
        const std::lock_guard lock(mutex);
        free.push_back(std::move(raster));
    }
};

RasterReader::RasterReader(const std::filesystem::path& path, const RasterHints& hints)
    : opened_(std::make_unique<Opened>()) {
    check_is_file(path);
    if (is_bare_raster(path))
        throw Error::input(
            fmt::format("{} can't be read in tiles: give a GeoTIFF, or no limit of memory", path.string()));
    const GdalSession session;
    const ReadingOptions options;
    opened_->path = path;
    opened_->hints = hints;
    OpenRaster raster = opened_->take(session);
    opened_->info = raster.info;
    opened_->give_back(std::move(raster));
}

RasterReader::~RasterReader() = default;

const RasterInfo& RasterReader::info() const {
    return opened_->info;
}

std::string RasterReader::name() const {
    return opened_->path.string();
}

std::vector<CellRange> RasterReader::whole_blocks(std::int64_t most_cells) const {
    const GdalSession session;
    OpenRaster raster = opened_->take(session);
    int columns = 0;
    int rows = 0;
    raster.band->GetBlockSize(&columns, &rows);
    opened_->give_back(std::move(raster));
    const Grid& grid = info().grid;
    const auto times = [](std::int64_t size, std::int64_t most, int whole) {
        return static_cast<int>(
            std::clamp<std::int64_t>(most / size * size, size, std::max<std::int64_t>(size, whole)));
    };
    columns = times(columns, most_cells / rows, grid.columns);
    rows = times(rows, most_cells / columns, grid.rows);
    std::vector<CellRange> ranges;
    for (int row = 0; row < grid.rows; row += rows)
        for (int column = 0; column < grid.columns; column += columns)
            ranges.push_back({.first_column = column,
                              .end_column = std::min(column + columns, grid.columns),
                              .first_row = row,
                              .end_row = std::min(row + rows, grid.rows)});
    return ranges;
}

Field<float> RasterReader::read(const CellRange& range) {
    Field<float> values(
        Grid{.columns = range.columns(), .rows = range.rows(), .cell_size = info().grid.cell_size});
    StoredCells cells{.first_column = range.first_column,
                      .first_row = range.first_row,
                      .columns = range.columns(),
                      .rows = range.rows()};
    GdalSession session;
    const ReadingOptions options;
    OpenRaster raster = opened_->take(session);
    read_stored(raster, session, cells);
    to_metres(raster, cells, values.data());
    opened_->give_back(std::move(raster));
    return values;
}

GdalCacheLimit::GdalCacheLimit(std::int64_t bytes) : before_(GDALGetCacheMax64()) {
    GDALSetCacheMax64(bytes);
}

GdalCacheLimit::~GdalCacheLimit() {
    GDALSetCacheMax64(before_);
}

struct RasterWriter::Opened {
    std::mutex mutex;
    std::string name;
    DatasetPointer dataset;
    [[noreturn]] void fail(const GdalSession& session) const {
        throw Error::failure(fmt::format("{} can't be written: {}", name, session.failure()));
    }

    void write(const CellRange& range, std::vector<float>& values) {
        const std::lock_guard lock(mutex);
        const GdalSession session;
        const CPLErr result = dataset->GetRasterBand(1)->RasterIO(
            GF_Write, range.first_column, range.first_row, range.columns(), range.rows(), values.data(),
            range.columns(), range.rows(), GDT_Float32, 0, 0, nullptr);
        if (result != CE_None || !session.failure().empty()) fail(session);
    }
};

RasterWriter::RasterWriter(const std::filesystem::path& path, const Grid& grid, bool holds_whole_numbers)
    : opened_(std::make_unique<Opened>()) {
    const GdalSession session;
    opened_->name = path.string();
    CPLStringList options;
    for (const std::string& option : tiff_options(RasterFormat::GeoTiff, !holds_whole_numbers))
        options.AddString(option.c_str());
    GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName("GTiff");
    if (driver == nullptr) throw Error::failure("GDAL lacks its GeoTIFF driver");
    opened_->dataset.reset(driver->Create(path.c_str(), grid.columns, grid.rows, 1,
                                          holds_whole_numbers ? GDT_Int32 : GDT_Float32, options.List()));
    if (opened_->dataset == nullptr) opened_->fail(session);
    set_place(*opened_->dataset, grid);
    opened_->dataset->GetRasterBand(1)->SetNoDataValue(static_cast<double>(kNoDataTag));
}

RasterWriter::~RasterWriter() = default;

void RasterWriter::write(const CellRange& range, std::vector<float> values) {
    values = with_no_data_tag(std::move(values));
    opened_->write(range, values);
}

void RasterWriter::close() {
    const std::lock_guard lock(opened_->mutex);
    const GdalSession session;
    opened_->dataset.reset();
    if (!session.failure().empty()) opened_->fail(session);
}

}  // namespace thalweg
