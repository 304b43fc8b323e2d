#include "thalweg/io/raster_windows.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/open_raster.hpp"
#include "thalweg/io/tiff.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <gdal_priv.h>

namespace thalweg {

struct RasterReader::Opened {
    std::mutex mutex;
    OpenRaster raster;
};

RasterReader::RasterReader(const std::filesystem::path& path) : opened_(std::make_unique<Opened>()) {
    check_is_file(path);
    const GdalSession session;
    const ReadingOptions options;
    opened_->raster = open_raster(path.string(), path.string(), session);
}

RasterReader::~RasterReader() = default;

const RasterInfo& RasterReader::info() const {
    return opened_->raster.info;
}

Field<float> RasterReader::read(const CellRange& range) {
    Field<float> values(
        Grid{.columns = range.columns(), .rows = range.rows(), .cell_size = info().grid.cell_size});
    StoredCells cells{.first_column = range.first_column,
                      .first_row = range.first_row,
                      .columns = range.columns(),
                      .rows = range.rows()};
    const std::lock_guard lock(opened_->mutex);
    GdalSession session;
    const ReadingOptions options;
    read_stored(opened_->raster, session, cells);
    to_metres(opened_->raster, cells, values.data());
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
    bool tags_no_data = true;

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
    opened_->tags_no_data = !holds_whole_numbers;
    if (opened_->tags_no_data)
        opened_->dataset->GetRasterBand(1)->SetNoDataValue(static_cast<double>(kNoDataTag));
}

RasterWriter::~RasterWriter() = default;

void RasterWriter::write(const CellRange& range, std::vector<float> values) {
    if (opened_->tags_no_data) {
        values = with_no_data_tag(std::move(values));
    } else {
        std::replace_if(values.begin(), values.end(), is_no_data, 0.0F);
    }
    opened_->write(range, values);
}

void RasterWriter::close() {
    const std::lock_guard lock(opened_->mutex);
    const GdalSession session;
    opened_->dataset.reset();
    if (!session.failure().empty()) opened_->fail(session);
}

}  // namespace thalweg
