#include "thalweg/io/river_lines.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/gdal/gdal_session.hpp"
#include "thalweg/io/vector/network_attributes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockedField = "locked";
constexpr std::array<const char*, 4> kDrivers = {"GPKG", "GeoJSON", "ESRI Shapefile", nullptr};

bool is_geojson(const fs::path& path) {
    const std::string extension = lower_case_extension(path);
    return extension == ".geojson" || extension == ".json";
}

/// Whether the feature says so in its attribute `locked`.
bool is_locked(const OGRFeature& feature) {
    const int field = feature.GetFieldIndex(kLockedField);
    return field >= 0 && feature.GetFieldAsInteger(field) != 0;
}

void add_river(const OGRFeature& feature, const OGRGeometry& part, std::vector<DrawnRiver>& rivers) {
    if (wkbFlatten(part.getGeometryType()) != wkbLineString) return;
    const OGRLineString& line = *part.toLineString();
    if (line.getNumPoints() == 0) return;
    DrawnRiver& river = rivers.emplace_back();
    river.locked = is_locked(feature);
    for (int i = 0; i < line.getNumPoints(); ++i) {
        river.points.push_back(line.getX(i));
        river.points.push_back(line.getY(i));
    }
}

/// The width of a feature that says it, m.
std::optional<float> width_of(const OGRFeature& feature) {
    for (const char* const name : {"width_m", "width"}) {
        const int field = feature.GetFieldIndex(name);
        if (field >= 0 && feature.IsFieldSetAndNotNull(field) != 0)
            return static_cast<float>(feature.GetFieldAsDouble(field));
    }
    return std::nullopt;
}

void add_channel(const OGRFeature& feature, const OGRGeometry& part, std::vector<RiverLine>& channels) {
    if (wkbFlatten(part.getGeometryType()) != wkbLineString) return;
    const OGRLineString& line = *part.toLineString();
    if (line.getNumPoints() == 0) return;
    RiverLine& channel = channels.emplace_back();
    if (const std::optional<float> width = width_of(feature)) channel.widths = {*width};
    constexpr double kNoHeight = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < line.getNumPoints(); ++i)
        channel.points.push_back(
            {.x = line.getX(i), .y = line.getY(i), .z = line.Is3D() != 0 ? line.getZ(i) : kNoHeight});
}

void add_spring(const OGRFeature&, const OGRGeometry& part, std::vector<Spring>& springs) {
    if (wkbFlatten(part.getGeometryType()) != wkbPoint || part.IsEmpty() != 0) return;
    springs.push_back({.x = part.toPoint()->getX(), .y = part.toPoint()->getY()});
}

/// Every part of a geometry without curves that is no collection itself, in order.
template <class Place, class Add>
void add_parts(const OGRFeature& feature, const OGRGeometry& geometry, std::vector<Place>& places,
               const Add& add) {
    if (OGR_GT_IsSubClassOf(wkbFlatten(geometry.getGeometryType()), wkbGeometryCollection) == 0)
        return add(feature, geometry, places);
    for (const OGRGeometry* part : *geometry.toGeometryCollection()) add_parts(feature, *part, places, add);
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

template <class Place, class Add>
void read_layer(OGRLayer& layer, const fs::path& path, const std::string& crs, std::vector<Place>& places,
                const Add& add) {
    const std::size_t before = places.size();
    for (auto& feature : layer) {
        poll_cancelled();
        const OGRGeometry* const geometry = feature->GetGeometryRef();
        if (geometry == nullptr) continue;
        const std::unique_ptr<OGRGeometry> linear(geometry->getLinearGeometry());
        if (linear != nullptr) add_parts(*feature, *linear, places, add);
    }
    if (places.size() > before) check_system(layer, path, crs);
}

/// What `add` finds in a vector file: in its layer `only` where that is given and there, else in all.
template <class Place, class Add>
std::vector<Place> read_places(const fs::path& path, const std::string& crs, const char* name,
                               const char* only, const Add& add) {
    GdalSession session;
    if (!is_river_file(path))
        throw Error::input(
            fmt::format("{} has the extension \"{}\": {} are read from .gpkg, .geojson, "
                        ".json and .shp",
                        path.string(), lower_case_extension(path), name));
    if (!fs::is_regular_file(path))
        throw Error::input(
            fmt::format("{} is no file: give the path of a GeoPackage or GeoJSON", path.string()));
    const DatasetPointer dataset(GDALDataset::Open(
        path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, kDrivers.data()));
    if (dataset == nullptr)
        throw Error::input(fmt::format("{} can't be opened: {}", path.string(), session.failure()));
    session.forget_failures();
    std::vector<Place> places;
    OGRLayer* const single = only != nullptr ? dataset->GetLayerByName(only) : nullptr;
    session.forget_failures();
    if (single != nullptr) {
        read_layer(*single, path, crs, places, add);
    } else {
        for (OGRLayer* layer : dataset->GetLayers()) read_layer(*layer, path, crs, places, add);
    }
    session.check_memory();
    if (!session.failure().empty())
        throw Error::input(fmt::format("{} can't be read to its end: {}", path.string(), session.failure()));
    return places;
}

template <class Line, class Add>
std::vector<Line> read_lines(const fs::path& path, const std::string& crs, const Add& add) {
    std::vector<Line> lines = read_places<Line>(path, crs, "rivers", kReachLayer, add);
    if (lines.empty())
        throw Error::input(
            fmt::format("{} has no lines: give rivers as lines that run downstream", path.string()));
    return lines;
}

}  // namespace

bool is_river_file(const fs::path& path) {
    constexpr std::array<std::string_view, 4> kExtensions = {".gpkg", ".geojson", ".json", ".shp"};
    return std::ranges::find(kExtensions, lower_case_extension(path)) != kExtensions.end();
}

std::vector<DrawnRiver> read_river_lines(const fs::path& path, const std::string& crs) {
    return read_lines<DrawnRiver>(path, crs, add_river);
}

std::vector<RiverLine> read_channel_lines(const fs::path& path, const std::string& crs) {
    return read_lines<RiverLine>(path, crs, add_channel);
}

std::vector<Spring> read_springs(const fs::path& path, const std::string& crs) {
    auto springs = read_places<Spring>(path, crs, "springs", nullptr, add_spring);
    if (springs.empty())
        throw Error::input(fmt::format("{} has no points: give springs as points", path.string()));
    return springs;
}

}  // namespace thalweg
