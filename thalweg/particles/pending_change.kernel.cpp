#include "thalweg/particles/pending_change.hpp"

#include "thalweg/core/lane_reads.hpp"

#include <cstdint>
#include <limits>

namespace thalweg {
namespace {

[[gnu::always_inline]] inline Ints lower_of(Ints a, Ints b) {
    return a < b ? a : b;
}
[[gnu::always_inline]] inline Ints higher_of(Ints a, Ints b) {
    return a > b ? a : b;
}

constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();

/// How cells stand to their neighbours, units.
struct Relief {
    Ints here;
    Ints lowest;                          // of them and their neighbours
    Ints highest;                         // likewise
    Ints least_rise = Ints{} + kHighest;  // to neighbours that are as high

    explicit Relief(Ints elevation) : here(elevation), lowest(elevation), highest(elevation) {}

    [[gnu::always_inline]] void add(Ints neighbour) {
        const Ints rise = neighbour - here;
        lowest = lower_of(lowest, neighbour);
        highest = higher_of(highest, neighbour);
        least_rise = rise < 0 ? least_rise : lower_of(least_rise, rise);
    }
};

[[gnu::always_inline]] inline Relief relief_around(const std::int32_t* elevation, int columns,
                                                   const LaneCells& cells) {
    const auto fours_from = [&](std::int32_t step) {
        return read_fours([&](int lane) { return elevation + step + cells.of[lane]; });
    };
    const Fours north = fours_from(-columns - 1);
    const Fours along = fours_from(-1);
    const Fours south = fours_from(columns - 2);  // so that nothing behind the last cell is read
    Relief relief(along.second);
    const Ints neighbours[8] = {north.first, north.second, north.third, along.first,
                                along.third, south.second, south.third, south.fourth};
#pragma GCC unroll 8
    for (const Ints& neighbour : neighbours) relief.add(neighbour);
    return relief;
}

}  // namespace

template <>
void find_sure_change<kLanes>(const std::int32_t* elevation, int columns, PendingChange& of) {
    for (int i = 0; i < of.count; i += kLanes) {
        const LaneCells cells(load_ints(of.cell + i));
        const Relief relief = relief_around(elevation, columns, cells);
        const Ints pending = load_ints(of.pending + i);
        const Ints lowered = higher_of(pending, -((relief.here - relief.lowest) >> 1));
        const Ints rise = lower_of(relief.highest - relief.here, relief.least_rise);
        const Ints sure = (rise >> 2) + (rise >> 3) + (rise >> 4);
        const Ints raised = pending > sure ? Ints{} + kUnsure : pending;
        store_ints(of.change + i, pending < 0 ? lowered : pending > 0 ? raised : Ints{});
    }
}

}  // namespace thalweg
