#include "thalweg/io/vector/vector_file.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"

#include <string_view>
#include <utility>

#include <cpl_conv.h>
#include <fmt/format.h>
#include <gdal_priv.h>
#include <sqlite3.h>

namespace thalweg {
namespace {

constexpr const char* kName = "vectors";  // in memory

/// Replaces the clock in GeoPackage's time stamps, so that equal contents give equal bytes.
constexpr const char* kFixedDate = "2000-01-01T00:00:00.000Z";

/// Says "no known reference system" (GeoJSON 2008, section 3) in a text that says nothing of one.
std::string with_crs_member(std::string text) {
    constexpr std::string_view kCrs = "\"crs\":";
    const std::size_t features = text.find("\"features\":");
    if (features != std::string::npos && text.find(kCrs) > features)
        text.insert(features, "\"crs\": null,\n");
    return text;
}

/// Lets SQLite give up once the work around it is cancelled: it makes spatial indices of all features in one
/// call, which may take seconds.
void answer_to_cancelling(GDALDataset& geopackage) {
    constexpr int kStepsPerPoll = 1000;  // of SQLite's machine; far below a millisecond
    auto* const database = static_cast<sqlite3*>(geopackage.GetInternalHandle("SQLITE_HANDLE"));
    if (database == nullptr) return;
    sqlite3_progress_handler(database, kStepsPerPoll, [](void*) { return is_cancelled() ? 1 : 0; }, nullptr);
}

}  // namespace

VectorFile::VectorFile(std::filesystem::path path, NetworkFormat format, const std::string& crs)
    : path_(std::move(path)), format_(format), reference_(spatial_reference_of(crs)) {
    const bool is_geopackage = format == NetworkFormat::GeoPackage;
    if (is_geopackage && crs.empty()) reference_.SetLocalCS(kUndefinedCartesian);
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(is_geopackage ? "GPKG" : "GeoJSON");
    check(driver != nullptr);
    dataset_.reset(driver->Create(folder_.name_of(kName).c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    check(dataset_ != nullptr);
    if (is_geopackage) answer_to_cancelling(*dataset_);
    // One transaction: each feature by itself takes tens of times as long, and half of a file could not be
    // dropped.
    if (dataset_->TestCapability(ODsCTransactions) != FALSE)
        check(dataset_->StartTransaction() == OGRERR_NONE);
}

VectorFile::~VectorFile() {
    if (dataset_ != nullptr && dataset_->TestCapability(ODsCTransactions) != FALSE)
        dataset_->RollbackTransaction();
}

OGRLayer& VectorFile::add_layer(const char* name, OGRwkbGeometryType geometry) {
    CPLStringList options;
    if (format_ == NetworkFormat::GeoJson) {
        options.SetNameValue("RFC7946", "NO");
        options.SetNameValue("COORDINATE_PRECISION", "3");  // digits after the point: millimetres
    }
    OGRLayer* layer =
        dataset_->CreateLayer(name, reference_.IsEmpty() ? nullptr : &reference_, geometry, options.List());
    check(layer != nullptr);
    return *layer;
}

void VectorFile::add_field(OGRLayer& layer, const char* name, OGRFieldType type) const {
    OGRFieldDefn field(name, type);
    check(layer.CreateField(&field) == OGRERR_NONE);
}

FeaturePointer VectorFile::feature_of(OGRLayer& layer) {
    return FeaturePointer(OGRFeature::CreateFeature(layer.GetLayerDefn()));
}

void VectorFile::add_feature(OGRLayer& layer, OGRFeature& feature, const OGRGeometry& geometry) const {
    poll_cancelled();
    check(feature.SetGeometry(&geometry) == OGRERR_NONE);
    check(layer.CreateFeature(&feature) == OGRERR_NONE);
}

std::span<const std::byte> VectorFile::finish() {
    session_.forget_failures();
    const bool has_transaction = dataset_->TestCapability(ODsCTransactions) != FALSE;
    const bool is_committed = !has_transaction || dataset_->CommitTransaction() == OGRERR_NONE;
    dataset_.reset();
    poll_cancelled();  // GDAL drops a part that SQLite gave up
    check(is_committed);
    const std::span<const std::byte> bytes = folder_.bytes_of(kName);
    check(session_.failure().empty() && !bytes.empty());
    return bytes;
}

void VectorFile::check(bool done) const {
    if (done) return;
    poll_cancelled();  // SQLite says that it was interrupted
    session_.check_memory();
    throw Error::failure(fmt::format("{} can't be encoded by GDAL: {}", path_.string(), session_.failure()));
}

void write_vector_file(const std::filesystem::path& path, NetworkFormat format, const std::string& crs,
                       const std::function<void(VectorFile&)>& fill) {
    const CPLConfigOptionSetter fixed_date("OGR_CURRENT_DATE", kFixedDate, false);
    // A thread of GDAL's that makes the spatial index along with the features can't be cancelled.
    const CPLConfigOptionSetter one_thread("OGR_GPKG_ALLOW_THREADED_RTREE", "NO", false);
    VectorFile file(path, format, crs);
    fill(file);
    const std::span<const std::byte> bytes = file.finish();
    if (format == NetworkFormat::GeoPackage) return write_file_atomically(path, bytes);
    const std::string text = with_crs_member({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    write_file_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace thalweg
