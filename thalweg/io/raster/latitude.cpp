#include "thalweg/io/latitude.hpp"

#include "thalweg/io/gdal/gdal_session.hpp"

#include <cmath>
#include <memory>

#include <ogr_spatialref.h>

namespace thalweg {

std::optional<double> latitude_of(const Grid& grid) {
    constexpr double kPerDegree = 1000.0;  // versions of PROJ differ beyond
    if (grid.crs.empty()) return std::nullopt;
    const GdalSession session;
    OGRSpatialReference from;
    OGRSpatialReference wgs84;
    if (from.importFromWkt(grid.crs.c_str()) != OGRERR_NONE) return std::nullopt;
    wgs84.SetWellKnownGeogCS("WGS84");
    from.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    wgs84.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const std::unique_ptr<OGRCoordinateTransformation> to_wgs84(
        OGRCreateCoordinateTransformation(&from, &wgs84));
    double x = grid.west + 0.5 * grid.width();
    double y = grid.north - 0.5 * grid.height();
    const bool is_known = to_wgs84 != nullptr && to_wgs84->Transform(1, &x, &y) && std::abs(y) <= 90.0;
    return is_known ? std::optional(std::round(kPerDegree * y) / kPerDegree) : std::nullopt;
}

}  // namespace thalweg
