#include "thalweg/erosion/network/area_prior.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr float kPriorArea = 1e5F;   // m^2: larger coarse rivers guide the next level (empirical)
constexpr float kPriorLimit = 2.0F;  // 1: by at most this factor (empirical)
constexpr std::int64_t kRowsPerTask = 32;
constexpr std::int64_t kParentsPerTask = 1 << 12;

/// By what the children's areas are scaled, 1, where their largest is `largest`. Not std::clamp, of which
/// compilers make branches that are guessed wrong.
float factor_towards(float area, float largest) {
    return std::min(std::max(area / largest, 1.0F / kPriorLimit), kPriorLimit);
}

void scale_children(const CoarseRiver& parent, const Grid& fine, std::span<float> area) {
    float largest = 0.0F;
    const auto for_children = [&](const auto& body) {
        for (int r = 2 * parent.row; r < std::min(2 * parent.row + 2, fine.rows); ++r)
            for (int c = 2 * parent.column; c < std::min(2 * parent.column + 2, fine.columns); ++c)
                body(area[at(fine.index(c, r))]);
    };
    for_children([&](float& child) { largest = std::max(largest, child); });
    if (!(largest > 0.0F)) return;
    const float factor = factor_towards(parent.area, largest);
    for_children([&](float& child) { child *= factor; });
}

/// The same where all four children are there: most calls, and without loops.
void scale_four_children(const CoarseRiver& parent, const Grid& fine, float* area) {
    float* const upper = area + fine.index(2 * parent.column, 2 * parent.row);
    float* const lower = upper + fine.columns;
    const float largest = std::max(std::max(upper[0], upper[1]), std::max(lower[0], lower[1]));
    if (!(largest > 0.0F)) return;
    const float factor = factor_towards(parent.area, largest);
    upper[0] *= factor;
    upper[1] *= factor;
    lower[0] *= factor;
    lower[1] *= factor;
}

}  // namespace

CoarseRivers rivers_of(const std::vector<float>& area, const Grid& grid) {
    const auto rivers_in = [&](std::int64_t first, std::int64_t last) {
        CoarseRivers rivers;
        CoarseRivers in_row(at(grid.columns) + 1);
        for (int row = static_cast<int>(first); row < last; ++row) {
            std::size_t count = 0;
            for (int column = 0; column < grid.columns; ++column) {
                const float here = area[at(grid.index(column, row))];
                in_row[count] = {column, row, here};
                count += here > kPriorArea ? 1 : 0;
            }
            rivers.insert(rivers.end(), in_row.begin(), in_row.begin() + static_cast<std::ptrdiff_t>(count));
        }
        return rivers;
    };
    return parallel_concat<CoarseRiver>(0, grid.rows, kRowsPerTask, rivers_in);
}

void apply_area_prior(const CoarseRivers& rivers, const Grid& fine, std::span<float> area) {
    const std::int64_t parents = static_cast<std::int64_t>(rivers.size());
    parallel_for(0, parents, kParentsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const CoarseRiver& parent = rivers[at(i)];
            if (2 * parent.row + 1 < fine.rows && 2 * parent.column + 1 < fine.columns) {
                scale_four_children(parent, fine, area.data());
            } else {
                scale_children(parent, fine, area);
            }
        }
    });
}

}  // namespace thalweg
