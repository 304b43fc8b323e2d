#include "thalweg/particles/ground/pending_change.hpp"

#include "thalweg/core/lane_reads.hpp"
#include "thalweg/flow/directions.hpp"

#include <cstdint>
#include <cstring>
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

[[gnu::always_inline]] inline Ints at_most(Ints v, std::int32_t most) {
    return v > most ? Ints{} + most : v;
}

/// What lies around cells, of rows from north to south: elevations of 5 x 5 cells, units, and places of 3
/// x 3.
struct WideNeighbourhood {
    Ints elevation[5][5];
    Ints place[3][3];
};

/// Cells beside the grid's edge, whose neighbours there are fixed, have others for what is beyond these.
[[gnu::always_inline]] inline WideNeighbourhood read_far(const std::int32_t* elevation,
                                                         const CellPlace* places, std::int32_t columns,
                                                         std::int32_t count, Ints cells) {
    WideNeighbourhood around;
#pragma GCC unroll 5
    for (int row = 0; row < 5; ++row) {
        const Ints first = at_most(higher_of(cells + (row - 2) * columns - 2, Ints{}), count - 5);
        const LaneCells of(first);
        const Fours four = read_fours([&](int lane) { return elevation + of.of[lane]; });
        around.elevation[row][0] = four.first;
        around.elevation[row][1] = four.second;
        around.elevation[row][2] = four.third;
        around.elevation[row][3] = four.fourth;
        around.elevation[row][4] = read_ints(elevation + 4, of);
    }
#pragma GCC unroll 3
    for (int row = 0; row < 3; ++row) {
        // So that nothing behind the last cell is read.
        const int before = row == 2 ? 2 : 1;
        const LaneCells of(cells + (row - 1) * columns - before);
        const Ints four = joined_ints([&](int lane) {
            std::int32_t bytes;
            std::memcpy(&bytes, places + of.of[lane], sizeof bytes);
            return bytes;
        });
#pragma GCC unroll 3
        for (int column = 0; column < 3; ++column)
            around.place[row][column] = (four >> (8 * (column + before - 1))) & 255;
    }
    return around;
}

/// The way up from cells in the middle to neighbours that drain over them, units; kHighest where none does.
struct Drained {
    Ints rise = Ints{} + kHighest;
    Ints highest{};  // way up to any neighbour

    [[gnu::always_inline]] explicit Drained(const WideNeighbourhood& around) {
        // The lowest of three cells side by side.
        Ints lowest[5][3];
#pragma GCC unroll 5
        for (int row = 0; row < 5; ++row)
#pragma GCC unroll 3
            for (int column = 0; column < 3; ++column)
                lowest[row][column] =
                    lower_of(lower_of(around.elevation[row][column], around.elevation[row][column + 1]),
                             around.elevation[row][column + 2]);
        const Ints here = around.elevation[2][2];
#pragma GCC unroll 8
        for (int d = 0; d < 8; ++d) {
            const int row = kRowStep[d] + 1;
            const int column = kColumnStep[d] + 1;
            const Ints up = around.elevation[row + 1][column + 1] - here;
            const Ints place = around.place[row][column];
            highest = higher_of(highest, up);
            const Ints lowest_there =
                lower_of(lower_of(lowest[row][column], lowest[row + 1][column]), lowest[row + 2][column]);
            const Ints is_lowest = (up > 0) & (lowest_there >= here);
            const Ints takes_water = ((place >> kDirectionShift) & kDirectionOfPlace) == opposite(d);
            const Ints is_fixed = (place & kKindOfPlace) >= static_cast<std::int32_t>(CellKind::Border);
            const Ints drains = (up >= 0) & (is_lowest | takes_water) & ~is_fixed;
            rise = drains ? lower_of(rise, up) : rise;
        }
    }
};

}  // namespace

template <>
void find_room<kLanes>(const std::int32_t* elevation, const CellPlace* places, int columns,
                       std::int64_t cells, PendingChange& of) {
    for (int i = 0; i < of.count; i += kLanes) {
        const Drained drained(
            read_far(elevation, places, columns, static_cast<std::int32_t>(cells), load_ints(of.cell + i)));
        store_ints(of.change + i, lower_of(drained.rise, drained.highest));
    }
}

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
