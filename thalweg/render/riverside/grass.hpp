// Blades of grass around a camera. Private to render.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/view/ray_scene.hpp"

#include <memory>
#include <vector>

namespace thalweg {

/// Grass on turf, dense by the camera and thinner away from it, each blade two triangles.
class Grass {
  public:
    /// `turf`: share of turf, and `surface`: m above the view's 0, on one grid, whose middle is the view's;
    /// `eye`: where the camera stands.
    Grass(const Field<float>& turf, const Field<float>& surface, Vector3 eye);

    /// Part::Nothing where the ray meets no blade.
    [[nodiscard]] Hit hit(Vector3 origin, Vector3 direction) const;
    [[nodiscard]] bool blocks(Vector3 origin, Vector3 direction) const;
    /// Linear colour of the blade that was hit at a place: darker towards its root.
    [[nodiscard]] Colour colour(const Hit& hit, Vector3 place) const;

  private:
    struct Blade {
        float root = 0.0F;    // m above the view's 0
        float height = 0.0F;  // m
        float dry = 0.0F;     // 0 green to 1 straw
    };
    std::vector<Blade> blades_;
    std::unique_ptr<RayScene> scene_;  // null where there is no grass
};

}  // namespace thalweg
