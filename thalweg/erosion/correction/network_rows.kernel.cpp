#include "thalweg/erosion/correction/network_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {
namespace {

constexpr int kVectors = kNetworkBlock / kLanes;  // in a block

[[gnu::always_inline]] inline Floats larger(Floats a, Floats b) {
    return choose(a > b, a, b);
}

/// What the present cells pull, and the squares of what they lie too high.
struct Pull {
    Floats sum;
    Floats squares;
};

/// Adds the part of the neighbours in direction `Direction`, `length` cells away.
template <int Direction>
[[gnu::always_inline]] inline void add_neighbours(const PullRow& row, std::int64_t cell, const float* length,
                                                  Pull& pull) {
    const std::int64_t other = cell + kRowStep[Direction] * row.columns + kColumnStep[Direction];
    const Floats zero{};
    const Floats way = load(length);
    const Floats drop = load(row.elevation + cell) - load(row.elevation + other);
    const Ints counts = (load_bytes(row.unconnected + cell) & (1 << Direction)) != 0;
    const Floats above = choose(counts, larger(drop - load(row.slope + cell) * way, zero), zero);
    const Floats below = choose(counts, larger(-drop - load(row.slope + other) * way, zero), zero);
    pull.sum += above - below;
    pull.squares += above * above;
}

}  // namespace

template <>
void pulls_in_lanes<kLanes>(const PullRow& row, std::int64_t count, float* pull, float* squares) {
    Floats sums[kVectors];
    for (std::int64_t v = 0; v < kVectors; ++v) sums[v] = load(squares + v * kLanes);
    for (std::int64_t block = 0; block < count; block += kNetworkBlock) {
        for (std::int64_t v = 0; v < kVectors; ++v) {
            const std::int64_t i = block + v * kLanes;
            Pull here{Floats{}, Floats{}};
            add_neighbours<0>(row, i, row.length_east + i, here);
            add_neighbours<2>(row, i, row.length_south + i, here);
            add_neighbours<4>(row, i, row.length_east + i - 1, here);
            add_neighbours<6>(row, i, row.length_south + i - row.columns, here);
            if (row.diagonals) {
                add_neighbours<1>(row, i, row.length_diagonal + i, here);
                add_neighbours<3>(row, i, row.length_diagonal + i - 1, here);
                add_neighbours<5>(row, i, row.length_diagonal + i - row.columns - 1, here);
                add_neighbours<7>(row, i, row.length_diagonal + i - row.columns, here);
            }
            store(pull + i, here.sum);
            sums[v] += here.squares;
        }
    }
    for (std::int64_t v = 0; v < kVectors; ++v) store(squares + v * kLanes, sums[v]);
}

template <>
void descend_in_lanes<kLanes>(const DescentRow& row, std::int64_t count, float* place, float* ahead,
                              float* squares) {
    const Floats zero{};
    const Floats least = zero + row.least;
    Floats sums[kVectors];
    for (std::int64_t v = 0; v < kVectors; ++v) sums[v] = load(squares + v * kLanes);
    for (std::int64_t block = 0; block < count; block += kNetworkBlock) {
        for (std::int64_t v = 0; v < kVectors; ++v) {
            const std::int64_t i = block + v * kLanes;
            const Floats from = load(row.from + i), target = load(row.target + i);
            const Floats before = load(place + i), curvature = load(row.curvature + i);
            const Floats gradient =
                row.river_weight * (from - target) + row.discontinuity_weight * load(row.pulls + i);
            const Ints drains = curvature > zero;
            const Floats end = choose(drains, larger(from - row.step * gradient / curvature, least), from);
            const Floats further = choose(drains, larger(end + row.momentum * (end - before), least), from);
            store(place + i, end);
            store(ahead + i, further);
            const Floats off = further - target;
            sums[v] += off * off;
        }
    }
    for (std::int64_t v = 0; v < kVectors; ++v) store(squares + v * kLanes, sums[v]);
}

}  // namespace thalweg
