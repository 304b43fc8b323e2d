// GeoTIFFs as any program may make them, for tests of reading.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include <cpl_string.h>
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogr_spatialref.h>

namespace thalweg {

/// What a test file is made of; values are 0, 1, 2, ... unless given.
struct MadeRaster {
    int columns = 4;
    int rows = 3;
    GDALDataType type = GDT_Float32;
    std::array<double, 6> transform = {500000.0, 30.0, 0.0, 4000000.0, 0.0, -30.0};
    std::string crs = wkt_of_epsg(32611);
    std::optional<double> no_data{};
    double scale = 1.0;
    double offset = 0.0;
    std::string unit{};
    std::vector<double> values{};
    std::vector<std::string> options{};
};

/// Writes made.tif.
inline std::filesystem::path make(const TemporaryFolder& folder, const MadeRaster& made) {
    GDALAllRegister();
    const std::filesystem::path path = folder / "made.tif";
    char** options = nullptr;
    for (const std::string& option : made.options) options = CSLAddString(options, option.c_str());
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
    const std::unique_ptr<GDALDataset> dataset(
        driver->Create(path.c_str(), made.columns, made.rows, 1, made.type, options));
    CSLDestroy(options);
    std::array<double, 6> transform = made.transform;
    dataset->SetGeoTransform(transform.data());
    OGRSpatialReference reference;
    if (!made.crs.empty() && reference.importFromWkt(made.crs.c_str()) == OGRERR_NONE)
        dataset->SetSpatialRef(&reference);
    GDALRasterBand* band = dataset->GetRasterBand(1);
    if (made.no_data) band->SetNoDataValue(*made.no_data);
    if (made.scale != 1.0) band->SetScale(made.scale);
    if (made.offset != 0.0) band->SetOffset(made.offset);
    if (!made.unit.empty()) band->SetUnitType(made.unit.c_str());
    std::vector<double> values = made.values;
    if (values.empty()) {
        values.resize(static_cast<std::size_t>(made.columns) * made.rows);
        std::iota(values.begin(), values.end(), 0.0);
    }
    EXPECT_EQ(band->RasterIO(GF_Write, 0, 0, made.columns, made.rows, values.data(), made.columns, made.rows,
                             GDT_Float64, 0, 0, nullptr),
              CE_None);
    return path;
}

}  // namespace thalweg
