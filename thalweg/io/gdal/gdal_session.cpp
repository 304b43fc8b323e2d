#include "thalweg/io/gdal/gdal_session.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/gdal/gdal_drivers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <string_view>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

namespace thalweg {
namespace {

/// What failed on threads without a session: GDAL's own, which compress tiles.
struct FailuresElsewhere {
    std::mutex mutex;
    std::int64_t count = 0;
    std::string last;
};

FailuresElsewhere& failures_elsewhere() {
    static FailuresElsewhere failures;
    return failures;
}

void CPL_STDCALL collect_failure(CPLErr level, CPLErrorNum number, const char* message) {
    if (level >= CE_Failure)
        static_cast<GdalSession*>(CPLGetErrorHandlerUserData())->collect(message, number == CPLE_OutOfMemory);
}

void CPL_STDCALL collect_failure_elsewhere(CPLErr level, CPLErrorNum, const char* message) {
    if (level < CE_Failure) return;
    FailuresElsewhere& failures = failures_elsewhere();
    const std::lock_guard<std::mutex> lock(failures.mutex);
    ++failures.count;
    failures.last = message;
}

}  // namespace

GdalSession::GdalSession() {
    static std::once_flag registered;
    std::call_once(registered, [] {
        CPLSetErrorHandler(collect_failure_elsewhere);
        // No file of settings: equal builds give equal bytes, whatever lies in a home folder.
        CPLSetConfigOption("GDAL_CONFIG_FILE", "/dev/null");
        GDALSetCacheMax64(kCacheBytes);
        register_gdal();
    });
    CPLPushErrorHandlerEx(collect_failure, this);
    const std::lock_guard<std::mutex> lock(failures_elsewhere().mutex);
    failures_elsewhere_before_ = failures_elsewhere().count;
}

GdalSession::~GdalSession() {
    CPLPopErrorHandler();
}

std::string GdalSession::failure_elsewhere() const {
    FailuresElsewhere& failures = failures_elsewhere();
    const std::lock_guard<std::mutex> lock(failures.mutex);
    return failures.count > failures_elsewhere_before_ ? failures.last : "";
}

void GdalSession::check_memory() const {
    if (lacks_memory_) throw std::bad_alloc();
}

void GdalSession::collect(const char* message, bool lacks_memory) {
    lacks_memory_ = lacks_memory_ || lacks_memory;
    if (!failure_.empty()) return;
    failure_ = message;
    // The names of PROJ's functions tell a user nothing.
    if (constexpr std::string_view kProj = "PROJ: "; failure_.starts_with(kProj))
        failure_.replace(0,
                         failure_.find(": ", kProj.size()) == std::string::npos
                             ? kProj.size()
                             : failure_.find(": ", kProj.size()) + 2,
                         "coordinate system: ");
    std::replace(failure_.begin(), failure_.end(), '\n', ' ');
    while (!failure_.empty() && (failure_.back() == ' ' || failure_.back() == '.')) failure_.pop_back();
}

void DatasetCloser::operator()(GDALDataset* dataset) const {
    GDALClose(GDALDataset::ToHandle(dataset));
}

MemoryFolder::MemoryFolder() {
    static std::atomic<std::uint64_t> count{0};
    name_ = fmt::format("/vsimem/thalweg-{}", count++);
    VSIMkdir(name_.c_str(), 0700);
}

MemoryFolder::~MemoryFolder() {
    VSIRmdirRecursive(name_.c_str());
}

std::span<const std::byte> MemoryFolder::bytes_of(const std::string& file) const {
    vsi_l_offset size = 0;
    const GByte* bytes = VSIGetMemFileBuffer(name_of(file).c_str(), &size, FALSE);
    if (bytes == nullptr) return {};
    return std::as_bytes(std::span(bytes, static_cast<std::size_t>(size)));
}

std::string MemoryFolder::show(const std::string& file, std::span<const std::byte> bytes) {
    std::string name = name_of(file);
    // GDAL's signature is for writers too; datasets are opened read-only here, so the bytes stay as they are.
    auto* data = const_cast<GByte*>(reinterpret_cast<const GByte*>(bytes.data()));
    VSILFILE* opened = VSIFileFromMemBuffer(name.c_str(), data, bytes.size(), FALSE);
    if (opened != nullptr) VSIFCloseL(opened);
    return name;
}

OGRSpatialReference spatial_reference_of(const std::string& wkt) {
    OGRSpatialReference reference;
    reference.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    if (!wkt.empty() && reference.importFromWkt(wkt.c_str()) != OGRERR_NONE)
        throw Error::failure(fmt::format("the coordinate reference system \"{}\" is not valid WKT", wkt));
    return reference;
}

std::string wkt_of(const OGRSpatialReference* reference) {
    if (reference == nullptr || reference->IsEmpty()) return "";
    const char* const options[] = {"FORMAT=WKT2_2019", "MULTILINE=NO", nullptr};
    char* text = nullptr;
    const OGRErr result = reference->exportToWkt(&text, options);
    std::string wkt = result == OGRERR_NONE && text != nullptr ? text : "";
    CPLFree(text);
    return wkt;
}

void keep_in_cache(std::int64_t bytes) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    GDALSetCacheMax64(std::max<GIntBig>(GDALGetCacheMax64(), bytes));
}

int goes_on(double, const char*, void*) {
    return is_cancelled() ? FALSE : TRUE;
}

namespace {

/// Encodes by `encode(driver, name)` in memory, then writes `path` whole or not at all.
template <class Encode>
void write_encoded(const std::filesystem::path& path, const std::string& driver_name, const Encode& encode) {
    GdalSession session;
    const auto check = [&](bool done) {
        if (done) return;
        poll_cancelled();
        session.check_memory();
        const std::string elsewhere = session.failure_elsewhere();
        throw Error::failure(fmt::format("{} can't be encoded by GDAL's driver {}: {}", path.string(),
                                         driver_name, elsewhere.empty() ? session.failure() : elsewhere));
    };
    const MemoryFolder folder;
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(driver_name.c_str());
    check(driver != nullptr);
    DatasetPointer encoded = encode(*driver, folder.name_of("raster"));
    check(encoded != nullptr);
    session.forget_failures();
    encoded.reset();
    const std::span<const std::byte> bytes = folder.bytes_of("raster");
    check(session.failure().empty() && session.failure_elsewhere().empty() && !bytes.empty());
    write_file_atomically(path, bytes);
}

CPLStringList list_of(const std::vector<std::string>& options) {
    CPLStringList list;
    for (const std::string& option : options) list.AddString(option.c_str());
    return list;
}

/// Takes over where `from` lies and what it calls no data.
void copy_place(GDALDataset& from, GDALDataset& to) {
    std::array<double, 6> transform{};
    if (from.GetGeoTransform(transform.data()) == CE_None) to.SetGeoTransform(transform.data());
    if (from.GetSpatialRef() != nullptr) to.SetSpatialRef(from.GetSpatialRef());
    int has_no_data = FALSE;
    const double no_data = from.GetRasterBand(1)->GetNoDataValue(&has_no_data);
    if (has_no_data != FALSE) to.GetRasterBand(1)->SetNoDataValue(no_data);
}

/// Writes a row of blocks from `source`, and hands it on to the driver. Returns false where that fails.
bool write_block_row(GDALRasterBand& source, GDALRasterBand& target, int first_row,
                     std::vector<std::byte>& row) {
    int block_columns = 0, block_rows = 0;
    target.GetBlockSize(&block_columns, &block_rows);
    const int columns = source.GetXSize();
    const int rows = std::min(block_rows, source.GetYSize() - first_row);
    const GDALDataType type = source.GetRasterDataType();
    const auto move = [&](GDALRasterBand& band, GDALRWFlag direction) {
        return band.RasterIO(direction, 0, first_row, columns, rows, row.data(), columns, rows, type, 0, 0,
                             nullptr) == CE_None;
    };
    row.resize(static_cast<std::size_t>(GDALGetDataTypeSizeBytes(type)) * columns * rows);
    if (!move(source, GF_Read) || !move(target, GF_Write)) return false;
    for (int column = 0; column * block_columns < columns; ++column)
        if (target.FlushBlock(column, first_row / block_rows) != CE_None) return false;
    return true;
}

}  // namespace

void write_copy(const std::filesystem::path& path, GDALDataset& source, const std::string& driver_name,
                const std::vector<std::string>& options) {
    write_encoded(path, driver_name, [&](GDALDriver& driver, const std::string& name) {
        return DatasetPointer(
            driver.CreateCopy(name.c_str(), &source, FALSE, list_of(options).List(), goes_on, nullptr));
    });
}

void write_band(const std::filesystem::path& path, GDALDataset& source, const std::string& driver_name,
                const std::vector<std::string>& options) {
    write_encoded(path, driver_name, [&](GDALDriver& driver, const std::string& name) {
        GDALRasterBand& band = *source.GetRasterBand(1);
        DatasetPointer created(driver.Create(name.c_str(), band.GetXSize(), band.GetYSize(), 1,
                                             band.GetRasterDataType(), list_of(options).List()));
        if (created == nullptr) return created;
        copy_place(source, *created);
        int block_columns = 0, block_rows = 0;
        created->GetRasterBand(1)->GetBlockSize(&block_columns, &block_rows);
        keep_in_cache(std::int64_t{band.GetXSize() + block_columns} * block_rows *
                      GDALGetDataTypeSizeBytes(band.GetRasterDataType()));
        std::vector<std::byte> values;
        for (int row = 0; row < band.GetYSize(); row += block_rows) {
            poll_cancelled();
            if (!write_block_row(band, *created->GetRasterBand(1), row, values)) return DatasetPointer();
        }
        return created;
    });
}

}  // namespace thalweg
