#include "thalweg/erosion/area_prior.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr float kPriorArea = 1e5F;   // m^2: larger coarse rivers guide the next level (empirical)
constexpr float kPriorLimit = 2.0F;  // 1: by at most this factor (empirical)
constexpr std::int64_t kParentsPerTask = 1 << 12;

void scale_children(const CoarseRiver& parent, const Grid& fine, std::span<float> area) {
    float largest = 0.0F;
    const auto for_children = [&](const auto& body) {
        for (int r = 2 * parent.row; r < std::min(2 * parent.row + 2, fine.rows); ++r)
            for (int c = 2 * parent.column; c < std::min(2 * parent.column + 2, fine.columns); ++c)
                body(area[at(fine.index(c, r))]);
    };
    for_children([&](float& child) { largest = std::max(largest, child); });
    if (!(largest > 0.0F)) return;
    const float factor = std::clamp(parent.area / largest, 1.0F / kPriorLimit, kPriorLimit);
    for_children([&](float& child) { child *= factor; });
}

}  // namespace

CoarseRivers rivers_of(const std::vector<float>& area, const Grid& grid) {
    CoarseRivers rivers;
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            if (const float here = area[at(grid.index(column, row))]; here > kPriorArea)
                rivers.push_back({column, row, here});
    return rivers;
}

void apply_area_prior(const CoarseRivers& rivers, const Grid& fine, std::span<float> area) {
    const std::int64_t parents = static_cast<std::int64_t>(rivers.size());
    parallel_for(0, parents, kParentsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) scale_children(rivers[at(i)], fine, area);
    });
}

}  // namespace thalweg
