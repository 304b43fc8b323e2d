#include "thalweg/io/raster/georeference.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/gdal/gdal_session.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

namespace thalweg {
namespace {

/// x = [0] + [1] column + [2] row, y = [3] + [4] column + [5] row (GDAL's data model).
using Transform = std::array<double, 6>;
constexpr Transform kNoTransform = {0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/// How far from square cells may be, relative: reprojected models carry such rounding, and a side of 1000
/// cells is then off by one cell at most.
constexpr double kSquareTolerance = 1e-3;

/// How far rows and columns may turn away from east and south, relative to a cell: rounding of a header.
constexpr double kRotationTolerance = 1e-6;

/// How far a linear unit may be from 1 m; the US survey foot differs by 0.7.
constexpr double kMetreTolerance = 1e-9;

/// The largest cell that is taken for degrees where no CRS says so: 0.1 degrees are 11 km, 0.1 m are a finer
/// survey than any that comes without its CRS.
constexpr double kLargestDegreeCell = 0.1;

constexpr double kFarthestEast = 720.0;  // degrees; maps go from -180 to 180 or from 0 to 360

constexpr double kZoneDegrees = 6.0;    // width of a UTM zone
constexpr double kUtmNorthern = 84.0;   // degrees; beyond, the polar stereographic grid UPS is used
constexpr double kUtmSouthern = -80.0;  // degrees

struct LongitudeLatitude {
    double longitude = 0.0;  // degrees
    double latitude = 0.0;   // degrees
};

/// EPSG code of the UTM zone (or UPS grid) on WGS 84 that holds a place.
int utm_epsg(const LongitudeLatitude& place) {
    constexpr int kUpsNorth = 32661;
    constexpr int kUpsSouth = 32761;
    constexpr int kUtmNorth = 32600;
    constexpr int kUtmSouth = 32700;
    if (place.latitude > kUtmNorthern) return kUpsNorth;
    if (place.latitude < kUtmSouthern) return kUpsSouth;
    const double turned = std::fmod(place.longitude + 180.0, 360.0);
    const double east_of_date_line = turned < 0.0 ? turned + 360.0 : turned;
    const int zone = std::clamp(static_cast<int>(east_of_date_line / kZoneDegrees) + 1, 1, 60);
    return (place.latitude >= 0.0 ? kUtmNorth : kUtmSouth) + zone;
}

std::optional<LongitudeLatitude> centre_of(GDALDataset& dataset, const Transform& transform,
                                           const OGRSpatialReference& reference) {
    double x = transform[0] + transform[1] * dataset.GetRasterXSize() / 2.0;
    double y = transform[3] + transform[5] * dataset.GetRasterYSize() / 2.0;
    OGRSpatialReference from(reference);
    OGRSpatialReference wgs84;
    wgs84.SetWellKnownGeogCS("WGS84");
    from.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    wgs84.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const std::unique_ptr<OGRCoordinateTransformation> to_wgs84(
        OGRCreateCoordinateTransformation(&from, &wgs84));
    if (to_wgs84 == nullptr || !to_wgs84->Transform(1, &x, &y)) return std::nullopt;
    const bool is_on_earth = std::abs(x) <= kFarthestEast && std::abs(y) <= 90.0;  // false for NaN
    if (!is_on_earth) return std::nullopt;
    return LongitudeLatitude{x, y};
}

/// "reproject it with gdalwarp ..." for the place of the raster, as the end of a sentence.
std::string reprojection_advice(GDALDataset& dataset, const Transform& transform,
                                const OGRSpatialReference& reference, const std::string& name) {
    const std::optional<LongitudeLatitude> centre = centre_of(dataset, transform, reference);
    if (!centre) return "reproject it to a CRS in metres with gdalwarp";
    return fmt::format(
        "reproject it, as --reproject does for the DEM of a verb, with: gdalwarp -t_srs EPSG:{} -r cubic "
        "\"{}\" metres.tif",
        utm_epsg(*centre), name);
}

void check_metres(GDALDataset& dataset, const Transform& transform, const OGRSpatialReference& reference,
                  const std::string& name) {
    const char* crs = reference.GetName() != nullptr ? reference.GetName() : "unnamed";
    if (reference.IsGeographic())
        throw Error::input(fmt::format("{} has coordinates in degrees ({}) and metres are needed; {}", name,
                                       crs, reprojection_advice(dataset, transform, reference, name)));
    const char* unit = nullptr;
    const double metres = reference.GetLinearUnits(&unit);
    if (std::abs(metres - 1.0) > kMetreTolerance)
        throw Error::input(
            fmt::format("{} has coordinates in the unit \"{}\" ({} m) and metres are needed; {}", name,
                        unit != nullptr ? unit : "unknown", metres,
                        reprojection_advice(dataset, transform, reference, name)));
}

void check_cells(const Transform& transform, const std::string& name) {
    const auto refuse = [&](const std::string& reason) {
        throw Error::input(fmt::format("{} {}; resample it with: gdalwarp -tr SIZE SIZE \"{}\" square.tif",
                                       name, reason, name));
    };
    const double width = transform[1];
    const double height = -transform[5];
    for (const double term : transform)
        if (!std::isfinite(term)) refuse("has a position that is no number");
    if (std::max(std::abs(transform[2]), std::abs(transform[4])) > kRotationTolerance * std::abs(width))
        refuse("has rotated rows, and rows from west to east are needed");
    if (!(width > 0.0) || !(height > 0.0))
        refuse(fmt::format(
            "has cells of {} x {} m, and rows from north to south and columns from west to east are "
            "needed",
            width, height));
    if (std::abs(width - height) > kSquareTolerance * width)
        refuse(fmt::format("has cells of {} x {} m, and square cells are needed", width, height));
}

std::string crs_of(const OGRSpatialReference* reference, bool drop_heights) {
    if (reference == nullptr || !drop_heights) return wkt_of(reference);
    OGRSpatialReference horizontal(*reference);
    horizontal.StripVertical();
    return wkt_of(&horizontal);
}

/// The raster's place; nothing where it has none.
std::optional<Transform> transform_of(GDALDataset& dataset) {
    Transform transform = kNoTransform;
    if (dataset.GetGeoTransform(transform.data()) != CE_None || transform == kNoTransform)
        return std::nullopt;
    return transform;
}

bool has_crs(GDALDataset& dataset) {
    const OGRSpatialReference* reference = dataset.GetSpatialRef();
    return reference != nullptr && !reference->IsEmpty();
}

/// The CRS of a raster that may name none.
OGRSpatialReference reference_or_degrees(GDALDataset& dataset) {
    if (has_crs(dataset)) return OGRSpatialReference(*dataset.GetSpatialRef());
    OGRSpatialReference degrees;
    degrees.SetWellKnownGeogCS("WGS84");
    return degrees;
}

}  // namespace

bool looks_like_degrees(GDALDataset& dataset) {
    const std::optional<Transform> place = transform_of(dataset);
    if (has_crs(dataset) || !place) return false;
    const auto& [west, width, column_turn, north, row_turn, height] = *place;
    const double east = west + width * dataset.GetRasterXSize();
    const double south = north + height * dataset.GetRasterYSize();
    return width > 0.0 && width <= kLargestDegreeCell && std::abs(height) <= kLargestDegreeCell &&
           column_turn == 0.0 && row_turn == 0.0 && west >= -180.0 && east <= 360.0 && north <= 90.0 &&
           south >= -90.0;
}

std::string metric_crs_of(GDALDataset& dataset) {
    const std::optional<Transform> place = transform_of(dataset);
    if (!place || (!has_crs(dataset) && !looks_like_degrees(dataset))) return "";
    const OGRSpatialReference reference = reference_or_degrees(dataset);
    if (!reference.IsGeographic() && std::abs(reference.GetLinearUnits() - 1.0) <= kMetreTolerance) return "";
    const std::optional<LongitudeLatitude> centre = centre_of(dataset, *place, reference);
    return centre ? fmt::format("EPSG:{}", utm_epsg(*centre)) : "";
}

Georeference georeference_of(GDALDataset& dataset, const std::string& name, bool drop_heights) {
    const std::optional<Transform> transform = transform_of(dataset);
    Georeference place;
    place.georeferenced = transform.has_value();
    Grid& grid = place.grid;
    grid.columns = dataset.GetRasterXSize();
    grid.rows = dataset.GetRasterYSize();
    grid.north = grid.rows;
    if (place.georeferenced) {
        const OGRSpatialReference* reference = dataset.GetSpatialRef();
        if (has_crs(dataset)) check_metres(dataset, *transform, *reference, name);
        check_cells(*transform, name);
        grid.cell_size = (*transform)[1];
        grid.west = (*transform)[0];
        grid.north = (*transform)[3];
        grid.crs = crs_of(reference, drop_heights);
    }
    try {
        check_grid(grid);
    } catch (const Error& error) {
        throw Error::input(fmt::format("{}: {}", name, error.what()));
    }
    return place;
}

}  // namespace thalweg
