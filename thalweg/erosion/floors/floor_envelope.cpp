#include "thalweg/erosion/floors/floor_envelope.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/erosion/floors/floor_levels.hpp"
#include "thalweg/erosion/floors/march.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr float kMostSteps = 1 << 16;

/// Walls that rise from floors and banks.
class WallMarch {
  public:
    WallMarch(const Field<float>& elevation, const FloorRivers& rivers, std::vector<float> levels)
        : elevation_(elevation),
          steps_(elevation.grid()),
          cell_size_(static_cast<float>(elevation.grid().cell_size)),
          is_closed_(closed_cells(elevation)),
          level_(std::move(levels)) {
        for (const FloorRiver& river : rivers.rivers) is_closed_[at(river.cell)] = 1;
        make_steps();
    }

    std::vector<float> march(Progress& progress) {
        const Grid& grid = elevation_.grid();
        for_each_polled(0, elevation_.size(), [&](std::int64_t cell) {
            if (level_[at(cell)] != kNotReached && !grid.on_edge(grid.column_of(cell), grid.row_of(cell)))
                spread_from(static_cast<std::int32_t>(cell));
        });
        for (std::vector<Entry>& step : steps_up_) {
            progress.poll();
            std::size_t next = 0;
            while (next < step.size()) {  // some may join meanwhile
                const Entry entry = step[next++];
                if (entry.level == level_[at(entry.cell)]) spread_from(entry.cell);
            }
            step = {};
        }
        return std::move(level_);
    }

  private:
    struct Entry {
        float level;  // m, when it came in
        std::int32_t cell;
    };

    /// Makes room for levels between those of `level_` and of the terrain, in steps that no front takes at
    /// once: then cells of one step do not depend on each other (Dial 1969).
    void make_steps() {
        float least = kNotReached, most = -kNotReached;
        for_each_polled(0, elevation_.size(), [&](std::int64_t cell) {
            least = std::min(least, level_[at(cell)]);
            if (elevation_[cell] > most) most = elevation_[cell];
        });
        if (!(least < most)) return;
        lowest_ = least;
        step_ = std::max(kLeastWall * kInverseDiagonal * cell_size_, (most - least) / kMostSteps);
        steps_up_.resize(static_cast<std::size_t>((most - least) / step_) + 1);
    }

    void spread_from(std::int32_t cell) {
        const float here = level_[at(cell)];
        steps_.for_each(cell, [&](std::int32_t next) {
            if (here < level_[at(next)] && here < elevation_[next] && is_closed_[at(next)] == 0) reach(next);
        });
    }

    void reach(std::int32_t cell) {
        const float a = std::min(level_[at(cell - 1)], level_[at(cell + 1)]);
        const float b = std::min(level_[at(cell - steps_.row)], level_[at(cell + steps_.row)]);
        const float least = std::min(level_[at(cell)], elevation_[cell]);
        if (!(std::min(a, b) < least)) return;
        const float level = upwind(a, b, cell_size_ * wall_slope(elevation_, cell));
        if (!(level < least)) return;
        level_[at(cell)] = level;
        steps_up_[static_cast<std::size_t>((level - lowest_) / step_)].push_back({level, cell});
    }

    const Field<float>& elevation_;
    const AxisSteps steps_;
    const float cell_size_;
    std::vector<std::uint8_t> is_closed_;  // beds too
    std::vector<float> level_;
    std::vector<std::vector<Entry>> steps_up_;  // cells to spread from, by their level
    float lowest_ = 0.0F;                       // m
    float step_ = 1.0F;                         // m
};

/// Lays a bed so low that water does not leave it for ground beside it that was cut, if its receiver lets it.
void lay_bed(const Field<float>& before, const FloorRivers& rivers, const FloorRiver& river,
             Field<float>& after) {
    const Grid& grid = before.grid();
    const int column = grid.column_of(river.cell), row = grid.row_of(river.cell);
    const auto descent = [&](std::int64_t to) {
        const bool is_diagonal = grid.column_of(to) != column && grid.row_of(to) != row;
        return (after[river.cell] - after[to]) * (is_diagonal ? kInverseDiagonal : 1.0F);
    };
    const float least = std::nextafter(after[river.receiver], kNotReached);
    for (int d = 0; d < 8; ++d) {
        if (!grid.contains(column + kColumnStep[d], row + kRowStep[d])) continue;
        const std::int64_t next = grid.index(column + kColumnStep[d], row + kRowStep[d]);
        if (rivers.has(next) || !(after[next] < before[next])) continue;
        if (descent(next) > descent(river.receiver))
            after[river.cell] = std::min(after[river.cell], std::max(after[next], least));
    }
}

}  // namespace

Field<float> floor_envelope(const ValleyFloorInputs& inputs, const FloorRivers& rivers,
                            std::vector<float> levels, const std::vector<float>& beds, Progress& progress) {
    progress.report(0.5, "cutting walls");
    levels = WallMarch(inputs.elevation, rivers, std::move(levels)).march(progress);
    Field<float> result = inputs.elevation;
    for_each_polled(0, result.size(), [&](std::int64_t cell) {
        if (levels[at(cell)] < result[cell] && !rivers.has(cell)) result[cell] = levels[at(cell)];
    });
    for_each_polled(0, std::ssize(beds), [&](std::int64_t i) {
        const FloorRiver& river = rivers.rivers[at(i)];
        result[river.cell] = beds[at(i)];
        if (river.receiver >= 0) lay_bed(inputs.elevation, rivers, river, result);
    });
    return result;
}

}  // namespace thalweg
