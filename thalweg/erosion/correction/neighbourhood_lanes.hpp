// Vectors that hold a value for each of the eight neighbours of a cell, or of two cells at once. Only for
// kernels that are compiled once a width, as vectors.hpp.
#pragma once

#include "thalweg/core/vectors.hpp"

#include <cstdint>

namespace thalweg {
namespace {

// One lane for each direction (directions.hpp) of each cell.
constexpr int kCells = kLanes == 16 ? 2 : 1;  // of a ring: two fill the widest vectors
using HalfRow = float __attribute__((vector_size(4 * sizeof(float))));
using CellNeighbourhood = float __attribute__((vector_size(8 * sizeof(float))));
using CellMask = std::int32_t __attribute__((vector_size(8 * sizeof(std::int32_t))));
using Neighbourhood = float __attribute__((vector_size(kCells * 8 * sizeof(float))));
using NeighbourhoodMask = std::int32_t __attribute__((vector_size(kCells * 8 * sizeof(std::int32_t))));

/// As many cells as a ring is of.
struct Cells {
    std::int32_t number[kCells];
};

/// The same eight lanes for every cell.
template <class Lanes, class... Lane>
[[gnu::always_inline]] constexpr Lanes repeated(Lane... lane) {
    if constexpr (kCells == 1)
        return Lanes{lane...};
    else
        return Lanes{lane..., lane...};
}

constexpr Neighbourhood kColumns = repeated<Neighbourhood>(1.0F, 1.0F, 0.0F, -1.0F, -1.0F, -1.0F, 0.0F, 1.0F);
constexpr Neighbourhood kRows = repeated<Neighbourhood>(0.0F, 1.0F, 1.0F, 1.0F, 0.0F, -1.0F, -1.0F, -1.0F);
constexpr NeighbourhoodMask kIsDiagonal = repeated<NeighbourhoodMask>(0, -1, 0, -1, 0, -1, 0, -1);
constexpr NeighbourhoodMask kBits = repeated<NeighbourhoodMask>(1, 2, 4, 8, 16, 32, 64, 128);

/// of_cell(i), the eight lanes of cell i, of each of them.
template <class OfCell>
[[gnu::always_inline]] inline auto joined(const OfCell& of_cell) {
    if constexpr (kCells == 1)
        return of_cell(0);
    else
        return __builtin_shufflevector(of_cell(0), of_cell(1), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                       14, 15);
}

/// Every lane gets that one of its cell whose number is From()(lane).
template <class From, class Lanes>
[[gnu::always_inline]] inline Lanes taken(Lanes v, From) {
    constexpr From kFrom;
    if constexpr (kCells == 1)
        return __builtin_shufflevector(v, v, kFrom(0), kFrom(1), kFrom(2), kFrom(3), kFrom(4), kFrom(5),
                                       kFrom(6), kFrom(7));
    else
        return __builtin_shufflevector(v, v, kFrom(0), kFrom(1), kFrom(2), kFrom(3), kFrom(4), kFrom(5),
                                       kFrom(6), kFrom(7), 8 + kFrom(0), 8 + kFrom(1), 8 + kFrom(2),
                                       8 + kFrom(3), 8 + kFrom(4), 8 + kFrom(5), 8 + kFrom(6), 8 + kFrom(7));
}

/// Every lane gets the value of the one so many directions further on, clockwise.
template <int Steps, class Lanes>
[[gnu::always_inline]] inline Lanes ahead(Lanes v) {
    return taken(v, [](int lane) { return (lane + Steps) & 7; });
}

[[gnu::always_inline]] inline Neighbourhood greater(Neighbourhood a, Neighbourhood b) {
    return a > b ? a : b;
}
[[gnu::always_inline]] inline Neighbourhood lesser(Neighbourhood a, Neighbourhood b) {
    return a < b ? a : b;
}

/// In all lanes of a cell the least of them, or, where some are NaN, what the first one comes to.
[[gnu::always_inline]] inline Neighbourhood least_of(Neighbourhood v) {
    v = lesser(v, ahead<4>(v));
    v = lesser(v, ahead<2>(v));
    v = lesser(v, ahead<1>(v));
    return taken(v, [](int) { return 0; });
}

[[gnu::always_inline]] inline Neighbourhood root_of(Neighbourhood v) {
    for (int lane = 0; lane < 8 * kCells; ++lane) v[lane] = __builtin_sqrtf(v[lane]);
    return v;
}

/// Whether it holds for any of the cells, each of which has equal lanes.
[[gnu::always_inline]] inline bool any_cell(NeighbourhoodMask mask) {
    return (mask[0] | mask[8 * (kCells - 1)]) != 0;
}

}  // namespace
}  // namespace thalweg
