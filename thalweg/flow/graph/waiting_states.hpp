// Walks down a flow tree, several in turns, and what they keep of a cell in one number: how many of its
// donors they still wait for, above how many cells drain through it so far.
#pragma once

#include "thalweg/core/sparse_loops.hpp"
#include "thalweg/flow/directions.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace thalweg {

inline constexpr int kStateShift = 28;                                      // of the donors in a state
inline constexpr std::uint32_t kAwaited = std::uint32_t{1} << kStateShift;  // one donor in a state
inline constexpr std::uint32_t kNeverReady = 15 * kAwaited;  // waits for more donors than there are

/// All bits where a state waits for donors, else none. Compilers make a branch of the plain expression, which
/// is guessed wrong every other time.
[[gnu::always_inline]] inline std::int64_t waiting_mask(std::uint32_t state) {
    return (std::int64_t{kAwaited - 1} - std::int64_t{state}) >> 63;
}

/// `yes` where the mask has all bits, `no` where it has none.
[[gnu::always_inline]] inline std::int32_t chosen(std::int64_t mask, std::int32_t yes, std::int32_t no) {
    return no ^ ((no ^ yes) & static_cast<std::int32_t>(mask));
}

/// Calls `visit(cell)` for all roots and pits among `count` cells: walks end there.
template <class Visit>
void for_each_end(const std::uint8_t* direction, std::int32_t count, const Visit& visit) {
    const auto is_end = [=](std::int64_t cell) {
        return (direction[cell] >= kRoot) & (direction[cell] != kOutside);  // not &&: a branch
    };
    for_each_where(0, count, is_end, [&](std::int64_t cell) { visit(static_cast<std::int32_t>(cell)); });
}

/// Walks from the cells [begin, end), the last first, several in turns: one waits for memory while others go
/// on. step(cell, next) walks from `cell` to the cell below and returns 0; or, where that still waits for
/// other walks, makes `cell` the next one and returns -1.
template <class Step, std::size_t... Walker>
[[gnu::always_inline]] inline void walk_in_turns(const std::int32_t* begin, const std::int32_t* end,
                                                 const Step& step, std::index_sequence<Walker...> /*all*/) {
    constexpr std::ptrdiff_t kWalkers = sizeof...(Walker);
    const auto walk_to_its_end = [&](std::int32_t cell) {
        while (step(cell, cell) == 0) {
        }
    };
    if (end - begin >= kWalkers) {
        std::int32_t cells[]{end[-1 - static_cast<std::ptrdiff_t>(Walker)]...};
        end -= kWalkers;
        while (end - begin >= kWalkers) ((end += step(cells[Walker], end[-1])), ...);
        (walk_to_its_end(cells[Walker]), ...);
    }
    while (begin < end) walk_to_its_end(*--end);
}

template <std::size_t Walkers, class Step>
[[gnu::always_inline]] inline void walk_in_turns(const std::int32_t* begin, const std::int32_t* end,
                                                 const Step& step) {
    walk_in_turns(begin, end, step, std::make_index_sequence<Walkers>());
}

/// Walks down from the sources [begin, end) and calls `visit(cell)` wherever it comes by; `state` counts what
/// comes. Roots, pits and what lies beyond the walks' ground wait for more donors than come, so that no
/// branch depends on the terrain: it would be guessed wrong.
template <std::size_t Walkers, class Visit>
[[gnu::always_inline]] inline void walk_down(const std::int32_t* begin, const std::int32_t* end,
                                             const std::uint8_t* direction,
                                             const std::array<std::int32_t, 8>& steps, std::uint32_t* state,
                                             const Visit& visit) {
    walk_in_turns<Walkers>(begin, end, [&, direction, state](std::int32_t& cell, std::int32_t next) {
        visit(cell);
        const std::int32_t receiver = cell + steps[direction[cell]];
        const std::uint32_t sum = state[receiver] + state[cell] - kAwaited;
        state[receiver] = sum;
        const std::int64_t waits = waiting_mask(sum);
        cell = chosen(waits, next, receiver);
        return waits;
    });
}

}  // namespace thalweg
