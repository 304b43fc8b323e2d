// Meshes of terrain and water for 3-D programs.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/render/image.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace thalweg {

/// What a mesh looks like where its cells have no colours of their own; components from 0 to 1, linear light.
struct MeshMaterial {
    float red = 0.35F;
    float green = 0.32F;
    float blue = 0.27F;
    float opacity = 1.0F;
    float roughness = 1.0F;  // 0 mirrors, 1 is dull
};

/// A surface as a mesh: a vertex for each cell's centre with data, two triangles between four of them.
struct SurfaceMesh {
    std::string name;        // of its node, as 3-D programs show it
    Field<float> elevation;  // m
    MeshMaterial material = {};
    Image colours = {};               // a pixel for each cell, which vertices take; empty: the material's
    Field<float> velocity_east = {};  // m/s, on the grid of the elevation; empty: none
    Field<float> velocity_north = {};
    Field<float> foam = {};  // 0 to 1
};

/// Writes glTF 2.0 in one binary file: a node for each mesh, in metres, y up, x to the east and z to the
/// south, from the middle of the first mesh's grid, which `extras` of the scene name as `origin` [x, y] with
/// the grid's `crs`. Heights are elevations. Vertices have normals, colours as COLOR_0, velocity (east,
/// north) as _VELOCITY and foam as _FOAM, where they are given. Whole or not at all; equal meshes, equal
/// bytes; 28 to 52 bytes a cell in memory and in the file, and 24 for its triangles. Throws Error::input for
/// grids that differ, a mesh without 2 x 2 cells with data, or more than 4 GiB, Error::failure.
///
/// Example:
///     const SurfaceMesh ground = {.name = "terrain", .elevation = elevation};
///     write_glb("valley.glb", std::array{ground});
void write_glb(const std::filesystem::path& path, std::span<const SurfaceMesh> meshes);

}  // namespace thalweg
