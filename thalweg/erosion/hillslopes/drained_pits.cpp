#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/roughness.hpp"
#include "thalweg/flow/depressions/least_cost_flood.hpp"

#include <algorithm>
#include <vector>

namespace thalweg {
namespace {

constexpr float kDeepest = 20.0F;     // m, of a pit that is drained (empirical)
constexpr float kLeastDrop = 0.002F;  // m, along a path of cells: some steps of floats (empirical)
constexpr int kMostPasses = 8;        // a path may end in the middle of another, a step of floats below it
constexpr std::int64_t kRowsAtOnce = 16;

class PitDrainer {
  public:
    PitDrainer(Field<float>& elevation, const Field<std::uint8_t>& roots, Progress& progress)
        : elevation_(elevation),
          grid_(elevation.grid()),
          roots_(roots),
          flood_(elevation, progress),
          fill_(elevation.grid()) {}

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
    enum class Fill : std::uint8_t { None, Waits, Done };

    [[nodiscard]] std::int32_t neighbour(std::int32_t cell, int d) const {
        return cell + kRowStep[d] * grid_.columns + kColumnStep[d];
    }

    /// Whether water leaves an inner cell: to lower ground, or to where nothing is known.
    [[nodiscard]] bool drains(std::int32_t cell) const {
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
                        if (!is_no_data(elevation_[cell]) && roots_[cell] == 0 && !drains(cell))
                            pits.push_back(cell);
                    }
                return pits;
            });
    }

    /// Whether water could leave; it does now, over a breach path or over ground that fills the depression,
    /// whichever moves less.
    bool drain(std::int32_t pit) {
        if (drains(pit)) return false;
        const std::int32_t end = flood_from(pit);
        if (end < 0) return false;
        path_.clear();
        flood_.carve(end, [&](std::int32_t cell, std::uint8_t) { path_.push_back(cell); });
        if (can_fill() && depth_of_fill() < depth_of_breach(pit, end))
            fill();
        else
            breach(pit, end);
        return true;
    }

    /// The first cell below the pit that its flood comes to, -1 where there is none. Before it spills, the
    /// flood passes over the depression.
    std::int32_t flood_from(std::int32_t pit) {
        const float bottom = elevation_[pit];
        depression_.clear();
        bool has_spilled = false;
        return flood_.flood(
            pit,
            [&](std::int32_t cell) {
                has_spilled = has_spilled ||
                              (!depression_.empty() && elevation_[cell] < elevation_[depression_.back()]);
                if (!has_spilled) depression_.push_back(cell);
                return elevation_[cell] < bottom - kLeastDrop;
            },
            [&](std::int32_t cell, const auto& reach) {
                if (keeps_elevation(cell)) return;
                for (int d = 0; d < 8; ++d)
                    if (elevation_[neighbour(cell, d)] <= bottom + kDeepest) reach(neighbour(cell, d), d);
            });
    }

    [[nodiscard]] bool can_fill() const {
        return std::ranges::none_of(depression_, [&](std::int32_t cell) { return keeps_elevation(cell); });
    }

    /// m, summed over the cells of the depression.
    [[nodiscard]] float depth_of_fill() const {
        float sum = 0.0F;
        for (const std::int32_t cell : depression_) sum += elevation_[depression_.back()] - elevation_[cell];
        return sum;
    }

    /// m, of the breach path at `place` in `path_`.
    [[nodiscard]] float breached(std::size_t place, std::int32_t pit, std::int32_t end) const {
        const float share = static_cast<float>(place + 1) / static_cast<float>(path_.size());
        const float line = elevation_[pit] - (elevation_[pit] - elevation_[end]) * (1.0F - share);
        return std::min(elevation_[path_[place]], line);
    }

    /// m, summed over the cells of the breach path.
    [[nodiscard]] float depth_of_breach(std::int32_t pit, std::int32_t end) const {
        float sum = 0.0F;
        for (std::size_t i = 0; i + 1 < path_.size(); ++i)
            sum += elevation_[path_[i]] - breached(i, pit, end);
        return sum;
    }

    void breach(std::int32_t pit, std::int32_t end) {
        for (std::size_t i = 0; i + 1 < path_.size(); ++i) elevation_[path_[i]] = breached(i, pit, end);
    }

    /// Raises the depression to where it spills, and a little more with each cell away from there.
    void fill() {
        const float level = elevation_[depression_.back()];
        for (const std::int32_t cell : depression_) fill_[cell] = Fill::Waits;
        raised_.assign(1, depression_.back());
        fill_[raised_.front()] = Fill::Done;
        for (std::size_t i = 0; i < raised_.size(); ++i) {
            const float higher = elevation_[raised_[i]] + kLeastDrop;
            for (int d = 0; d < 8; ++d) {
                const std::int32_t cell = neighbour(raised_[i], d);
                if (fill_[cell] == Fill::Done || keeps_elevation(cell)) continue;
                const bool is_new_pit =
                    elevation_[cell] >= level && elevation_[cell] < higher && !drains(cell);
                if (fill_[cell] == Fill::None && !is_new_pit) continue;
                fill_[cell] = Fill::Done;
                elevation_[cell] = higher;
                raised_.push_back(cell);
            }
        }
        for (const std::int32_t cell : raised_) fill_[cell] = Fill::None;
    }

    [[nodiscard]] bool keeps_elevation(std::int32_t cell) const {
        return roots_[cell] != 0 || grid_.on_edge(grid_.column_of(cell), grid_.row_of(cell));
    }

    Field<float>& elevation_;
    const Grid& grid_;
    const Field<std::uint8_t>& roots_;
    LeastCostFlood flood_;
    Field<Fill> fill_;                      // of the depression at hand, and the ground beside it
    std::vector<std::int32_t> path_;        // of a breach, from before its end to the pit
    std::vector<std::int32_t> depression_;  // cells, lowest first; the last is the sill
    std::vector<std::int32_t> raised_;      // cells, by their distance from the sill
};

}  // namespace

std::int64_t drain_pits(Field<float>& elevation, const Field<std::uint8_t>& roots, Progress& progress) {
    return PitDrainer(elevation, roots, progress).drain_all();
}

}  // namespace thalweg
