#include "thalweg/io/vectors.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/io/gdal/gdal_session.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "tests/io/limited_disk.hpp"
#include "tests/io/networks.hpp"
#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

std::unique_ptr<GDALDataset> open_vectors(const std::filesystem::path& path) {
    GDALAllRegister();
    return std::unique_ptr<GDALDataset>(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
}

TEST(NetworkFiles, have_the_layers_and_attributes_of_the_conventions) {
    const TemporaryFolder folder;
    write_network(folder / "a.gpkg", small_network(wkt_of_epsg(32611)));
    const auto dataset = open_vectors(folder / "a.gpkg");
    ASSERT_NE(dataset, nullptr);
    ASSERT_EQ(dataset->GetLayerCount(), 2);
    OGRLayer* reach = dataset->GetLayerByName("reach");
    OGRLayer* node = dataset->GetLayerByName("node");
    ASSERT_NE(reach, nullptr);
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(reach->GetGeomType(), wkbLineString25D);
    EXPECT_EQ(node->GetGeomType(), wkbPoint25D);
    std::vector<std::string> names;
    for (int i = 0; i < reach->GetLayerDefn()->GetFieldCount(); ++i)
        names.emplace_back(reach->GetLayerDefn()->GetFieldDefn(i)->GetNameRef());
    EXPECT_EQ(names, (std::vector<std::string>{"reach_id", "next_down", "from_node", "to_node", "strahler",
                                               "length_km", "upland_km2", "discharge_m3s", "slope", "width_m",
                                               "depth_m", "velocity_ms", "sinuosity", "stream_power_m", "ksn",
                                               "drawn", "bankfull_m3s", "children"}));
    EXPECT_EQ(reach->GetLayerDefn()->GetFieldDefn(0)->GetType(), OFTInteger64);
    const OGRFeatureUniquePtr feature(reach->GetNextFeature());
    ASSERT_NE(feature, nullptr);
    EXPECT_EQ(feature->GetFieldAsInteger64("next_down"), 5000000000);
    EXPECT_EQ(feature->GetFieldAsDouble("length_km"), 0.256);
    EXPECT_EQ(feature->GetFieldAsDouble("upland_km2"), 4.0);
}

TEST(NetworkFiles, of_a_history_hold_the_reaches_of_all_times_with_their_time) {
    const TemporaryFolder folder;
    const RiverNetwork early = small_network(wkt_of_epsg(32611));
    RiverNetwork late = early;
    late.reaches.pop_back();
    for (const char* name : {"a.gpkg", "a.geojson"}) {
        write_network_history(folder / name, {{0.0, &early}, {2500.5, &late}});
        const auto dataset = open_vectors(folder / name);
        ASSERT_NE(dataset, nullptr);
        ASSERT_EQ(dataset->GetLayerCount(), 1);
        OGRLayer* layer = dataset->GetLayer(0);
        EXPECT_STREQ(layer->GetName(), "history");
        std::vector<double> times;
        std::vector<GIntBig> ids;
        for (const auto& feature : *layer) {
            times.push_back(feature->GetFieldAsDouble("time"));
            ids.push_back(feature->GetFieldAsInteger64("reach_id"));
            EXPECT_EQ(feature->GetFieldAsDouble("width_m"), 12.3);
        }
        EXPECT_EQ(times, (std::vector<double>{0.0, 0.0, 0.0, 2500.5, 2500.5}));
        EXPECT_EQ(ids, (std::vector<GIntBig>{3, 9, 5000000000, 3, 9}));
    }
    write_network_history(folder / "none.gpkg", {});
    EXPECT_EQ(open_vectors(folder / "none.gpkg")->GetLayer(0)->GetFeatureCount(), 0);
}

TEST(NetworkFiles, in_geojson_keep_their_own_crs_and_millimetres) {
    const TemporaryFolder folder;
    for (const std::string name : {"a.geojson", "b.JSON"}) {
        write_network(folder / name, small_network(wkt_of_epsg(32611)));
        const std::string text = content_of(folder / name);
        EXPECT_NE(text.find("urn:ogc:def:crs:EPSG::32611"), std::string::npos);
        EXPECT_NE(text.find("[ 500000.123, 4000300.25, 900.5 ]"), std::string::npos) << text;
        EXPECT_NE(text.find("[ 500200.063, 4000100.0, 700.75 ]"), std::string::npos) << text;
        const auto dataset = open_vectors(folder / name);
        ASSERT_NE(dataset, nullptr);
        ASSERT_EQ(dataset->GetLayerCount(), 1);
        OGRLayer* layer = dataset->GetLayer(0);
        EXPECT_STREQ(layer->GetName(), "reach");
        EXPECT_EQ(layer->GetFeatureCount(), 3);
        EXPECT_EQ(layer->GetGeomType(), wkbLineString25D);
        const OGRFeatureUniquePtr feature(layer->GetNextFeature());
        EXPECT_EQ(feature->GetFieldAsInteger64("next_down"), 5000000000);
        EXPECT_EQ(feature->GetFieldAsDouble("width_m"), 12.3);
    }
}

TEST(NetworkFiles, in_geojson_say_so_when_their_crs_has_no_code) {
    const TemporaryFolder folder;
    OGRSpatialReference own;
    own.SetProjCS("island grid");
    own.SetWellKnownGeogCS("WGS84");
    own.SetTM(10.0, 20.0, 1.0, 0.0, 0.0);
    for (const std::string& crs : {std::string(), wkt_of(&own)}) {
        write_network(folder / "a.geojson", small_network(crs));
        const std::string text = content_of(folder / "a.geojson");
        EXPECT_NE(text.find("\"crs\": null,"), std::string::npos) << text;
        const auto dataset = open_vectors(folder / "a.geojson");
        ASSERT_NE(dataset, nullptr);
        EXPECT_EQ(dataset->GetLayer(0)->GetFeatureCount(), 3);
    }
}

TEST(NetworkFiles, of_equal_networks_have_equal_bytes_a_second_later) {
    const TemporaryFolder folder;
    const RiverNetwork network = random_network(7, 300);
    for (const std::string name : {"a.gpkg", "a.geojson"}) write_network(folder / name, network);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        for (const std::string extension : {".gpkg", ".geojson"}) {
            write_network(folder / ("b" + extension), network);
            EXPECT_TRUE(content_of(folder / ("a" + extension)) == content_of(folder / ("b" + extension)))
                << extension;
        }
    }
}

TEST(NetworkFiles, of_no_rivers_hold_empty_layers) {
    const TemporaryFolder folder;
    const RiverNetwork none{.nodes = {}, .reaches = {}, .crs = wkt_of_epsg(32611)};
    write_network(folder / "a.gpkg", none);
    const RiverNetwork read = read_network(folder / "a.gpkg");
    EXPECT_TRUE(read.reaches.empty());
    EXPECT_TRUE(read.nodes.empty());
    EXPECT_TRUE(same_crs(read.crs, none.crs));
    write_network(folder / "a.geojson", none);
    const auto dataset = open_vectors(folder / "a.geojson");
    ASSERT_NE(dataset, nullptr);
    ASSERT_EQ(dataset->GetLayerCount(), 1);
    EXPECT_EQ(dataset->GetLayer(0)->GetFeatureCount(), 0);
}

TEST(NetworkFiles, on_a_full_disk_leave_the_old_file_and_nothing_beside) {
    const TemporaryFolder folder;
    for (const std::string name : {"a.gpkg", "a.geojson"}) {
        const std::filesystem::path old = folder.text(name, "old");
        const LimitedDisk disk(256);
        EXPECT_EQ(error_of([&] { write_network(old, small_network("")); }).exit_code(), 1);
        EXPECT_EQ(content_of(old), "old");
    }
    EXPECT_EQ(folder.files(), 2U);
}

TEST(NetworkFiles, of_another_kind_are_refused) {
    const TemporaryFolder folder;
    expect_refused([&] { write_network(folder / "a.shp", {}); }, "a.shp", ".gpkg, .geojson or .json");
    expect_refused([&] { read_network(folder / "missing.gpkg"); }, "missing.gpkg", "no file");
    const std::filesystem::path text = folder.text("text.gpkg", "no rivers here");
    expect_refused([&] { read_network(text); }, "text.gpkg", "can't be opened as a GeoPackage");
    EXPECT_EQ(folder.files(), 1U);
}

}  // namespace
}  // namespace thalweg
