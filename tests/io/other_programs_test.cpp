// GDAL's own programs open what we write, as a user's first look at a file does.
#include "thalweg/io/pictures.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"

#include <cstdlib>

#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

bool has_program(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// What a program prints about a file, warnings included; a test failure when it ends with an error.
std::string told_by(const std::string& program, const std::filesystem::path& file,
                    const TemporaryFolder& folder) {
    const std::filesystem::path log = folder / "told.txt";
    const std::string command = program + " '" + file.string() + "' >'" + log.string() + "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << content_of(log);
    return content_of(log);
}

void expect_told(const std::string& told, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
        EXPECT_NE(told.find(part), std::string::npos) << part << "\n" << told;
    for (const char* word : {"ERROR", "Warning"}) EXPECT_EQ(told.find(word), std::string::npos) << told;
}

TEST(GdalInfo, opens_every_raster_that_we_write) {
    if (!has_program("gdalinfo")) GTEST_SKIP() << "gdalinfo is not installed (package gdal-bin)";
    const TemporaryFolder folder;
    const Field<float> field = random_field(utm_grid(300, 200), 1);
    write_raster(folder / "a.tif", field, RasterFormat::GeoTiff);
    expect_told(
        told_by("gdalinfo", folder / "a.tif", folder),
        {"Driver: GTiff", "Size is 300, 200", "UTM zone 11N", "ID[\"EPSG\",32611]", "Type=Float32",
         "Pixel Size = (30.000000000000000,-30.000000000000000)", "NoData Value=-9999", "Block=256x256"});
    write_raster(folder / "cog.tif", field, RasterFormat::Cog);
    expect_told(told_by("gdalinfo", folder / "cog.tif", folder), {"LAYOUT=COG", "NoData Value=-9999"});
    write_raster(folder / "a.png", field, RasterFormat::Png16);
    expect_told(told_by("gdalinfo", folder / "a.png", folder),
                {"Driver: PNG", "Type=UInt16, ColorInterp=Gray"});
    write_png(folder / "map.png", {.width = 2, .height = 1, .rgb = {1, 2, 3, 4, 5, 6}});
    expect_told(told_by("gdalinfo", folder / "map.png", folder),
                {"Driver: PNG", "Size is 2, 1", "ColorInterp=Blue"});
}

TEST(OgrInfo, opens_every_network_that_we_write) {
    if (!has_program("ogrinfo")) GTEST_SKIP() << "ogrinfo is not installed (package gdal-bin)";
    const TemporaryFolder folder;
    // No round numbers: GDAL 3.10 shows 9.0 where 3.6 shows 9.
    RiverNetwork network;
    network.crs = wkt_of_epsg(32611);
    network.nodes = {{.id = 1, .kind = NodeKind::Source, .point = {0.5, 0.25, 9.125}},
                     {.id = 2, .kind = NodeKind::Outlet, .point = {30.5, 40.25, 8.125}}};
    Reach& reach = network.reaches.emplace_back();
    reach.id = 5000000000;
    reach.points = {network.nodes[0].point, network.nodes[1].point};
    for (const std::string name : {"a.gpkg", "a.geojson"}) {
        write_network(folder / name, network);
        expect_told(told_by("ogrinfo -al", folder / name, folder),
                    {"Layer name: reach", "Feature Count: 1", "3D Line String", "UTM zone 11N",
                     "reach_id (Integer64) = 5000000000", "LINESTRING Z (0.5 0.25 9.125,30.5 40.25 8.125)"});
        network.crs.clear();
        write_network(folder / ("local-" + name), network);
        expect_told(told_by("ogrinfo -al", folder / ("local-" + name), folder),
                    {"LINESTRING Z (0.5 0.25 9.125,30.5 40.25 8.125)"});
        network.crs = wkt_of_epsg(32611);
    }
    expect_told(told_by("ogrinfo -al", folder / "a.gpkg", folder),
                {"Layer name: node", "3D Point", "kind (String) = outlet", "POINT Z (30.5 40.25 8.125)"});
}

}  // namespace
}  // namespace thalweg
