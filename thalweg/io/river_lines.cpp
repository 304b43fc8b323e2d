#include "thalweg/io/river_lines.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/gdal_session.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReachLayer = "reach";
constexpr std::array<const char*, 4> kDrivers = {"GPKG", "GeoJSON", "ESRI Shapefile", nullptr};

std::string extension_of(const fs::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return extension;
}

bool is_geojson(const fs::path& path) {
    const std::string extension = extension_of(path);
    return extension == ".geojson" || extension == ".json";
}

void add_line(const OGRLineString& line, std::vector<DrawnRiver>& rivers) {
    if (line.getNumPoints() == 0) return;
    DrawnRiver& river = rivers.emplace_back();
    for (int i = 0; i < line.getNumPoints(); ++i) {
        river.points.push_back(line.getX(i));
        river.points.push_back(line.getY(i));
    }
}

/// Every line of a geometry without curves, in order.
void add_lines(const OGRGeometry& geometry, std::vector<DrawnRiver>& rivers) {
    const OGRwkbGeometryType type = wkbFlatten(geometry.getGeometryType());
    if (type == wkbLineString) {
        add_line(*geometry.toLineString(), rivers);
    } else if (type == wkbMultiLineString || type == wkbGeometryCollection) {
        for (const OGRGeometry* part : *geometry.toGeometryCollection()) add_lines(*part, rivers);
    }
}

void add_lines_of(const OGRFeature& feature, std::vector<DrawnRiver>& rivers) {
    const OGRGeometry* const geometry = feature.GetGeometryRef();
    if (geometry == nullptr) return;
    const std::unique_ptr<OGRGeometry> linear(geometry->getLinearGeometry());
    if (linear != nullptr) add_lines(*linear, rivers);
}

void check_system(const OGRLayer& layer, const fs::path& path, const std::string& crs) {
    const OGRSpatialReference* system = const_cast<OGRLayer&>(layer).GetSpatialRef();
    if (system == nullptr || system->IsLocal() != 0 || (crs.empty() && is_geojson(path))) return;
    const char* name = system->GetName() != nullptr ? system->GetName() : "unnamed";
    if (system->IsGeographic() != 0)
        throw Error::input(
            fmt::format("{}: its coordinate system, {}, is in degrees: reproject it to the "
                        "landscape's, in metres, with ogr2ogr -t_srs",
                        path.string(), name));
    if (crs.empty()) return;
    OGRSpatialReference plain(*system);
    plain.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const OGRSpatialReference wanted = spatial_reference_of(crs);
    if (plain.IsSame(&wanted) == 0)
        throw Error::input(
            fmt::format("{}: its coordinate system, {}, differs from the landscape's, {}: "
                        "reproject it with ogr2ogr -t_srs",
                        path.string(), name, wanted.GetName() != nullptr ? wanted.GetName() : "unnamed"));
}

void read_layer(OGRLayer& layer, const fs::path& path, const std::string& crs,
                std::vector<DrawnRiver>& rivers) {
    const std::size_t before = rivers.size();
    for (auto& feature : layer) add_lines_of(*feature, rivers);
    if (rivers.size() > before) check_system(layer, path, crs);
}

}  // namespace

bool is_river_file(const fs::path& path) {
    constexpr std::array<std::string_view, 4> kExtensions = {".gpkg", ".geojson", ".json", ".shp"};
    return std::ranges::find(kExtensions, extension_of(path)) != kExtensions.end();
}

std::vector<DrawnRiver> read_river_lines(const fs::path& path, const std::string& crs) {
    GdalSession session;
    if (!is_river_file(path))
        throw Error::input(
            fmt::format("{} has the extension \"{}\": rivers are read from .gpkg, .geojson, "
                        ".json and .shp",
                        path.string(), extension_of(path)));
    if (!fs::is_regular_file(path))
        throw Error::input(
            fmt::format("{} is no file: give the path of a GeoPackage or GeoJSON", path.string()));
    const DatasetPointer dataset(GDALDataset::Open(
        path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, kDrivers.data()));
    if (dataset == nullptr)
        throw Error::input(fmt::format("{} can't be opened: {}", path.string(), session.failure()));
    session.forget_failures();
    std::vector<DrawnRiver> rivers;
    if (OGRLayer* const reaches = dataset->GetLayerByName(kReachLayer); reaches != nullptr) {
        read_layer(*reaches, path, crs, rivers);
    } else {
        session.forget_failures();
        for (OGRLayer* layer : dataset->GetLayers()) read_layer(*layer, path, crs, rivers);
    }
    session.check_memory();
    if (!session.failure().empty())
        throw Error::input(fmt::format("{} can't be read to its end: {}", path.string(), session.failure()));
    if (rivers.empty())
        throw Error::input(
            fmt::format("{} has no lines: give rivers as lines that run downstream", path.string()));
    return rivers;
}

}  // namespace thalweg
