// Terrain or water that rays meet, with its light. Private to render.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/view/block.hpp"
#include "thalweg/render/view/ground.hpp"
#include "thalweg/render/view/ray_scene.hpp"

#include <limits>
#include <memory>

namespace thalweg {

/// A surface somewhere in a view's world. Can be moved; may be asked from many threads at once.
struct LitRelief {
    Vector3 middle;  // of its grid, in the view's coordinates
    Block block;
    std::unique_ptr<RayScene> scene;
    Field<GroundPoint> points;

    /// Nothing where the ray meets a wall along the surface's outline, and what is `farthest` or more away.
    [[nodiscard]] Hit hit(Vector3 origin, Vector3 direction,
                          float farthest = std::numeric_limits<float>::infinity()) const;
    [[nodiscard]] GroundPoint at(Vector3 place) const;
};

/// Lights `surface` [m above the view's 0], whose `albedo` is linear. Cost and errors as light_ground and
/// RayScene.
LitRelief lit_relief(const Field<float>& surface, const Field<Colour>& albedo, Vector3 middle, const Sun& sun,
                     Progress& progress);

/// The least value that is there.
float lowest_of(const Field<float>& field);

}  // namespace thalweg
