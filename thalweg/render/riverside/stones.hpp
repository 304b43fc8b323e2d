// Stones on a river's bed and banks. Private to render.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/view/ray_scene.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

/// Cobbles and boulders, many small and few large ones (their number falls with the power 2.6 of the size),
/// half sunk into the ground; those too small to be seen from the camera are left out.
class Stones {
  public:
    /// `density`: of the stones that a gravel bed has, and `surface`: m above the view's 0, and `level` of
    /// the water by height above the same, on one grid, whose middle is the view's; `eye`: where the camera
    /// stands.
    /// Their triangles are added to `triangles`.
    Stones(const Field<float>& density, const Field<float>& surface, const Field<float>& level, Vector3 eye,
           std::vector<Triangle>& triangles);

    /// A place on a stone.
    struct Place {
        Colour albedo;     // linear; dark where it is wet
        Vector3 normal;    // unit
        float sky = 1.0F;  // share of the sky that the ground beside the stone leaves it
    };
    /// `flat`: unit, across the triangle.
    [[nodiscard]] Place at(std::size_t triangle, Vector3 flat, Vector3 place) const;

  private:
    struct Stone {
        Vector3 middle;
        Vector3 half;       // m: along, across, up
        float east = 1.0F;  // unit, along the stone
        float north = 0.0F;
        float ground = 0.0F;  // m above the view's 0
        float level = 0.0F;   // m, of the water; no data: none near
        std::uint64_t draw = 0;
    };

    void add(const Stone& stone, bool is_round, std::vector<Triangle>& triangles);

    std::vector<Stone> stones_;
    std::vector<std::size_t> first_triangle_;  // of each stone
};

}  // namespace thalweg
