// The country around the ground of a river view. Private to render.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/render/river_view.hpp"
#include "thalweg/render/riverside/lit_relief.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace thalweg {

/// Rings of ground and resting water, each of which ends where the one within it begins. May be asked from
/// many threads at once.
class FarGround {
  public:
    /// Around `inner`, whose middle is the view's; `base`: m, height that is 0 in the view. Cost and errors
    /// as lit_relief.
    FarGround(const std::vector<RiverSurroundings>& surroundings, const Grid& inner, float base,
              const Sun& sun, Progress& progress);

    struct Meeting {
        Hit hit;  // Part::Nothing where the ray meets none
        std::size_t ring = 0;
        bool is_water = false;
    };
    /// Nothing that is `farthest` or more away.
    [[nodiscard]] Meeting hit(Vector3 origin, Vector3 direction, float farthest) const;
    [[nodiscard]] GroundPoint at(const Meeting& met, Vector3 place) const;

    /// Ground, as plants find it.
    struct Land {
        float height = kNoData;       // m above the view's 0; no data where there is none
        float above_water = kNoData;  // m, over the water near by; no data: none is
        float soil = 0.0F;            // share
    };
    [[nodiscard]] Land land_at(Position p) const;

  private:
    /// A rectangle of the view, m.
    struct Inside {
        Vector3 middle;
        float half_x = 0.0F;
        float half_y = 0.0F;

        [[nodiscard]] bool holds(Vector3 place) const;
        /// How far a ray from within goes on until it leaves it, m.
        [[nodiscard]] float distance_to_exit(Vector3 origin, Vector3 direction) const;
    };
    struct Ring {
        Inside inside;
        LitRelief ground;
        std::optional<LitRelief> water;
        Field<float> above_water;  // m; empty: nobody knows of water
        Field<float> soil;         // share; empty: all is soil
    };

    /// What a ray meets of a surface outside of the ring's inside; the surface's rim there is closed.
    [[nodiscard]] static Hit outside_hit(const LitRelief& relief, const Inside& inside, Vector3 origin,
                                         Vector3 direction, float farthest);

    std::vector<Ring> rings_;  // from near to far
};

}  // namespace thalweg
