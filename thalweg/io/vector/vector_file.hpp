// A vector file while it is made in memory.
#pragma once

#include "thalweg/io/gdal/gdal_session.hpp"
#include "thalweg/io/vectors.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <cpl_string.h>
#include <ogrsf_frmts.h>

namespace thalweg {

/// The name by which GDAL knows GeoPackage's reference system -1, for plane coordinates of no known place.
inline constexpr const char* kUndefinedCartesian = "Undefined Cartesian SRS";

struct FeatureDestroyer {
    void operator()(OGRFeature* feature) const { OGRFeature::DestroyFeature(feature); }
};
using FeaturePointer = std::unique_ptr<OGRFeature, FeatureDestroyer>;

/// Layers and features of one file in one reference system.
class VectorFile {
  public:
    /// `crs`: WKT, empty for a local metre grid.
    VectorFile(std::filesystem::path path, NetworkFormat format, const std::string& crs);
    /// What was not finished is forgotten, without the work of ending the file.
    ~VectorFile();
    VectorFile(const VectorFile&) = delete;
    VectorFile& operator=(const VectorFile&) = delete;

    [[nodiscard]] NetworkFormat format() const { return format_; }

    /// Adds a layer; its features must be finished before the next one begins.
    OGRLayer& add_layer(const char* name, OGRwkbGeometryType geometry);
    void add_field(OGRLayer& layer, const char* name, OGRFieldType type) const;
    static FeaturePointer feature_of(OGRLayer& layer);
    void add_feature(OGRLayer& layer, OGRFeature& feature, const OGRGeometry& geometry) const;

    /// Ends the file in memory; its bytes are valid while this object lives.
    std::span<const std::byte> finish();

  private:
    void check(bool done) const;

    std::filesystem::path path_;
    NetworkFormat format_;
    GdalSession session_;
    MemoryFolder folder_;
    DatasetPointer dataset_;
    OGRSpatialReference reference_;
};

/// Makes a file by `fill` and writes it whole or not at all. All time stamps are fixed, so that equal
/// contents give equal bytes; GeoJSON is written as vectors.hpp says. Throws Error::failure when it can't be
/// written.
void write_vector_file(const std::filesystem::path& path, NetworkFormat format, const std::string& crs,
                       const std::function<void(VectorFile&)>& fill);

}  // namespace thalweg
