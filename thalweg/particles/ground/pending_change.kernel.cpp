#include "thalweg/particles/ground/pending_change.hpp"

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

[[gnu::always_inline]] inline Ints size_of(Ints v) {
    return higher_of(v, -v);
}

/// The elevations of cells and their neighbours, units.
struct Neighbourhood {
    Ints here;
    Ints straight[4];
    Ints diagonal[4];
};

[[gnu::always_inline]] inline Neighbourhood read_around(const std::int32_t* elevation, int columns,
                                                        const std::int32_t* of) {
    const LaneCells cells(load_ints(of));
    const auto fours_from = [&](std::int32_t step) {
        return read_fours([&](int lane) { return elevation + step + cells.of[lane]; });
    };
    const Fours north = fours_from(-columns - 1);
    const Fours along = fours_from(-1);
    const Fours south = fours_from(columns - 2);  // so that nothing behind the last cell is read
    return {along.second,
            {north.second, along.first, along.third, south.third},
            {north.first, north.third, south.second, south.fourth}};
}

/// How cells stand to their neighbours, units.
struct Relief {
    Ints lowest;                          // of them and their neighbours
    Ints highest;                         // likewise
    Ints least_rise = Ints{} + kHighest;  // to neighbours that are as high

    [[gnu::always_inline]] explicit Relief(const Neighbourhood& cells)
        : lowest(cells.here), highest(cells.here) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            add(cells.here, cells.straight[i]);
            add(cells.here, cells.diagonal[i]);
        }
    }

    [[gnu::always_inline]] void add(Ints here, Ints neighbour) {
        const Ints rise = neighbour - here;
        lowest = lower_of(lowest, neighbour);
        highest = higher_of(highest, neighbour);
        least_rise = rise < 0 ? least_rise : lower_of(least_rise, rise);
    }
};

}  // namespace

template <>
void find_sure_change<kLanes>(const std::int32_t* elevation, int columns, PendingChange& of) {
    for (int i = 0; i < of.count; i += kLanes) {
        const Neighbourhood cells = read_around(elevation, columns, of.cell + i);
        const Relief relief(cells);
        const Ints pending = load_ints(of.pending + i);
        const Ints lowered = higher_of(pending, -((cells.here - relief.lowest) >> 1));
        const Ints rise = lower_of(relief.highest - cells.here, relief.least_rise);
        const Ints sure = (rise >> 2) + (rise >> 3) + (rise >> 4);
        const Ints raised = pending > sure ? Ints{} + kUnsure : pending;
        store_ints(of.change + i, pending < 0 ? lowered : pending > 0 ? raised : Ints{});
    }
}

template <>
void find_steep_cells<kLanes>(const std::int32_t* elevation, int columns, std::int32_t straight,
                              std::int32_t diagonal, PendingChange& of) {
    for (int i = 0; i < of.count; i += kLanes) {
        const Neighbourhood cells = read_around(elevation, columns, of.cell + i);
        Ints most_straight{};
        Ints most_diagonal{};
#pragma GCC unroll 4
        for (int d = 0; d < 4; ++d) {
            most_straight = higher_of(most_straight, size_of(cells.here - cells.straight[d]));
            most_diagonal = higher_of(most_diagonal, size_of(cells.here - cells.diagonal[d]));
        }
        store_ints(of.change + i, (most_straight > straight) | (most_diagonal > diagonal));
    }
}

}  // namespace thalweg
