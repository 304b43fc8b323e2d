// Scatter: stones, grass and trees on the ground of a river view. Private to render.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/riverside/grass.hpp"
#include "thalweg/render/riverside/stones.hpp"
#include "thalweg/render/riverside/trees.hpp"
#include "thalweg/render/view/ray_scene.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace thalweg {

/// Where stones, grass and trees are scattered; fields on the grid of the view's ground.
struct ScatterGround {
    const Field<float>& surface;  // m above the view's 0
    const Field<float>& turf;     // share
    const Field<float>& straw;    // share of dry grass; empty: none but for patches
    const Field<float>& stones;   // density, over that of a gravel bed
    const Field<float>& water;    // m above the view's 0, level near by
    std::function<TreeSite(Position)> site;
    const Field<float>* forest = nullptr;  // share of trees, on any grid; null: not known
};

/// Stones, grass and trees as one scene for rays. May be asked from many threads at once.
class Scatter {
  public:
    /// As Grass and Trees.
    Scatter(const ScatterGround& ground, Vector3 eye, Vector3 target, Position eye_position);

    /// Nothing that is `farthest` or more away.
    [[nodiscard]] Hit hit(Vector3 origin, Vector3 direction, float farthest) const;
    [[nodiscard]] bool blocks(Vector3 origin, Vector3 direction) const;

    /// How a place takes light.
    struct Light {
        Colour albedo;        // linear
        float facing = 0.0F;  // share of the sun's light that falls on it, where nothing blocks it
        float sky = 1.0F;     // share of the sky's light
        float clear = 0.01F;  // m towards the sun that its own piece may fill
    };
    [[nodiscard]] Light light(const Hit& hit, Vector3 place, Vector3 sun) const;

  private:
    std::vector<Triangle> triangles_;
    Stones stones_;
    std::size_t first_blade_;
    Grass grass_;
    std::size_t first_leaf_;
    Trees trees_;
    std::unique_ptr<RayScene> scene_;  // null where there is nothing
};

}  // namespace thalweg
