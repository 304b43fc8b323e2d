#include "thalweg/erosion/kept_detail.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kDetailDepth = 0.1;  // cells of erosion that wipe out detail finer than the mesh (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 15;

/// `part` of how deep the terrain lies below the ground that it was, m.
template <class Part>
std::vector<float> depth_by(const Field<float>& before, const std::vector<float>& uplift, double time,
                            const Field<float>& terrain, const Part& part) {
    const float years = static_cast<float>(time);
    std::vector<float> depth(at(terrain.size()));
    parallel_for(0, terrain.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            depth[at(cell)] = part(before[cell] + uplift[at(cell)] * years - terrain[cell]);
    });
    return depth;
}

}  // namespace

std::vector<float> eroded_depth(const Field<float>& before, const std::vector<float>& uplift, double time,
                                const Field<float>& terrain) {
    return depth_by(before, uplift, time, terrain, [](float depth) { return std::max(0.0F, depth); });
}

std::vector<float> changed_depth(const Field<float>& before, const std::vector<float>& uplift, double time,
                                 const Field<float>& terrain) {
    return depth_by(before, uplift, time, terrain, [](float depth) { return std::abs(depth); });
}

void give_back_detail(Field<float>& terrain, const Field<float>& before, const Field<float>& blurred,
                      const std::vector<float>& eroded) {
    const float depth = static_cast<float>(kDetailDepth * terrain.grid().cell_size);
    parallel_for(0, terrain.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const float kept = std::clamp(1.0F - eroded[at(cell)] / depth, 0.0F, 1.0F);
            if (kept > 0.0F) terrain[cell] += kept * (before[cell] - blurred[cell]);
        }
    });
}

}  // namespace thalweg
