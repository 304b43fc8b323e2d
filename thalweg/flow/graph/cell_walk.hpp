// CellWalk: cells in an order in which each comes behind all that drain to it, where one may drain to many.
#pragma once

#include <cstdint>

namespace thalweg {

/// A walk over the cells of a grid, by pointers to the first cell's values.
struct CellWalk {
    const std::uint8_t* receivers = nullptr;  // bit d is set where the cell drains in direction d
    std::uint8_t* awaited = nullptr;          // how many of its donors have not been visited
    double* sum = nullptr;                    // the cell's own, and what has come from donors
    std::int32_t* ready = nullptr;            // room for all cells: those without awaited donors
    std::int64_t cells = 0;
    std::int32_t steps[8] = {};  // of the cell's index, in each direction
    std::int64_t next = 0;       // where the search for the next source begins
    std::int64_t ready_count = 0;
};

inline constexpr std::uint8_t kVisited = 255;

/// Visits at most `most` cells and returns whether any are left. After share_out(cell, receivers, sum) the
/// receiver in direction d gets part_of(d) of the sum.
template <class ShareOut, class PartOf>
[[gnu::always_inline]] inline bool walk_on(CellWalk& walk, std::int64_t most, const ShareOut& share_out,
                                           const PartOf& part_of) {
    std::int32_t* const ready = walk.ready;
    std::uint8_t* const awaited = walk.awaited;
    double* const sum = walk.sum;
    std::int32_t steps[8];
    for (int d = 0; d < 8; ++d) steps[d] = walk.steps[d];
    std::int64_t count = walk.ready_count, next = walk.next;
    for (; most > 0; --most) {
        if (count == 0) {
            while (next < walk.cells && awaited[next] != 0) ++next;
            if (next == walk.cells) break;
            ready[count++] = static_cast<std::int32_t>(next++);
        }
        const std::int32_t cell = ready[--count];
        const std::uint8_t receivers = walk.receivers[cell];
        awaited[cell] = kVisited;
        share_out(cell, receivers, sum[cell]);
        for (std::uint32_t left = receivers; left != 0; left &= left - 1) {
            const int d = __builtin_ctz(left);
            const std::int32_t receiver = cell + steps[d];
            sum[receiver] += part_of(d);
            ready[count] = receiver;
            // Counts without a branch, which would be guessed wrong every other time.
            count += --awaited[receiver] == 0 ? 1 : 0;
        }
    }
    walk.ready_count = count;
    walk.next = next;
    return count > 0 || next < walk.cells;
}

}  // namespace thalweg
