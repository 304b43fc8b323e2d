#include "thalweg/erosion/network/axes_rows.hpp"

#include "thalweg/core/cell_bits.hpp"
#include "thalweg/core/vectors.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {
namespace {

[[gnu::always_inline]] inline Floats larger(Floats a, Floats b) {
    return choose(a > b, a, b);
}

/// How far the ground falls to each neighbour, m; 0 where it does not.
struct Falls {
    Floats east, south, west, north;
};

/// The neighbour that takes the water.
struct Receiver {
    Ints direction;
    Floats fall;  // m
};

/// The first of the lowest neighbours.
[[gnu::always_inline]] inline Receiver steepest_receiver(const Falls& falls) {
    const Ints none{};
    const Ints south = falls.south > falls.east, north = falls.north > falls.west;
    const Floats first = choose(south, falls.south, falls.east);
    const Floats second = choose(north, falls.north, falls.west);
    const Ints behind = second > first;
    return {choose(behind, choose(north, none + 6, none + 4), choose(south, none + 2, none)),
            choose(behind, second, first)};
}

/// One with a probability in proportion to its fall.
[[gnu::always_inline]] inline Receiver drawn_receiver(const Falls& falls, Words bits) {
    const Floats draw = __builtin_convertvector(reinterpret_cast<Ints>(bits >> 8), Floats) * 0x1p-24F;
    const Floats two = falls.east + falls.south;
    const Floats three = two + falls.west;
    const Floats wanted = choose(draw > kLargestDraw, Floats{} + kLargestDraw, draw) * (three + falls.north);
    // Masks of lanes are -1: each sum that is passed leads on to the next neighbour.
    const Ints past_east = falls.east <= wanted, past_south = two <= wanted, past_west = three <= wanted;
    Floats fall = choose(past_east, falls.south, falls.east);
    fall = choose(past_south, falls.west, fall);
    fall = choose(past_west, falls.north, fall);
    return {-2 * (past_east + past_south + past_west), fall};
}

template <bool Random>
[[gnu::always_inline]] inline void direct_block(const AxesRow& row, std::int64_t i, std::uint8_t* direction,
                                                float* length) {
    const Floats zero{};
    const float* const here = row.elevation + i;
    const Floats z = load(here);
    // A neighbour without data is none.
    const Falls falls = {larger(z - load(here + 1), zero), larger(z - load(here + row.stride), zero),
                         larger(z - load(here - 1), zero), larger(z - load(here - row.stride), zero)};
    Receiver receiver;
    if constexpr (Random) {
        const Words cells = lane_numbers() + (row.first_cell + static_cast<std::uint32_t>(i));
        receiver = drawn_receiver(falls, cell_bits(row.draw_key, cells));
    } else {
        receiver = steepest_receiver(falls);
    }
    const Floats along_row = larger(falls.east, falls.west);
    const Floats along_column = larger(falls.south, falls.north);
    const Floats slope = square_root(along_row * along_row + along_column * along_column);  // m per cell
    const Ints outside = z != z, root = load_bytes(row.roots + i) != 0;
    const Ints falls_somewhere = receiver.fall > 0.0F;
    Ints towards = choose(falls_somewhere, receiver.direction, Ints{} + static_cast<std::int32_t>(kPit));
    towards = choose(root, Ints{} + static_cast<std::int32_t>(kRoot), towards);
    towards = choose(outside, Ints{} + static_cast<std::int32_t>(kOutside), towards);
    store_bytes(direction + i, towards);
    store(length + i,
          choose(falls_somewhere & ~(outside | root), row.cell_size * receiver.fall / slope, zero));
}

template <bool Random>
[[gnu::always_inline]] inline void direct_run(AxesRow row, std::uint8_t* direction, float* length) {
    std::int64_t i = 0;
    for (; i + kLanes <= row.count; i += kLanes) direct_block<Random>(row, i, direction, length);
    // The last block overlaps the one before: both write the same.
    if (i < row.count) direct_block<Random>(row, row.count - kLanes, direction, length);
}

}  // namespace

template <>
void direct_axes_in_lanes<kLanes>(const AxesRow& row, std::uint8_t* direction, float* length) {
    if (row.random) {
        direct_run<true>(row, direction, length);
    } else {
        direct_run<false>(row, direction, length);
    }
}

}  // namespace thalweg
