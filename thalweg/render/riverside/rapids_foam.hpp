// The foam of rapids. Private to render.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/render/river_view.hpp"

namespace thalweg {

/// Bubbles on water as it is at one time: a web, drawn out along the stream, which the stream carries with
/// it. Pure functions of place; may be asked from many threads at once.
class RapidsFoam {
  public:
    /// `water` is in use as long as this.
    explicit RapidsFoam(const RiverWater& water) : water_(water) {}

    struct Cover {
        float share = 0.0F;  // of a place, that bubbles cover
        float rise = 0.0F;   // 1, of the thickest: how high they lie there
    };

    [[nodiscard]] Cover at(Position p) const;

  private:
    const RiverWater& water_;
};

}  // namespace thalweg
