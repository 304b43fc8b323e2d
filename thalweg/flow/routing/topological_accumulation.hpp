// Sums down a graph of flow in topological order: each cell after all that drain to it, where one may drain
// to many.
#pragma once

#include <cstdint>

namespace thalweg {

/// The state of the sums over the cells of a grid, by pointers to the first cell's values.
struct TopologicalAccumulation {
    const std::uint8_t* receivers = nullptr;  // bit d is set where the cell drains in direction d
    std::uint8_t* pending_donors = nullptr;   // how many of its donors have not been visited
    double* sum = nullptr;                    // the cell's own, and what has come from donors
    std::int32_t* ready = nullptr;            // room for all cells and one more: those without pending donors
    std::int64_t cells = 0;
    std::int32_t steps[8] = {};  // of the cell's index, in each direction
    std::int64_t next = 0;       // where the search for the next source begins
    std::int64_t ready_count = 0;
};

inline constexpr std::uint8_t kVisited = 255;

/// Visits at most `most` cells and returns whether any are left. After share_out(cell, receivers, sum) the
/// receiver in direction d gets part_of(d) of the sum.
template <class ShareOut, class PartOf>
[[gnu::always_inline]] inline bool accumulate_some(TopologicalAccumulation& state, std::int64_t most,
                                                   const ShareOut& share_out, const PartOf& part_of) {
    std::int32_t* const ready = state.ready;
    std::uint8_t* const pending_donors = state.pending_donors;
    double* const sum = state.sum;
    std::int32_t steps[8];
    for (int d = 0; d < 8; ++d) steps[d] = state.steps[d];
    std::int64_t count = state.ready_count, next = state.next;
    for (; most > 0; --most) {
        if (count == 0) {
            while (next < state.cells && pending_donors[next] != 0) ++next;
            if (next == state.cells) break;
            ready[count++] = static_cast<std::int32_t>(next++);
        }
        const std::int32_t cell = ready[--count];
        const std::uint8_t receivers = state.receivers[cell];
        pending_donors[cell] = kVisited;
        share_out(cell, receivers, sum[cell]);
        for (std::uint32_t left = receivers; left != 0; left &= left - 1) {
            const int d = __builtin_ctz(left);
            const std::int32_t receiver = cell + steps[d];
            sum[receiver] += part_of(d);
            ready[count] = receiver;
            // Counts without a branch, which would be guessed wrong every other time.
            count += --pending_donors[receiver] == 0 ? 1 : 0;
        }
    }
    state.ready_count = count;
    state.next = next;
    return count > 0 || next < state.cells;
}

}  // namespace thalweg
