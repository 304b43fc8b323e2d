#include "thalweg/core/error.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/river/extract.hpp"
#include "thalweg/river/network_checks.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "tests/flow/terrains.hpp"
#include "tests/io/networks.hpp"
#include "tests/io/raster_fields.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/river/braids.hpp"
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

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

RiverNetwork rounded_to_millimetres(RiverNetwork network) {
    const auto round = [](RiverPoint& point) {
        for (double* value : {&point.x, &point.y, &point.z}) *value = std::round(*value * 1e3) / 1e3;
    };
    for (RiverNode& node : network.nodes) round(node.point);
    for (Reach& reach : network.reaches) std::ranges::for_each(reach.points, round);
    return network;
}

TEST(NetworkFiles, of_centrelines_come_back_as_they_were) {
    const TemporaryFolder folder;
    QuietProgress progress;
    const FlowResult flow = route(tests::white_terrain(60, 50, 3), {}, progress);
    const RiverNetwork network = extract_network(flow.tree, flow.drainage_area, flow.elevation,
                                                 {.min_area = 1000.0, .spacing = 1.7}, progress);
    ASSERT_GT(network.reaches.size(), 20U);
    write_network(folder / "a.gpkg", network);
    expect_same(read_network(folder / "a.gpkg"), without_values(network));
    write_network_points(folder / "p.gpkg", network);
    expect_same(read_network(folder / "p.gpkg"), network);
    write_network(folder / "a.geojson", network);
    EXPECT_EQ(read_network(folder / "a.geojson").reaches.size(), network.reaches.size());
}

TEST(NetworkFiles, with_values_of_points_come_back_as_they_were) {
    const TemporaryFolder folder;
    for (const std::uint64_t seed : {1, 2, 3}) {
        const RiverNetwork network = with_values(random_network(seed, seed * 40));
        write_network_points(folder / "a.gpkg", network);
        const RiverNetwork read = read_network(folder / "a.gpkg");
        expect_same(read, network);
        write_network_points(folder / "b.gpkg", read);
        EXPECT_TRUE(content_of(folder / "a.gpkg") == content_of(folder / "b.gpkg"));
    }
}

TEST(NetworkFiles, with_types_of_reaches_come_back_as_they_were) {
    const TemporaryFolder folder;
    RiverNetwork network = small_network("");
    network.reaches[0].type = "A+";
    network.reaches[2].type = "C";
    for (const char* const name : {"rivers.gpkg", "rivers.geojson"}) {
        write_network(folder / name, network);
        const RiverNetwork found = read_network(folder / name);
        for (std::size_t i = 0; i < network.reaches.size(); ++i)
            EXPECT_EQ(found.reaches[i].type, network.reaches[i].type) << name;
    }
}

TEST(NetworkFiles, of_points_alone_are_tables) {
    const TemporaryFolder folder;
    RiverNetwork network = small_network("");
    network.reaches[1].values = {
        .width = {2.5F, 3.0F}, .depth = {0.5F, 0.625F}, .discharge = {0.125F, 0.25F}};
    write_network_points(folder / "a.csv", network);
    EXPECT_EQ(content_of(folder / "a.csv"),
              "x,y,z,reach_id,point,width_m,depth_m,discharge_m3s\n"
              "500400,4000300,880.125,9,0,2.5,0.5,0.125\n"
              "500200.0626,4000100,700.75,9,1,3,0.625,0.25\n");
    write_network_points(folder / "a.geojson", network);
    EXPECT_NE(content_of(folder / "a.geojson").find("\"name\": \"reach_point\""), std::string::npos);
}

/// Changes a GeoPackage by one statement of SQL.
void change(const std::filesystem::path& path, const char* statement) {
    const std::unique_ptr<GDALDataset> dataset(
        GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
    ASSERT_NE(dataset, nullptr);
    dataset->ReleaseResultSet(dataset->ExecuteSQL(statement, nullptr, nullptr));
}

TEST(NetworkFiles, with_values_of_points_that_are_not_there_or_missing_are_refused) {
    const TemporaryFolder folder;
    const auto refused = [&](const char* statement, const char* words) {
        write_network_points(folder / "p.gpkg", with_values(small_network("")));
        change(folder / "p.gpkg", statement);
        expect_refused([&] { read_network(folder / "p.gpkg"); }, "p.gpkg", words);
    };
    refused("UPDATE reach_point SET reach_id = 4 WHERE fid = 1",
            "feature 1 of layer reach_point has the reach_id 4, and there is no such reach");
    refused("UPDATE reach_point SET point = 3 WHERE fid = 1",
            "is point 3 of reach 3, which has points 0 to 2");
    refused("UPDATE reach_point SET point = -1 WHERE fid = 1", "is point -1 of reach 3");
    refused("DELETE FROM reach_point WHERE fid = 2", "reach 3 has the width, depth or discharge nan");
    refused("UPDATE reach_point SET depth_m = NULL WHERE fid = 2", "has no value of depth_m");
    refused("UPDATE reach_point SET width_m = -1 WHERE fid = 2",
            "reach 3 has the width, depth or discharge -1 at its point 2");
}

TEST(NetworkFiles, of_earlier_versions_tell_bankfull_discharge_and_no_mean_flow) {
    const RiverNetwork old =
        read_network(std::filesystem::path(THALWEG_SOURCE_DIR) / "tests/io/rivers-before-bankfull.geojson");
    RiverNetwork expected = rounded_to_millimetres(small_network(wkt_of_epsg(32611)));
    for (Reach& reach : expected.reaches) reach.discharge = 0.0;
    expect_same(old, expected);

    const TemporaryFolder folder;
    write_network(folder / "a.gpkg", small_network(""));
    change(folder / "a.gpkg", "UPDATE reach SET discharge_m3s = bankfull_m3s");
    change(folder / "a.gpkg", "ALTER TABLE reach DROP COLUMN bankfull_m3s");
    change(folder / "a.gpkg", "ALTER TABLE reach DROP COLUMN children");
    const RiverNetwork older = read_network(folder / "a.gpkg");
    ASSERT_EQ(older.reaches.size(), 3U);
    EXPECT_EQ(older.reaches[1].bankfull_discharge, 10.5);
    EXPECT_EQ(older.reaches[1].discharge, 0.0);
}

TEST(NetworkFiles, of_braids_come_back_as_they_were_where_a_general_network_will_do) {
    const TemporaryFolder folder;
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        const RiverNetwork network = tests::braided_network(seed, 10 * seed);
        write_network_points(folder / "a.gpkg", network);
        expect_same(read_network(folder / "a.gpkg", NetworkProfile::General), network);
        expect_refused([&] { read_network(folder / "a.gpkg"); }, "a.gpkg", "in a forest no river parts");
    }
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
    expect_refused([&] { read_network(folder / "roads.gpkg"); }, "roads.gpkg",
                   "no layer reach, but layer road: give a network");
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

TEST(NetworkFiles, of_other_kinds_are_refused_with_what_they_hold) {
    const TemporaryFolder folder;
    const RiverNetwork network = with_values(small_network(""));
    const auto refused = [&](const char* name, const char* words) {
        expect_refused([&] { read_network(folder / name); }, name, words);
    };
    for (const char* name : {"old.gpkg", "old.geojson"})
        write_network_history(folder / name, {{0.0, &network}, {5e2, &network}});
    write_network_points(folder / "points.geojson", network);
    refused("old.gpkg", "no layer reach, but layer history, the reaches of many times: give a network");
    refused("old.geojson", "holds the reaches of many times, and no network: give a network");
    refused("points.geojson", "holds values at the points of reaches, and no network: give a network");
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

TEST(NetworkFiles, in_geojson_come_back_to_the_millimetre) {
    const TemporaryFolder folder;
    for (const std::string& crs : {wkt_of_epsg(32611), std::string()})
        for (const std::uint64_t seed : {1, 2, 3}) {
            RiverNetwork network = rounded_to_millimetres(random_network(seed, seed * 40));
            network.crs = crs;
            write_network(folder / "a.geojson", network);
            const RiverNetwork read = read_network(folder / "a.geojson");
            expect_same(read, network);
            EXPECT_TRUE(same_crs(read.crs, crs)) << read.crs;
        }
}

TEST(NetworkFiles, read_and_written_again_have_equal_bytes) {
    const TemporaryFolder folder;
    for (const std::string extension : {".gpkg", ".geojson"})
        for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
            RiverNetwork network = random_network(seed, seed * seed * 9);
            for (Reach& reach : network.reaches) reach.length *= 1.1;  // no longer as files hold it
            network.crs = seed % 2 == 0 ? wkt_of_epsg(32600 + static_cast<int>(seed)) : std::string();
            write_network(folder / ("a" + extension), network);
            write_network(folder / ("b" + extension), read_network(folder / ("a" + extension)));
            EXPECT_TRUE(content_of(folder / ("a" + extension)) == content_of(folder / ("b" + extension)))
                << extension << ", seed " << seed;
        }
}

TEST(NetworkFiles, of_no_rivers_come_back_from_geojson) {
    const TemporaryFolder folder;
    write_network(folder / "a.geojson", {.nodes = {}, .reaches = {}, .crs = wkt_of_epsg(32611)});
    const RiverNetwork read = read_network(folder / "a.geojson");
    EXPECT_TRUE(read.reaches.empty());
    EXPECT_TRUE(read.nodes.empty());
    EXPECT_TRUE(same_crs(read.crs, wkt_of_epsg(32611)));
}

TEST(NetworkFiles, in_another_order_are_put_upstream_before_downstream) {
    const TemporaryFolder folder;
    RiverNetwork network = random_network(4, 90);
    std::ranges::reverse(network.reaches);
    write_network(folder / "a.gpkg", network);
    const RiverNetwork read = read_network(folder / "a.gpkg");
    ASSERT_EQ(read.reaches.size(), network.reaches.size());
    std::vector<std::int64_t> passed;
    for (const Reach& reach : read.reaches) {
        EXPECT_EQ(std::ranges::count(passed, reach.next_down), 0);
        passed.push_back(reach.id);
    }
}

/// A network that is like small_network but for one thing, and the words by which it is refused.
struct BrokenNetwork {
    void (*break_it)(RiverNetwork&);
    const char* words;
};
const std::vector<BrokenNetwork> kBrokenNetworks = {
    {[](RiverNetwork& n) { n.reaches[2].next_down = 3; },
     "reach 5000000000 ends at node 5000000100, but reach 3 below it begins at node 3"},
    {[](RiverNetwork& n) {
         n.reaches[2].next_down = n.reaches[2].to_node = n.reaches[2].id;
         for (RiverPoint& point : n.reaches[2].points) point = n.nodes[2].point;
     },
     "reach 5000000000 flows into itself: its way down leads in a circle"},
    {[](RiverNetwork& n) { n.reaches[0].next_down = 77; },
     "reach 3 has the next_down 77, and there is no such reach"},
    {[](RiverNetwork& n) { n.reaches[0].next_down = -5; }, "reach 3 has the next_down -5"},
    {[](RiverNetwork& n) { n.reaches[0].next_down = -1; },
     "reach 3 has no reach below it, but its node 5000000000 is no outlet"},
    {[](RiverNetwork& n) { n.reaches[1].from_node = 77; },
     "reach 9 has the from_node 77, and there is no such node"},
    {[](RiverNetwork& n) { n.reaches[1].to_node = 77; }, "reach 9 has the to_node 77"},
    {[](RiverNetwork& n) { n.reaches[1].id = 3; }, "reach 3 is there twice"},
    {[](RiverNetwork& n) { n.reaches[1].id = -3; }, "reach -3 has a negative id"},
    {[](RiverNetwork& n) { n.nodes[1].id = 3; }, "node 3 is there twice"},
    {[](RiverNetwork& n) { n.reaches[0].strahler = 0; }, "reach 3 has the strahler order 0"},
    {[](RiverNetwork& n) { n.reaches[0].points[1].z = 950.0; }, "reach 3 rises from 900.5 m to 950 m"},
    {[](RiverNetwork& n) { n.reaches[0].points[0].x += 1.0; }, "reach 3 does not begin at its node 3"},
    {[](RiverNetwork& n) { n.reaches[0].points[2].y += 1.0; }, "reach 3 does not end at its node"},
    {[](RiverNetwork& n) { n.reaches[0].points[1].y = std::nan(""); }, "reach 3 has a coordinate"},
    {[](RiverNetwork& n) { n.nodes[0].point.z = HUGE_VAL; }, "node 3 has a coordinate"},
    {[](RiverNetwork& n) { n.reaches[0].width = HUGE_VAL; },
     "reach 3 has an attribute that is no finite number"},
    {[](RiverNetwork& n) { n.reaches[0].width = std::nan(""); },
     "feature 1 of layer reach has no value of width_m"},
    {[](RiverNetwork& n) { n.reaches[0].points.resize(1); },
     "feature 1 of layer reach is a line of 1 points: at least 2 are needed"},
    {[](RiverNetwork& n) { n.reaches[0].points.clear(); }, "feature 1 of layer reach is"},
};

TEST(NetworkFiles, that_break_a_rule_are_refused_in_one_sentence) {
    const TemporaryFolder folder;
    for (const BrokenNetwork& broken : kBrokenNetworks) {
        RiverNetwork network = small_network("");
        broken.break_it(network);
        write_network(folder / "broken.gpkg", network);
        expect_refused([&] { read_network(folder / "broken.gpkg"); }, "broken.gpkg", broken.words);
    }
}

TEST(NetworkFiles, in_geojson_that_break_a_rule_are_refused) {
    const TemporaryFolder folder;
    write_network(folder / "whole.geojson", small_network(wkt_of_epsg(32611)));
    const std::string whole = content_of(folder / "whole.geojson");
    const auto broken = [&](const std::string& text, const std::string& by) {
        std::string changed = whole;
        const std::size_t place = changed.find(text);
        EXPECT_NE(place, std::string::npos) << text;
        return folder.text("broken.geojson", changed.replace(place, text.size(), by));
    };
    const auto refused = [&](const std::filesystem::path& path, const char* words) {
        expect_refused([&] { read_network(path); }, "broken.geojson", words);
    };
    refused(broken("\"next_down\": 5000000000", "\"next_down\": 12"), "there is no such reach");
    refused(broken("\"width_m\": 12.3", "\"width_m\": null"), "has no value of width_m");
    refused(broken("\"slope\": 0.1", "\"slope\": \"steep\""), "slope of its layer reach is of type String");
    refused(broken("EPSG::32611", "EPSG::4326"), "no \"crs\" member with a system in metres");
    refused(folder.text("broken.geojson", whole.substr(0, whole.size() / 2)), "");
    refused(folder.text("broken.geojson", R"({"type": "FeatureCollection", "features": []})"), "crs");
    refused(folder.text("broken.geojson",
                        R"({"type": "FeatureCollection", "crs": null, "features": [{"type": "Feature",
                        "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 2]}}]})"),
            "has no attribute reach_id");
}

}  // namespace
}  // namespace thalweg
