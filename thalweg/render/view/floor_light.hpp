// The shadow that a block throws on the table it stands on.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/view/ray_scene.hpp"

namespace thalweg {

/// Shares of sun and sky that arrive at a place on the floor, 0 to 1.
struct FloorLight {
    float sun = 1.0F;
    float sky = 1.0F;
};

/// Light on the floor around a block, traced once on a coarse grid and smoothed.
class FloorLights {
  public:
    /// `reach` [m]: how far beyond the block's sides light is traced; full light lies further out. Sun rays
    /// go to a disc of `sun_radius` degrees around `sun` (unit). Hashed draws: same bits on any number of
    /// threads.
    FloorLights(const RayScene& scene, const Block& block, Vector3 sun, double sun_radius, double reach,
                const Progress& progress);

    [[nodiscard]] FloorLight at(float x, float y) const;

  private:
    Field<FloorLight> light_;
};

}  // namespace thalweg
