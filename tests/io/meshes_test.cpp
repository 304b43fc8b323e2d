#include "thalweg/io/meshes.hpp"

#include "thalweg/core/error.hpp"

#include <array>
#include <cmath>

#include "temporary_folder.hpp"
#include "tests/io/read_glb.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Field<float> slope(int columns, int rows) {
    const Grid grid{.columns = columns, .rows = rows, .cell_size = 2.0, .west = 1000.0, .north = 500.0};
    Field<float> field(grid);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            field(column, row) = static_cast<float>(10.0 + 0.5 * grid.x(column) - 500.0);
    return field;
}

TEST(Glb, holds_named_meshes_in_metres_with_y_up) {
    const TemporaryFolder folder;
    const SurfaceMesh terrain = {.name = "terrain", .elevation = slope(4, 3)};
    const SurfaceMesh water = {.name = "water",
                               .elevation = slope(4, 3),
                               .material = {.opacity = 0.7F, .roughness = 0.05F},
                               .velocity_east = Field<float>(terrain.elevation.grid(), 1.5F),
                               .velocity_north = Field<float>(terrain.elevation.grid(), -0.5F),
                               .foam = Field<float>(terrain.elevation.grid(), 0.25F)};
    write_glb(folder / "valley.glb", std::array{terrain, water});
    const ReadGlb glb(folder / "valley.glb");
    ASSERT_EQ(glb.json["nodes"].size(), 2U);
    EXPECT_EQ(glb.json["nodes"][0]["name"], "terrain");
    EXPECT_EQ(glb.json["nodes"][1]["name"], "water");
    EXPECT_EQ(glb.json["materials"][1]["alphaMode"], "BLEND");
    EXPECT_THAT(glb.json["scenes"][0]["extras"]["origin"].get<std::vector<double>>(),
                ElementsAre(1004.0, 497.0));

    const nlohmann::json& attributes = glb.json["meshes"][0]["primitives"][0]["attributes"];
    const std::vector<float> positions = glb.values<float>(attributes["POSITION"]);
    ASSERT_EQ(positions.size(), 3U * 12);
    EXPECT_THAT(std::vector<float>(positions.begin(), positions.begin() + 3),
                ElementsAre(-3.0F, 10.5F, -2.0F));
    EXPECT_THAT(std::vector<float>(positions.end() - 3, positions.end()), ElementsAre(3.0F, 13.5F, 2.0F));
    const std::vector<float> normals = glb.values<float>(attributes["NORMAL"]);
    EXPECT_NEAR(normals[0], -0.5 / std::sqrt(1.25), 1e-6);
    EXPECT_NEAR(normals[1], 1.0 / std::sqrt(1.25), 1e-6);
    const nlohmann::json& wet = glb.json["meshes"][1]["primitives"][0]["attributes"];
    EXPECT_THAT(glb.values<float>(wet["_FOAM"]), testing::Each(0.25F));
    EXPECT_THAT(glb.values<float>(wet["_VELOCITY"]), testing::Contains(-0.5F).Times(12));
}

TEST(Glb, has_triangles_that_face_up_and_none_over_cells_without_data) {
    const TemporaryFolder folder;
    SurfaceMesh mesh = {.name = "terrain", .elevation = slope(5, 5)};
    mesh.elevation(2, 2) = kNoData;
    write_glb(folder / "holed.glb", std::array{mesh});
    const ReadGlb glb(folder / "holed.glb");
    const nlohmann::json& primitive = glb.json["meshes"][0]["primitives"][0];
    const std::vector<float> p = glb.values<float>(primitive["attributes"]["POSITION"]);
    const std::vector<std::uint32_t> corners = glb.values<std::uint32_t>(primitive["indices"]);
    EXPECT_EQ(p.size(), 3U * 24);
    ASSERT_EQ(corners.size(), 3U * 2 * (16 - 4));
    for (std::size_t t = 0; t < corners.size(); t += 3) {
        const float* const a = &p[3 * corners[t]];
        const float* const b = &p[3 * corners[t + 1]];
        const float* const c = &p[3 * corners[t + 2]];
        // The y component of (b - a) x (c - a).
        EXPECT_GT((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]), 0.0F);
    }
}

TEST(Glb, takes_colours_of_cells_as_linear_light) {
    const TemporaryFolder folder;
    SurfaceMesh mesh = {.name = "terrain", .elevation = slope(2, 2)};
    mesh.colours = {.width = 2, .height = 2, .rgb = std::vector<std::uint8_t>(12, 188)};
    write_glb(folder / "grey.glb", std::array{mesh});
    const ReadGlb glb(folder / "grey.glb");
    for (const float component :
         glb.values<float>(glb.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"]))
        EXPECT_NEAR(component, 0.5, 0.005);
}

TEST(Glb, is_refused_with_a_sentence_and_leaves_no_file) {
    const TemporaryFolder folder;
    const auto written = [&](const SurfaceMesh& mesh) { write_glb(folder / "bad.glb", std::array{mesh}); };
    EXPECT_THAT([&] { written({.name = "line", .elevation = slope(5, 1)}); },
                ThrowsMessage<Error>(HasSubstr("mesh 'line' has no 2 x 2 cells with data")));
    EXPECT_THAT([&] { written({.name = "w", .elevation = slope(3, 3), .foam = slope(2, 2)}); },
                ThrowsMessage<Error>(HasSubstr("must lie on the grid of its elevation")));
    EXPECT_THAT([&] { written({.name = "w", .elevation = slope(3, 3), .colours = {1, 1, {0, 0, 0}}}); },
                ThrowsMessage<Error>(HasSubstr("colours of mesh 'w' are 1 x 1 pixels: give 3 x 3")));
    EXPECT_FALSE(std::filesystem::exists(folder / "bad.glb"));
}

}  // namespace
}  // namespace thalweg
