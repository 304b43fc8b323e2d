// A flood that finds the lowest path from a cell.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/depressions/flood_queue.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Floods the ground around one cell, the lowest cells first, of equally low ones those that were reached
/// first, as water that fills it would; and knows the way back from every flooded cell. O(flooded cells log
/// flooded cells) a flood, 1 byte a cell of the grid; polls `progress`.
class LeastCostFlood {
  public:
    /// elevation: m; must outlive this.
    LeastCostFlood(const Field<float>& elevation, Progress& progress)
        : elevation_(elevation), progress_(progress), direction_back_(at(elevation.size()), kUnset) {}

    /// Floods from `start` to the first cell for which ends(cell) holds, -1 where there is none. expand(cell,
    /// reach) calls reach(neighbour, direction) for each neighbour to which the flood may go on from a cell.
    template <class Ends, class Expand>
    std::int32_t flood(std::int32_t start, const Ends& ends, const Expand& expand) {
        for (const std::int32_t cell : flooded_) direction_back_[at(cell)] = kUnset;
        flooded_.clear();
        waiting_.clear();
        push(start, kStart);
        while (!waiting_.empty()) {
            if (++pops_ % kPopsPerPoll == 0) progress_.poll();
            const std::int32_t cell = flooded_[at(waiting_.pop())];
            if (ends(cell)) return cell;
            expand(cell, [&](std::int32_t neighbour, int direction) {
                if (direction_back_[at(neighbour)] == kUnset)
                    push(neighbour, static_cast<std::uint8_t>(opposite(direction)));
            });
        }
        return -1;
    }

    /// Calls give(cell, direction) for every cell of the path from `exit` back to the start but `exit`
    /// itself; the directions lead to `exit`.
    template <class Give>
    void carve(std::int32_t exit, const Give& give) const {
        for (std::int32_t cell = exit; direction_back_[at(cell)] != kStart;) {
            const std::uint8_t back = direction_back_[at(cell)];
            cell += kRowStep[back] * elevation_.columns() + kColumnStep[back];
            give(cell, static_cast<std::uint8_t>(opposite(back)));
        }
    }

  private:
    static constexpr std::int64_t kPopsPerPoll = 1 << 16;
    static constexpr std::uint8_t kUnset = 255;  // way back of a cell that the flood has not reached
    static constexpr std::uint8_t kStart = 254;  // way back of the cell from which it comes

    void push(std::int32_t cell, std::uint8_t direction_back) {
        direction_back_[at(cell)] = direction_back;
        waiting_.push(elevation_[cell], static_cast<std::int32_t>(flooded_.size()));
        flooded_.push_back(cell);
    }

    const Field<float>& elevation_;
    Progress& progress_;
    std::vector<std::uint8_t> direction_back_;  // per cell: direction towards the start of the present flood
    std::vector<std::int32_t> flooded_;         // cells, as they were reached
    FloodQueue waiting_;                        // by place in flooded_
    std::int64_t pops_ = 0;
};

}  // namespace thalweg
