#include "thalweg/erosion/kept_detail.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kDetailDepth = 0.1;  // cells of erosion that wipe out detail finer than the mesh (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 15;

/// As give_back_detail, with how much of a depth counts, m. Without branches, which would be guessed wrong.
template <class Counted>
void give_back(const AgedGround& ground, const Counted& counted, Field<float>& terrain) {
    const float inverse_depth = static_cast<float>(1.0 / (kDetailDepth * terrain.grid().cell_size));
    const float years = static_cast<float>(ground.time);
    const float* const initial = ground.initial.data();
    const float* const blurred = ground.blurred.data();
    const float* const uplift = ground.uplift.data();
    float* const terrain_data = terrain.data();
    parallel_for(0, terrain.size(), kCellsPerTask, [=](std::int64_t first, std::int64_t last) {
        float* __restrict const elevation = terrain_data;
        for (std::int64_t cell = first; cell < last; ++cell) {
            const float depth = counted(blurred[cell] + uplift[cell] * years - elevation[cell]);
            const float kept = std::max(0.0F, 1.0F - depth * inverse_depth);
            elevation[cell] += kept * (initial[cell] - blurred[cell]);
        }
    });
}

}  // namespace

std::vector<float> eroded_depth(const AgedGround& ground, const Field<float>& terrain) {
    const float years = static_cast<float>(ground.time);
    std::vector<float> depth(at(terrain.size()));
    parallel_for(0, terrain.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            depth[at(cell)] =
                std::max(0.0F, ground.blurred[cell] + ground.uplift[at(cell)] * years - terrain[cell]);
    });
    return depth;
}

void give_back_detail(const AgedGround& ground, DetailLoss loss, Field<float>& terrain) {
    if (loss == DetailLoss::Erosion)
        give_back(ground, [](float depth) { return depth > 0.0F ? depth : 0.0F; }, terrain);
    else
        give_back(ground, [](float depth) { return std::abs(depth); }, terrain);
}

}  // namespace thalweg
