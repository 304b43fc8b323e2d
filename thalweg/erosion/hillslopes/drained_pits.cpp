#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/roughness.hpp"
#include "thalweg/flow/depressions/least_cost_flood.hpp"

#include <algorithm>
#include <vector>

namespace thalweg {
namespace {

constexpr float kDeepest = 20.0F;     // m, of a pit that is drained (empirical)
constexpr float kLeastDrop = 0.002F;  // m, to the end of a way: some steps of floats (empirical)
constexpr int kMostPasses = 8;        // a way may end in the middle of another, a step of floats below it
constexpr std::int64_t kRowsAtOnce = 16;

class PitDrainer {
  public:
    PitDrainer(Field<float>& elevation, const Field<std::uint8_t>& roots, Progress& progress)
        : elevation_(elevation), grid_(elevation.grid()), roots_(roots), flood_(elevation, progress) {}

    std::int64_t drain_all() {
        std::int64_t drained = 0;
        for (int pass = 0; pass < kMostPasses; ++pass) {
            const std::vector<std::int32_t> pits = find_pits();
            const std::int64_t now =
                std::ranges::count_if(pits, [&](std::int32_t pit) { return drain(pit); });
            if (now == 0) break;
            drained += now;
        }
        return drained;
    }

  private:
    [[nodiscard]] std::int32_t neighbour(std::int32_t cell, int d) const {
        return cell + kRowStep[d] * grid_.columns + kColumnStep[d];
    }

    /// Whether water leaves an inner cell: to lower ground, or to where nothing is known.
    [[nodiscard]] bool has_way(std::int32_t cell) const {
        for (int d = 0; d < 8; ++d)
            if (!(elevation_[neighbour(cell, d)] >= elevation_[cell])) return true;
        return false;
    }

    [[nodiscard]] std::vector<std::int32_t> find_pits() const {
        return parallel_concat<std::int32_t>(
            1, grid_.rows - 1, kRowsAtOnce, [&](std::int64_t first, std::int64_t last) {
                std::vector<std::int32_t> pits;
                for (auto row = static_cast<int>(first); row < last; ++row)
                    for (int column = 1; column + 1 < grid_.columns; ++column) {
                        const auto cell = static_cast<std::int32_t>(grid_.index(column, row));
                        if (!is_no_data(elevation_[cell]) && roots_[cell] == 0 && !has_way(cell))
                            pits.push_back(cell);
                    }
                return pits;
            });
    }

    /// Whether there was a way, which falls evenly from the pit to its end now.
    bool drain(std::int32_t pit) {
        if (has_way(pit)) return false;
        const float bottom = elevation_[pit];
        const std::int32_t end = flood_.flood(
            pit, [&](std::int32_t cell) { return elevation_[cell] < bottom - kLeastDrop; },
            [&](std::int32_t cell, const auto& reach) {
                if (keeps_elevation(cell)) return;
                for (int d = 0; d < 8; ++d)
                    if (elevation_[neighbour(cell, d)] <= bottom + kDeepest) reach(neighbour(cell, d), d);
            });
        if (end < 0) return false;
        way_.clear();
        flood_.carve(end, [&](std::int32_t cell, std::uint8_t) { way_.push_back(cell); });
        const float drop = bottom - elevation_[end];
        for (std::size_t i = 0; i + 1 < way_.size(); ++i) {
            const float share = static_cast<float>(i + 1) / static_cast<float>(way_.size());
            float& here = elevation_[way_[i]];
            here = std::min(here, bottom - drop * (1.0F - share));
        }
        return true;
    }

    [[nodiscard]] bool keeps_elevation(std::int32_t cell) const {
        return roots_[cell] != 0 || grid_.on_edge(grid_.column_of(cell), grid_.row_of(cell));
    }

    Field<float>& elevation_;
    const Grid& grid_;
    const Field<std::uint8_t>& roots_;
    LeastCostFlood flood_;
    std::vector<std::int32_t> way_;  // from before its end to the pit
};

}  // namespace

std::int64_t drain_pits(Field<float>& elevation, const Field<std::uint8_t>& roots, Progress& progress) {
    return PitDrainer(elevation, roots, progress).drain_all();
}

}  // namespace thalweg
