// Terrain and water of a landscape as meshes in one file.
#pragma once

#include "thalweg/grid/field.hpp"

#include <filesystem>

namespace thalweg {

/// What meshes show, on one grid; null or empty where it is not known.
struct SceneLayers {
    const Field<float>& elevation;                  // m
    const Field<float>* bed_material = nullptr;     // 0 to 5
    const Field<float>* water_elevation = nullptr;  // m, no data where it is dry
    const Field<float>* velocity_east = nullptr;    // m/s
    const Field<float>* velocity_north = nullptr;
    const Field<float>* foam = nullptr;  // 0 to 1
};

/// Throws Error::input unless the name ends in .glb.
void check_mesh_file(const std::filesystem::path& path);

/// Writes the mesh "terrain", in the colours of bed and banks (riverside_colours), and where there is water
/// the mesh "water", by its depth and foam, with velocity and foam at its vertices. Water goes on for one
/// cell under the banks, so that it meets them. Throws as write_glb.
void write_scene(const std::filesystem::path& path, const SceneLayers& scene);

}  // namespace thalweg
