// Rivers that a project draws or names a file of.
#include "thalweg/core/error.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/river/network.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

const std::string kProject = R"(
[grid]
extent = [6400.0, 6400.0]
cells = 64
[[stage]]
use = "noise"
[[stage]]
use = "erode"
)";

const std::string kLine = R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{},
"geometry":{"type":"LineString","coordinates":[[3200,5000],[2500,0]]}}]})";

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

Field<float> built(const std::string& lines, const std::filesystem::path& folder) {
    const Project project = parse_project(kProject + lines, "p.toml", folder, {});
    return run_project(project, {.write_outputs = false}).landscape.layer("elevation");
}

std::string refusal(const std::string& lines, const std::filesystem::path& folder) {
    try {
        built(lines, folder);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(DrawnRivers, of_a_file_and_of_the_project_itself_make_the_same_terrain) {
    const ScratchFolder folder;
    write(folder / "rivers.geojson", kLine);
    const Field<float> free = built("", folder / "");
    const Field<float> drawn =
        built("[[stage.rivers]]\npoints = [3200.0, 5000.0, 2500.0, 0.0]\n", folder / "");
    EXPECT_NE(drawn, free);
    EXPECT_EQ(built("rivers_file = \"rivers.geojson\"\n", folder / ""), drawn);
}

/// Length over chord of the river that leaves at (2500, 0), up to where the drawn one begins, on 256 cells
/// with its outlets in the south.
double sinuosity_of(const std::string& lines) {
    ScratchFolder folder;
    const std::string text =
        kProject + "boundary = \"south\"\n" + lines + "[[stage]]\nuse = \"rivers\"\nmin_area = 1e6\n";
    const std::string south =
        "[[stage]]\nuse = \"shape\"\nkind = \"plane\"\nlayer = \"south\"\nheight = 0.0\nbase = 0.0\n"
        "[[stage]]\nuse = \"strokes\"\nlayer = \"south\"\n[[stage.strokes]]\npoints = [0.0, 0.0, 6400.0, "
        "0.0]\n"
        "radius = 60.0\nfalloff = 0.0\nstrength = 1.0\n";
    std::string whole = text;
    whole.insert(whole.find("[[stage]]\nuse = \"erode\""), south);
    whole.insert(whole.find("use = \"noise\"\n") + 14, "amplitude = 1.0\nmean = 0.0\n");  // as good as flat
    ProjectOverrides overrides;
    overrides.cells = 256;
    const auto network =
        run_project(parse_project(whole, "p.toml", folder / "", overrides), {.write_outputs = false})
            .landscape.get<RiverNetwork>("rivers");
    std::vector<RiverPoint> points;
    const auto from_mouth = [](const Reach& last) {
        return std::hypot(last.points.back().x - 2500.0, last.points.back().y);
    };
    const Reach* reach = &*std::ranges::min_element(network.reaches, {}, from_mouth);
    for (bool found = true; found;) {
        points.insert(points.begin(), reach->points.begin(), reach->points.end());
        found = false;
        const Reach* larger = nullptr;
        for (const Reach& above : network.reaches)
            if (above.next_down == reach->id &&
                (larger == nullptr || above.upland_area > larger->upland_area))
                larger = &above;
        if (larger != nullptr && larger->points.front().y < 4800.0) {
            reach = larger;
            found = true;
        }
    }
    std::erase_if(points, [](const RiverPoint& point) { return point.y > 4600.0; });
    double length = 0.0;
    for (std::size_t i = 1; i < points.size(); ++i)
        length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    return length / std::hypot(points.back().x - points.front().x, points.back().y - points.front().y);
}

TEST(DrawnRivers, of_two_points_wind_as_rivers_do_unless_they_are_locked) {
    const std::string points = "[[stage.rivers]]\npoints = [3200.0, 5000.0, 2500.0, 0.0]\n";
    EXPECT_GT(sinuosity_of(points), 1.04);
    EXPECT_LT(sinuosity_of(points), 1.3);
    EXPECT_LT(sinuosity_of(points + "locked = true\n"), 1.02);
}

TEST(DrawnRivers, that_cannot_be_followed_are_refused) {
    const ScratchFolder folder;
    EXPECT_THAT(refusal("rivers_file = \"none.gpkg\"\n", folder / ""),
                HasSubstr("p.toml:9:1: erode: rivers_file: "));
    write(folder / "points.geojson", R"({"type":"FeatureCollection","features":[]})");
    EXPECT_THAT(refusal("rivers_file = \"points.geojson\"\n", folder / ""), HasSubstr("has no lines"));
    EXPECT_THAT(refusal("[[stage.rivers]]\npoints = [1.0, 2.0, 3.0]\n", folder / ""),
                HasSubstr("river 1 has 3 coordinates"));
    EXPECT_THAT(refusal("[[stage.rivers]]\npoints = [-10.0, 2.0, -30.0, 5.0]\n", folder / ""),
                HasSubstr("river 1 lies outside the landscape"));
}

}  // namespace
}  // namespace thalweg
