#include "thalweg/io/river_lines.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/vectors.hpp"

#include <array>

#include "temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogr_spatialref.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string utm(int zone) {
    OGRSpatialReference reference;
    reference.importFromEPSG(32600 + zone);
    char* text = nullptr;
    const std::array<const char*, 2> options = {"FORMAT=WKT2_2019", nullptr};
    reference.exportToWkt(&text, options.data());
    std::string wkt = text;
    CPLFree(text);
    return wkt;
}

std::string collection(const std::string& geometries, const std::string& crs = "") {
    return R"({"type":"FeatureCollection",)" + crs + R"("features":[)" + geometries + "]}";
}

std::string feature(const std::string& type, const std::string& coordinates) {
    return R"({"type":"Feature","properties":{},"geometry":{"type":")" + type + R"(","coordinates":)" +
           coordinates + "}}";
}

std::string refusal(const fs::path& path, const std::string& crs = "") {
    try {
        read_river_lines(path, crs);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(RiverLines, are_those_of_geojson_in_their_order_with_every_part_of_a_multi_line) {
    const TemporaryFolder folder;
    const fs::path path =
        folder.text("r.geojson",
                    collection(feature("LineString", "[[1,2],[3,4,99]]") + "," + feature("Point", "[7,7]") +
                               "," + feature("MultiLineString", "[[[5,6],[7,8]],[[9,10],[11,12],[13,14]]]")));
    const std::vector<DrawnRiver> rivers = read_river_lines(path, "");
    ASSERT_EQ(rivers.size(), 3U);
    EXPECT_THAT(rivers[0].points, ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(rivers[1].points, ElementsAre(5, 6, 7, 8));
    EXPECT_THAT(rivers[2].points, ElementsAre(9, 10, 11, 12, 13, 14));
}

TEST(RiverLines, are_found_in_collections_of_geometries_and_in_collections_of_those) {
    const TemporaryFolder folder;
    const std::string inner =
        R"({"type":"GeometryCollection","geometries":[{"type":"MultiLineString","coordinates":[[[5,6],[7,8]],[[9,9],[8,8]]]}]})";
    const std::string outer =
        R"({"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[)"
        R"({"type":"Point","coordinates":[7,7]},{"type":"LineString","coordinates":[[1,2],[3,4]]},)" +
        inner + "]}}";
    const fs::path path = folder.text("r.geojson", collection(outer));
    const std::vector<DrawnRiver> rivers = read_river_lines(path, "");
    ASSERT_EQ(rivers.size(), 3U);
    EXPECT_THAT(rivers[0].points, ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(rivers[1].points, ElementsAre(5, 6, 7, 8));
    EXPECT_THAT(rivers[2].points, ElementsAre(9, 9, 8, 8));
}

TEST(RiverLines, are_locked_where_their_attribute_says_so) {
    const TemporaryFolder folder;
    std::string features;
    for (const char* properties :
         {R"("locked":true)", R"("locked":false)", R"("locked":null)", R"("locked":1)"})
        features += std::string(features.empty() ? "" : ",") + R"({"type":"Feature","properties":{)" +
                    properties + R"(},"geometry":{"type":"MultiLineString","coordinates":[[[5,6],[7,8]]]}})";
    const std::vector<DrawnRiver> rivers =
        read_river_lines(folder.text("r.geojson", collection(features)), "");
    ASSERT_EQ(rivers.size(), 4U);
    EXPECT_TRUE(rivers[0].locked);
    EXPECT_FALSE(rivers[1].locked);
    EXPECT_FALSE(rivers[2].locked);
    EXPECT_TRUE(rivers[3].locked);
    const auto plain =
        read_river_lines(folder.text("p.geojson", collection(feature("LineString", "[[1,2],[3,4]]"))), "");
    EXPECT_FALSE(plain.front().locked);
}

TEST(RiverLines, come_back_from_a_network_that_was_written) {
    const TemporaryFolder folder;
    RiverNetwork network;
    network.crs = utm(32);
    network.nodes = {{.id = 1, .kind = NodeKind::Source, .point = {500.0, 900.0, 7.0}},
                     {.id = 2, .kind = NodeKind::Outlet, .point = {600.0, 800.0, 5.0}}};
    Reach reach;
    reach.id = 1;
    reach.from_node = 1;
    reach.to_node = 2;
    reach.points = {{500.0, 900.0, 7.0}, {550.0, 880.0, 6.0}, {600.0, 800.0, 5.0}};
    network.reaches = {reach};
    const fs::path path = folder.path() / "n.gpkg";
    write_network(path, network);
    const std::vector<DrawnRiver> rivers = read_river_lines(path, utm(32));
    ASSERT_EQ(rivers.size(), 1U);
    EXPECT_THAT(rivers[0].points, ElementsAre(500.0, 900.0, 550.0, 880.0, 600.0, 800.0));
    EXPECT_THAT(refusal(path, utm(33)),
                HasSubstr("n.gpkg: its coordinate system, WGS 84 / UTM zone 32N, differs "
                          "from the landscape's, WGS 84 / UTM zone 33N: reproject it"));
    EXPECT_EQ(refusal(path, ""), "no error");
}

TEST(RiverLines, in_degrees_are_refused_where_the_landscape_has_a_coordinate_system) {
    const TemporaryFolder folder;
    const fs::path path = folder.text("r.json", collection(feature("LineString", "[[7.1,46.2],[7.3,46.1]]")));
    EXPECT_THAT(refusal(path, utm(32)), HasSubstr("r.json: its coordinate system, WGS 84, is in degrees"));
}

TEST(RiverLines, need_a_file_that_has_some) {
    const TemporaryFolder folder;
    EXPECT_THAT(refusal(folder.text("p.geojson", collection(feature("Point", "[1,2]")))),
                HasSubstr("p.geojson has no lines: give rivers as lines that run downstream"));
    EXPECT_THAT(refusal(folder.text("b.geojson", "{ not json")), HasSubstr("b.geojson can't be"));
    EXPECT_THAT(refusal(folder.path() / "none.gpkg"), HasSubstr("none.gpkg is no file"));
    EXPECT_THAT(refusal(folder.path() / "r.tif"),
                HasSubstr("r.tif has the extension \".tif\": rivers are read"));
}

TEST(Springs, are_the_points_of_a_file_with_every_part_of_a_multi_point) {
    const TemporaryFolder folder;
    const fs::path path = folder.text(
        "s.geojson", collection(feature("Point", "[1,2]") + "," + feature("LineString", "[[7,7],[8,8]]") +
                                "," + feature("MultiPoint", "[[3,4],[5,6,9]]")));
    const std::vector<Spring> springs = read_springs(path, "");
    ASSERT_EQ(springs.size(), 3U);
    EXPECT_EQ(springs[0].x, 1.0);
    EXPECT_EQ(springs[1].y, 4.0);
    EXPECT_EQ(springs[2].x, 5.0);
}

TEST(Springs, need_a_file_that_has_some) {
    const TemporaryFolder folder;
    const fs::path lines = folder.text("l.geojson", collection(feature("LineString", "[[1,2],[3,4]]")));
    try {
        read_springs(lines, "");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("l.geojson has no points: give springs as points"));
    }
}

}  // namespace
}  // namespace thalweg
