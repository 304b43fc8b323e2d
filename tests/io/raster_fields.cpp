#include "tests/io/raster_fields.hpp"

#include "thalweg/io/gdal/gdal_session.hpp"

#include <ogr_spatialref.h>

namespace thalweg {

std::string wkt_of_epsg(int code) {
    OGRSpatialReference reference;
    reference.importFromEPSG(code);
    return wkt_of(&reference);
}

Grid utm_grid(int columns, int rows) {
    return {.columns = columns,
            .rows = rows,
            .cell_size = 30.0,
            .west = 376313.655454263498541,
            .north = 3807917.827628375496715,
            .crs = wkt_of_epsg(32611)};
}

}  // namespace thalweg
