#include "thalweg/erosion/playas.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <iterator>

namespace thalweg {

PlayaGround fill_playas(const Field<float>& elevation, const FlowBoundary& boundary, double thickness,
                        Progress& progress) {
    FlowBoundary with_sediment = boundary;
    with_sediment.water = {.runoff = thickness};
    const FlowResult flow =
        route(elevation, eight_neighbours(elevation.grid()), with_sediment,
              {.conditioning = {.depressions = Depressions::Lakes}, .sums_area = false}, progress);
    const Lakes& settled = *flow.lakes;
    PlayaGround filled = {.elevation = elevation,
                          .playas = static_cast<int>(std::ssize(settled.lakes)),
                          .volume = settled.volume,
                          .left = settled.outflow};
    for_each_polled(0, elevation.size(), [&](std::int64_t cell) {
        if (settled.lake[cell] > 0) filled.elevation[cell] = settled.water_elevation[cell];
    });
    return filled;
}

}  // namespace thalweg
