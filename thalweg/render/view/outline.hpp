// Outline: which way the walls of a block face where its terrain ends at cells without data.
#pragma once

#include "thalweg/render/view/block.hpp"

namespace thalweg {

/// Walls follow the sides of cells; along a slanting outline that makes stairs. An outline's normals follow
/// the slope of the solid area, smoothed over a few cells, so that light runs along it without bars.
class Outline {
  public:
    explicit Outline(const Block& block);

    /// Unit outward normal of the wall at `place`; `normal`, that of the piece which was hit, along the
    /// straight sides of the terrain's rectangle.
    [[nodiscard]] Vector3 outward(Vector3 place, Vector3 normal) const;

  private:
    const Block& block_;
    Field<float> inside_;  // share of solid ground around each vertex; empty when all of it is solid
};

}  // namespace thalweg
