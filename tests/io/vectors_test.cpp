#include "thalweg/io/vectors.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/io/gdal_session.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "tests/io/limited_disk.hpp"
#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

/// Two headwaters that join and leave by one outlet, in UTM coordinates.
RiverNetwork small_network(const std::string& crs) {
    RiverNetwork network;
    network.crs = crs;
    const RiverPoint west{500000.123, 4000300.25, 900.5};
    const RiverPoint east{500400.0, 4000300.0, 880.125};
    const RiverPoint join{500200.0626, 4000100.0, 700.75};
    const RiverPoint outlet{500200.0, 4000000.0, 690.0};
    network.nodes = {{3, NodeKind::Source, west},
                     {9, NodeKind::Source, east},
                     {5000000000, NodeKind::Confluence, join},
                     {5000000100, NodeKind::Outlet, outlet}};
    const auto reach = [](std::int64_t id, std::int64_t next, std::int64_t from, std::int64_t to,
                          int strahler, std::vector<RiverPoint> points) {
        return Reach{.id = id,
                     .next_down = next,
                     .from_node = from,
                     .to_node = to,
                     .strahler = strahler,
                     .points = std::move(points),
                     .length = 256.0,
                     .upland_area = 4.0e6,
                     .discharge = 1.5 + static_cast<double>(id),
                     .slope = 0.1,
                     .width = 12.3,
                     .depth = 0.7,
                     .velocity = 1.1,
                     .sinuosity = 1.25};
    };
    network.reaches = {reach(3, 5000000000, 3, 5000000000, 1, {west, {500100.0, 4000200.0, 800.0}, join}),
                       reach(9, 5000000000, 9, 5000000000, 1, {east, join}),
                       reach(5000000000, -1, 5000000000, 5000000100, 2, {join, outlet})};
    return network;
}

/// A chain of reaches with random shapes and quantities.
RiverNetwork random_network(std::uint64_t seed, std::uint64_t reaches) {
    RiverNetwork network;
    std::uint64_t draw = 0;
    const auto random = [&] { return unit_double(random_bits(seed, Stream::Noise, draw++)) * 1e5; };
    for (std::uint64_t i = 0; i <= reaches; ++i)
        network.nodes.push_back({static_cast<std::int64_t>(i * i),
                                 i == 0 ? NodeKind::Source : NodeKind::Confluence,
                                 {random(), random(), random()}});
    for (std::uint64_t i = 0; i < reaches; ++i) {
        Reach& reach = network.reaches.emplace_back();
        reach.id = static_cast<std::int64_t>(random_bits(seed, Stream::Noise, draw++) >> 1);
        reach.next_down = -1;
        reach.from_node = network.nodes[i].id;
        reach.to_node = network.nodes[i + 1].id;
        for (std::uint64_t k = 0; k < 2 + i % 7; ++k) reach.points.push_back({random(), random(), random()});
        for (double* quantity : {&reach.length, &reach.upland_area, &reach.discharge, &reach.slope,
                                 &reach.width, &reach.depth, &reach.velocity, &reach.sinuosity})
            *quantity = random();
    }
    return network;
}

bool same_point(const RiverPoint& a, const RiverPoint& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void expect_same(const RiverNetwork& a, const RiverNetwork& b) {
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    ASSERT_EQ(a.reaches.size(), b.reaches.size());
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        EXPECT_EQ(a.nodes[i].id, b.nodes[i].id);
        EXPECT_EQ(a.nodes[i].kind, b.nodes[i].kind);
        EXPECT_TRUE(same_point(a.nodes[i].point, b.nodes[i].point));
    }
    for (std::size_t i = 0; i < a.reaches.size(); ++i) {
        const Reach& p = a.reaches[i];
        const Reach& q = b.reaches[i];
        EXPECT_EQ(p.id, q.id);
        EXPECT_EQ(p.next_down, q.next_down);
        EXPECT_EQ(p.from_node, q.from_node);
        EXPECT_EQ(p.to_node, q.to_node);
        EXPECT_EQ(p.strahler, q.strahler);
        EXPECT_TRUE(
            std::equal(p.points.begin(), p.points.end(), q.points.begin(), q.points.end(), same_point));
        // Lengths and areas pass through kilometres, which may cost their last bit.
        EXPECT_DOUBLE_EQ(p.length, q.length);
        EXPECT_DOUBLE_EQ(p.upland_area, q.upland_area);
        for (const auto member : {&Reach::discharge, &Reach::slope, &Reach::width, &Reach::depth,
                                  &Reach::velocity, &Reach::sinuosity})
            EXPECT_EQ(p.*member, q.*member);
    }
}

bool same_crs(const std::string& a, const std::string& b) {
    OGRSpatialReference first;
    OGRSpatialReference second;
    if (a.empty() || b.empty()) return a == b;
    return first.importFromWkt(a.c_str()) == OGRERR_NONE && second.importFromWkt(b.c_str()) == OGRERR_NONE &&
           first.IsSame(&second);
}

std::unique_ptr<GDALDataset> open_vectors(const std::filesystem::path& path) {
    GDALAllRegister();
    return std::unique_ptr<GDALDataset>(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
}

TEST(NetworkFiles, in_geopackage_come_back_as_they_were) {
    const TemporaryFolder folder;
    for (const std::string& crs : {wkt_of_epsg(32611), std::string()}) {
        const RiverNetwork network = small_network(crs);
        write_network(folder / "a.gpkg", network);
        const RiverNetwork read = read_network(folder / "a.gpkg");
        expect_same(read, network);
        EXPECT_TRUE(same_crs(read.crs, crs)) << read.crs;
    }
    EXPECT_EQ(folder.files(), 1U);
}

TEST(NetworkFiles, of_random_networks_come_back_as_they_were) {
    const TemporaryFolder folder;
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        const RiverNetwork network = random_network(seed, seed * 60);
        write_network(folder / "a.gpkg", network);
        expect_same(read_network(folder / "a.gpkg"), network);
    }
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
                                               "depth_m", "velocity_ms", "sinuosity"}));
    EXPECT_EQ(reach->GetLayerDefn()->GetFieldDefn(0)->GetType(), OFTInteger64);
    const OGRFeatureUniquePtr feature(reach->GetNextFeature());
    ASSERT_NE(feature, nullptr);
    EXPECT_EQ(feature->GetFieldAsInteger64("next_down"), 5000000000);
    EXPECT_EQ(feature->GetFieldAsDouble("length_km"), 0.256);
    EXPECT_EQ(feature->GetFieldAsDouble("upland_km2"), 4.0);
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
        set_thread_count(threads);
        for (const std::string extension : {".gpkg", ".geojson"}) {
            write_network(folder / ("b" + extension), network);
            EXPECT_TRUE(content_of(folder / ("a" + extension)) == content_of(folder / ("b" + extension)))
                << extension;
        }
    }
    set_thread_count(0);
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
        EXPECT_EQ(error_of([&] { write_network(old, small_network("")); }).exit_code(), 2);
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

/// Makes a GeoPackage with one layer, and the attributes given.
void make_layer(const std::filesystem::path& path, const char* name,
                const std::vector<const char*>& attributes) {
    GDALAllRegister();
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
    const std::unique_ptr<GDALDataset> dataset(driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    OGRLayer* layer = dataset->CreateLayer(name, nullptr, wkbPoint, nullptr);
    for (const char* attribute : attributes) {
        OGRFieldDefn field(attribute, OFTInteger64);
        ASSERT_EQ(layer->CreateField(&field), OGRERR_NONE);
    }
}

TEST(NetworkFiles, without_a_layer_or_attribute_are_refused) {
    const TemporaryFolder folder;
    make_layer(folder / "roads.gpkg", "road", {});
    expect_refused([&] { read_network(folder / "roads.gpkg"); }, "roads.gpkg", "no layer reach");
    make_layer(folder / "half.gpkg", "reach", {"reach_id"});
    expect_refused([&] { read_network(folder / "half.gpkg"); }, "half.gpkg", "no layer node");

    write_network(folder / "cut.gpkg", small_network(""));
    {
        const std::unique_ptr<GDALDataset> dataset(
            GDALDataset::Open((folder / "cut.gpkg").c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
        OGRLayer* layer = dataset->GetLayerByName("reach");
        ASSERT_EQ(layer->DeleteField(layer->GetLayerDefn()->GetFieldIndex("strahler")), OGRERR_NONE);
    }
    expect_refused([&] { read_network(folder / "cut.gpkg"); }, "cut.gpkg", "no attribute strahler");
}

TEST(NetworkFiles, that_are_truncated_are_refused) {
    const TemporaryFolder folder;
    write_network(folder / "whole.gpkg", random_network(3, 400));
    const std::string whole = content_of(folder / "whole.gpkg");
    for (const double part : {0.02, 0.4, 0.8}) {
        const auto bytes = static_cast<std::size_t>(static_cast<double>(whole.size()) * part);
        const std::filesystem::path path = folder.text("cut.gpkg", whole.substr(0, bytes));
        expect_refused([&] { read_network(path); }, "cut.gpkg", "");
    }
}

}  // namespace
}  // namespace thalweg
