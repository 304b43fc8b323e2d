// Hand-drawn rivers that the stage `rivers` joins to its network.
#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stages/rivers_stage.hpp"
#include "thalweg/river/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include "tests/river/network_rules.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr double kCell = 10.0;  // m

/// 60 x 60 cells: a valley along the middle column that falls to the south edge, between sides that rise by
/// 2 m a cell.
Field<float> valley() {
    Field<float> z(make_grid(60 * kCell, 60 * kCell, 60));
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 60; ++column)
            z(column, row) = static_cast<float>(200 - row + 2 * std::abs(column - 30));
    return z;
}

struct Point {
    double x, y;  // m
};

/// A GeoJSON with these lines.
void write_lines(const std::filesystem::path& path, const std::vector<std::vector<Point>>& lines,
                 const std::string& crs = "") {
    std::string features;
    for (const std::vector<Point>& line : lines) {
        std::string coordinates;
        for (const Point& point : line)
            coordinates += fmt::format("{}[{},{}]", coordinates.empty() ? "" : ",", point.x, point.y);
        features += fmt::format(
            R"({}{{"type":"Feature","properties":{{}},"geometry":{{"type":"LineString","coordinates":[{}]}}}})",
            features.empty() ? "" : ",", coordinates);
    }
    const std::string member =
        crs.empty() ? "" : fmt::format(R"("crs":{{"type":"name","properties":{{"name":"{}"}}}},)", crs);
    std::ofstream(path) << fmt::format(R"({{"type":"FeatureCollection",{}"features":[{}]}})", member,
                                       features);
}

RiversParameters drawn(const std::filesystem::path& file, double min_area = 2e4) {
    RiversParameters parameters;
    parameters.network.min_area = min_area;
    parameters.network.smoothing = 0.0;
    parameters.drawn_file = file.string();
    return parameters;
}

struct Built {
    RiverNetwork network;
    std::vector<std::string> notes;
};

Built built(const ScratchFolder& folder, const Field<float>& z, const RiversParameters& parameters) {
    write_raster(folder / "dem.tif", z, RasterFormat::GeoTiff);
    QuietProgress quiet;
    const RunResult result =
        run_verb(find_stage("rivers"), &parameters, {.raster = folder / "dem.tif", .grid = {}},
                 {.primary = folder / "rivers.gpkg", .layers = {}}, quiet);
    return {result.landscape.get<RiverNetwork>("rivers"), result.report.stages.front().diagnostics.notes};
}

/// How far a place is from the nearest line of the network, m.
double distance_to(const RiverNetwork& network, const Point& place) {
    double least = 1e300;
    for (const Reach& reach : network.reaches)
        for (const RiverPoint& point : reach.points)
            least = std::min(least, std::hypot(point.x - place.x, point.y - place.y));
    return least;
}

/// The node at a place, or beside it.
const RiverNode* node_at(const RiverNetwork& network, const Point& place) {
    const auto node = std::ranges::find_if(network.nodes, [&](const RiverNode& each) {
        return std::hypot(each.point.x - place.x, each.point.y - place.y) < 1.1 * kCell;
    });
    return node == network.nodes.end() ? nullptr : &*node;
}

TEST(DrawnNetwork, has_a_line_across_the_hillslope_that_joins_the_natural_river) {
    const ScratchFolder folder;
    const std::vector<Point> line = {{105, 405}, {205, 455}, {305, 305}};
    write_lines(folder / "line.geojson", {line});
    const RiverNetwork natural = built(folder, valley(), drawn("")).network;
    const RiverNetwork network = built(folder, valley(), drawn(folder / "line.geojson")).network;
    tests::expect_sound_network(network);
    // It begins where the line begins, though next to nothing drains there.
    EXPECT_EQ(node_at(natural, line.front()), nullptr);
    const RiverNode* const source = node_at(network, line.front());
    ASSERT_NE(source, nullptr);
    EXPECT_EQ(source->kind, NodeKind::Source);
    const auto reach = std::ranges::find(network.reaches, source->id, &Reach::from_node);
    EXPECT_TRUE(reach->drawn);
    const RiverNode* const mouth = node_at(network, line.back());
    ASSERT_NE(mouth, nullptr);
    EXPECT_EQ(mouth->id, reach->to_node);
    EXPECT_EQ(mouth->kind, NodeKind::Confluence);
    for (double share = 0.0; share <= 1.0; share += 0.1) {
        EXPECT_LT(distance_to(network, {105 + 100 * share, 405 + 50 * share}), kCell);
        EXPECT_LT(distance_to(network, {205 + 100 * share, 455 - 150 * share}), kCell);
    }
    // Above and below the place where they meet, the natural river is as it was.
    for (const Reach& each : network.reaches)
        if (!each.drawn) {
            EXPECT_NEAR(each.points.back().x, 305.0, 1e-9);
        }
    EXPECT_FALSE(network.reaches.back().drawn);
}

TEST(DrawnNetwork, runs_from_the_higher_end_to_the_lower_and_as_drawn_where_both_are_level) {
    const ScratchFolder folder;
    const std::vector<Point> up = {{305, 305}, {205, 455}, {105, 405}};
    const std::vector<Point> level = {{405, 205}, {305, 405}, {205, 205}};
    write_lines(folder / "up.geojson", {up});
    write_lines(folder / "level.geojson", {level});
    write_lines(folder / "back.geojson", {{level[2], level[1], level[0]}});
    const auto begins_at = [&](const char* file, const Point& place) {
        const RiverNetwork network = built(folder, valley(), drawn(folder / file, 1e9)).network;
        const RiverNode* const node = node_at(network, place);
        return node != nullptr && node->kind == NodeKind::Source;
    };
    EXPECT_TRUE(begins_at("up.geojson", up[2]));
    EXPECT_TRUE(begins_at("level.geojson", level[0]));
    EXPECT_TRUE(begins_at("back.geojson", level[2]));
}

TEST(DrawnNetwork, never_rises_over_a_ridge_and_takes_the_hillslopes_water_in) {
    const ScratchFolder folder;
    Field<float> z = valley();
    for (int row = 0; row < 60; ++row)
        for (int column = 14; column < 18; ++column) z(column, row) += 80.0F;
    write_lines(folder / "line.geojson", {{{55, 505}, {295, 355}}});
    const RiverNetwork network = built(folder, z, drawn(folder / "line.geojson")).network;
    tests::expect_sound_network(network);
    const RiverNode* const source = node_at(network, {55, 505});
    ASSERT_NE(source, nullptr);
    double area = 0.0;
    for (const Reach& reach : network.reaches)
        if (reach.drawn) area = std::max(area, reach.upland_area);
    EXPECT_GT(area, 100 * kCell * kCell);
}

TEST(DrawnNetwork, joins_lines_that_meet_in_a_confluence) {
    const ScratchFolder folder;
    write_lines(folder / "lines.geojson",
                {{{105, 505}, {155, 405}, {305, 255}}, {{105, 305}, {155, 405}}, {{55, 405}, {155, 405}}});
    const RiverNetwork network = built(folder, valley(), drawn(folder / "lines.geojson", 1e9)).network;
    tests::expect_sound_network(network);
    EXPECT_EQ(std::ranges::count(network.nodes, NodeKind::Source, &RiverNode::kind), 3);
    EXPECT_EQ(std::ranges::count(network.nodes, NodeKind::Outlet, &RiverNode::kind), 1);
    ASSERT_NE(node_at(network, {155, 405}), nullptr);
    EXPECT_EQ(node_at(network, {155, 405})->kind, NodeKind::Confluence);
}

TEST(DrawnNetwork, comes_from_geopackages_too_and_back_from_its_own_file) {
    const ScratchFolder folder;
    write_lines(folder / "line.geojson", {{{105, 405}, {205, 455}, {305, 305}}});
    const RiversParameters parameters = drawn(folder / "line.geojson");
    const RiverNetwork network = built(folder, valley(), parameters).network;
    const RiverNetwork read = read_network(folder / "rivers.gpkg");
    ASSERT_EQ(read.reaches.size(), network.reaches.size());
    for (std::size_t i = 0; i < read.reaches.size(); ++i) {
        EXPECT_EQ(read.reaches[i].id, network.reaches[i].id);
        EXPECT_EQ(read.reaches[i].drawn, network.reaches[i].drawn);
        EXPECT_TRUE(std::ranges::equal(read.reaches[i].points, network.reaches[i].points, tests::same_place));
    }
    // Its own lines, drawn again, are the same network.
    std::filesystem::copy(folder / "rivers.gpkg", folder / "again.gpkg");
    const RiverNetwork again = built(folder, valley(), drawn(folder / "again.gpkg")).network;
    ASSERT_EQ(again.reaches.size(), network.reaches.size());
    for (std::size_t i = 0; i < again.reaches.size(); ++i) {
        EXPECT_EQ(again.reaches[i].id, network.reaches[i].id);
        EXPECT_TRUE(again.reaches[i].drawn);
    }
}

TEST(DrawnNetwork, is_clipped_to_the_grid_and_to_ground_with_data) {
    const ScratchFolder folder;
    Field<float> z = valley();
    for (int row = 20; row < 25; ++row)
        for (int column = 5; column < 12; ++column) z(column, row) = kNoData;
    write_lines(folder / "line.geojson", {{{-500, 375}, {295, 375}}, {{65, 375}, {105, 375}}});
    const Built result = built(folder, z, drawn(folder / "line.geojson", 1e9));
    tests::expect_sound_network(result.network);
    // West of the hole the river leaves into it; east of it another begins.
    EXPECT_EQ(std::ranges::count(result.network.nodes, NodeKind::Source, &RiverNode::kind), 2);
    EXPECT_EQ(std::ranges::count(result.network.nodes, NodeKind::Outlet, &RiverNode::kind), 2);
    EXPECT_THAT(result.notes, Contains(HasSubstr("river 2 has no effect")));
}

std::string refusal(const ScratchFolder& folder, const RiversParameters& parameters) {
    try {
        built(folder, valley(), parameters);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(DrawnNetwork, of_lines_that_cannot_be_followed_is_refused) {
    const ScratchFolder folder;
    write_lines(folder / "far.geojson", {{{100, 100}, {200, 200}}, {{5000, 100}, {6000, 200}}});
    EXPECT_THAT(refusal(folder, drawn(folder / "far.geojson")),
                HasSubstr("river 2 lies outside the landscape"));
    write_lines(folder / "none.geojson", {});
    EXPECT_THAT(refusal(folder, drawn(folder / "none.geojson")), HasSubstr("has no lines"));
    EXPECT_THAT(refusal(folder, drawn(folder / "absent.gpkg")), HasSubstr("absent.gpkg"));
}

/// Big Tujunga, and a canal along its slopes that no water would take by itself.
class DrawnOnBigTujunga : public testing::Test {
  protected:
    void SetUp() override {
        const char* data = std::getenv("THALWEG_DATA");
        const auto path =
            std::filesystem::path(data != nullptr ? data : THALWEG_DATA_DEFAULT) / "bigtujunga.tif";
        if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set THALWEG_DATA";
        elevation = read_raster(path);
        const Grid& grid = elevation.grid();
        const auto at_share = [&](double x, double y) {
            return Point{grid.west + x * grid.width(), grid.north - y * grid.height()};
        };
        lines = {{at_share(0.25, 0.35), at_share(0.35, 0.3), at_share(0.5, 0.45), at_share(0.7, 0.4)},
                 {at_share(0.45, 0.8), at_share(0.45, 0.2)}};
        write_lines(folder / "lines.geojson", lines, "EPSG:32611");
    }
    [[nodiscard]] RiversParameters parameters() const {
        RiversParameters wanted = drawn(folder / "lines.geojson", 1e6);
        wanted.network.smoothing = 2.0;
        wanted.network.spacing = 10.0;
        return wanted;
    }

    ScratchFolder folder;
    Field<float> elevation;
    std::vector<std::vector<Point>> lines;
};

TEST_F(DrawnOnBigTujunga, keeps_the_network_sound_and_follows_the_lines) {
    const RiverNetwork network = built(folder, elevation, parameters()).network;
    tests::expect_sound_network(network);
    std::map<bool, int> count;
    for (const Reach& reach : network.reaches) ++count[reach.drawn];
    EXPECT_GT(count[true], 8);  // pieces from confluence to confluence
    EXPECT_GT(count[false], 200);
    for (const std::vector<Point>& line : lines) {
        int followed = 0, places = 0;
        for (std::size_t i = 1; i < line.size(); ++i)
            for (double share = 0.0; share <= 1.0; share += 0.02, ++places)
                followed += distance_to(network, {line[i - 1].x + share * (line[i].x - line[i - 1].x),
                                                  line[i - 1].y + share * (line[i].y - line[i - 1].y)}) <
                                    2.0 * elevation.grid().cell_size
                                ? 1
                                : 0;
        EXPECT_EQ(followed, places);
    }
}

TEST_F(DrawnOnBigTujunga, is_the_same_on_1_2_and_8_threads_and_comes_back_to_the_bit) {
    std::vector<std::string> files;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        const RiverNetwork network = built(folder, elevation, parameters()).network;
        std::ifstream file(folder / "rivers.gpkg", std::ios::binary);
        files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        const RiverNetwork read = read_network(folder / "rivers.gpkg");
        for (std::size_t i = 0; i < read.reaches.size(); ++i)
            ASSERT_TRUE(
                std::ranges::equal(read.reaches[i].points, network.reaches[i].points, tests::same_place));
    }
    EXPECT_EQ(files[0], files[1]);
    EXPECT_EQ(files[0], files[2]);
}

}  // namespace
}  // namespace thalweg
