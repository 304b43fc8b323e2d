#include "thalweg/project/tables/scene_mesh.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/meshes.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/river_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// Whether there are four cells with data around a corner, of which a mesh makes triangles.
bool has_square(const Field<float>& z) {
    for (int row = 0; row + 1 < z.rows(); ++row)
        for (int column = 0; column + 1 < z.columns(); ++column)
            if (!is_no_data(z(column, row)) && !is_no_data(z(column + 1, row)) &&
                !is_no_data(z(column, row + 1)) && !is_no_data(z(column + 1, row + 1)))
                return true;
    return false;
}

/// The level of the water, and on the dry cells beside it the mean of those that touch them.
Field<float> under_the_banks(const Field<float>& level) {
    Field<float> wider = level;
    const Grid& grid = level.grid();
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            if (!is_no_data(level(column, row))) continue;
            double sum = 0.0;
            int wet = 0;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) {
                    if (!grid.contains(column + i, row + j) || is_no_data(level(column + i, row + j)))
                        continue;
                    sum += static_cast<double>(level(column + i, row + j));
                    ++wet;
                }
            if (wet > 0) wider(column, row) = static_cast<float>(sum / wet);
        }
    return wider;
}

/// Green and light where it is shallow, dark where it is deep, white with foam; sRGB.
Image water_colours(const SceneLayers& scene, const Field<float>& level) {
    constexpr Colour kShallow{0.46F, 0.55F, 0.49F};
    constexpr Colour kDeep{0.10F, 0.24F, 0.25F};
    constexpr Colour kWhite{0.93F, 0.95F, 0.95F};
    constexpr float kClarity = 0.8F;  // m at which two thirds are the colour of deep water (empirical)
    Image image{.width = level.columns(), .height = level.rows(), .rgb = {}};
    image.rgb.reserve(3 * static_cast<std::size_t>(level.size()));
    for (std::int64_t cell = 0; cell < level.size(); ++cell) {
        const float below = level[cell] - scene.elevation[cell];
        const float depth = is_no_data(below) ? 0.0F : std::max(0.0F, below);
        const float foam = scene.foam == nullptr ? 0.0F : (*scene.foam)[cell];
        const Colour colour = mix(mix(kDeep, kShallow, std::exp(-depth / kClarity)), kWhite, foam);
        for (const float component : {colour.red, colour.green, colour.blue})
            image.rgb.push_back(to_byte(component));
    }
    return image;
}

SurfaceMesh water_mesh(const SceneLayers& scene) {
    SurfaceMesh water{.name = "water", .elevation = under_the_banks(*scene.water_elevation)};
    water.colours = water_colours(scene, water.elevation);
    water.material = {.red = 1.0F, .green = 1.0F, .blue = 1.0F, .opacity = 0.8F, .roughness = 0.08F};
    if (scene.velocity_east != nullptr) water.velocity_east = *scene.velocity_east;
    if (scene.velocity_north != nullptr) water.velocity_north = *scene.velocity_north;
    if (scene.foam != nullptr) water.foam = *scene.foam;
    return water;
}

}  // namespace

void check_mesh_file(const std::filesystem::path& path) {
    if (lower_case_extension(path) == ".glb") return;
    throw Error::input(fmt::format("{} has the extension \"{}\": a mesh is written as .glb", path.string(),
                                   lower_case_extension(path)));
}

void write_scene(const std::filesystem::path& path, const SceneLayers& scene) {
    const Field<float> dry(scene.elevation.grid(), kNoData);
    RiverGround ground{.elevation = scene.elevation,
                       .water_level = scene.water_elevation != nullptr ? *scene.water_elevation : dry};
    if (scene.bed_material != nullptr) ground.cover = *scene.bed_material;
    std::vector<SurfaceMesh> meshes;
    meshes.push_back({.name = "terrain",
                      .elevation = scene.elevation,
                      .material = {.red = 1.0F, .green = 1.0F, .blue = 1.0F},
                      .colours = riverside_colours(ground)});
    if (scene.water_elevation != nullptr && has_square(*scene.water_elevation))
        meshes.push_back(water_mesh(scene));
    write_glb(path, meshes);
}

}  // namespace thalweg
