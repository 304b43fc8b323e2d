// Rivers that a project draws or names a file of.
#include "thalweg/core/error.hpp"
#include "thalweg/project/runner.hpp"

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
    QuietProgress quiet;
    const Project project = parse_project(kProject + lines, "p.toml", folder, {});
    return run_project(project, {.write_outputs = false}, quiet).landscape.layer("elevation");
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
