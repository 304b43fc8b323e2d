// Blades of grass around a camera. Private to render.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/view/ray_scene.hpp"

#include <cstddef>
#include <vector>

namespace thalweg {

/// Grass on turf, dense by the camera and thinner away from it, each blade two triangles.
class Grass {
  public:
    /// `turf`: share of turf, and `surface`: m above the view's 0, on one grid, whose middle is the view's;
    /// `straw`: share of dry grass on the same grid; empty: none but for patches;
    /// `eye`: where the camera stands, and `ahead`: where it looks to; what lies behind it has no blades.
    /// The blades' triangles are added to `triangles`.
    Grass(const Field<float>& turf, const Field<float>& straw, const Field<float>& surface, Vector3 eye,
          Vector3 ahead, std::vector<Triangle>& triangles);

    /// Linear colour at a place on one of its triangles: darker towards the root of the blade.
    [[nodiscard]] Colour colour(std::size_t triangle, Vector3 place) const;

  private:
    struct Blade {
        float root = 0.0F;    // m above the view's 0
        float height = 0.0F;  // m
        float dry = 0.0F;     // 0 green to 1 straw
    };
    std::vector<Blade> blades_;
};

}  // namespace thalweg
