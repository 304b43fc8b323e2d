// Walks down a flow tree, several in turns, and what they keep of a cell in one number: how many of its
// donors they still wait for, above how many cells drain through it so far.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace thalweg {

inline constexpr std::size_t kMostWalkers = 4;                              // in turns (empirical)
inline constexpr int kStateShift = 28;                                      // of the donors in a state
inline constexpr std::uint32_t kAwaited = std::uint32_t{1} << kStateShift;  // one donor in a state

/// All bits where a state waits for donors, else none. Compilers make a branch of the plain expression, which
/// is guessed wrong every other time.
[[gnu::always_inline]] inline std::int64_t waiting_mask(std::uint32_t state) {
    std::int64_t mask = state >= kAwaited ? -1 : 0;
    asm("" : "+r"(mask));
    return mask;
}

/// `yes` where the mask has all bits, `no` where it has none.
[[gnu::always_inline]] inline std::int32_t chosen(std::int64_t mask, std::int32_t yes, std::int32_t no) {
    return no ^ ((no ^ yes) & static_cast<std::int32_t>(mask));
}

/// The first walkers in turns, until one of them ends; then forgets those that have ended. step(walker) walks
/// one cell, walker.walks() tells whether there is one.
template <class Walker, class Step, std::size_t... Index>
void walk_first(std::vector<Walker*>& walkers, const Step& step, std::index_sequence<Index...> /*first*/) {
    if (walkers.size() < sizeof...(Index)) return;
    Walker now[]{*walkers[Index]...};
    while ((now[Index].walks() & ...)) (step(now[Index]), ...);
    ((*walkers[Index] = now[Index]), ...);
    std::erase_if(walkers, [](const Walker* walker) { return !walker->walks(); });
}

/// At most kMostWalkers in turns, to their ends: one step waits for memory while others go on.
template <class Walker, class Step>
void walk_in_turns(std::vector<Walker*>& walkers, const Step& step) {
    static_assert(kMostWalkers == 4);
    assert(walkers.size() <= kMostWalkers);
    walk_first(walkers, step, std::make_index_sequence<4>());
    walk_first(walkers, step, std::make_index_sequence<3>());
    walk_first(walkers, step, std::make_index_sequence<2>());
    walk_first(walkers, step, std::make_index_sequence<1>());
}

}  // namespace thalweg
