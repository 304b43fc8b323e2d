// The sky above a river, and the light that water makes of it. Private to render.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/view/vector3.hpp"

namespace thalweg {

// Linear light of a clear day; empirical.
inline constexpr Colour kSunLight{2.75F, 2.45F, 2.00F};
inline constexpr Colour kSkyLight{0.46F, 0.56F, 0.74F};
inline constexpr Colour kBounceLight{2.2F, 2.0F, 1.7F};

/// A blue sky with fair-weather clouds, and the patterns of light in water. Pure functions of
/// place; may be asked from many threads at once.
class Sky {
  public:
    /// Linear light from a direction (unit, upwards or level).
    [[nodiscard]] Colour light(Vector3 direction) const;

    /// Sun that waves gather on a bed at a position, `depth` metres down, over its mean; about 0.5 to 2.5.
    [[nodiscard]] float caustics(Position p, float depth) const;
};

}  // namespace thalweg
