// Detail finer than a mesh can carry, given back where hardly anything was eroded.
#pragma once

#include "thalweg/erosion/network/area_prior.hpp"
#include "thalweg/grid/field.hpp"

#include <vector>

namespace thalweg {

/// Ground that has aged, all on one grid. `initial` and `blurred` have data wherever the terrain has.
struct AgedGround {
    const Field<float>& initial;       // m, at time 0
    const Field<float>& blurred;       // m, the same as the mesh carries it
    const std::vector<float>& uplift;  // u, m/yr
    double time;                       // yr
};

/// Lowers `terrain` [m] to no more than initial + u t: erosion alone never builds up.
void cap_at_uplifted(const AgedGround& ground, Field<float>& terrain);

/// What wipes out detail: what was eroded, or also what was laid down.
enum class DetailLoss { Erosion, ErosionAndDeposition };

/// Gives `terrain` [m] the detail that blurred ground has lost, so that ground that erosion has not reached
/// stays as it was:
///   terrain += max(0, 1 - depth / (0.1 cells)) (initial - blurred)
/// depth [m]: how deep the terrain lies below blurred + u t, or how far from it. Parallel; same bits on any
/// number of threads.
void give_back_detail(const AgedGround& ground, DetailLoss loss, Field<float>& terrain);

/// The same, but along `rivers`, of the next coarser level, so that these find their beds again where hardly
/// anything was eroded: there at most -s 0.25 m of detail counts, but no less than s 4 m below what there is.
/// s = min(1, t / 5000 yr): beds are as old as the ground.
void give_back_detail_beside(const CoarseRivers& rivers, const AgedGround& ground, DetailLoss loss,
                             Field<float>& terrain);

}  // namespace thalweg
