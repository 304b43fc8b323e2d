#include "thalweg/flow/graph/steepest_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {
namespace {

/// The steepest neighbour so far.
struct Steepest {
    Floats slope{};  // m per cell
    Ints direction = Ints{} + static_cast<std::int32_t>(kPit);

    [[gnu::always_inline]] void consider(Floats other_slope, int d) {
        const Ints better = other_slope > slope;
        slope = choose(better, other_slope, slope);
        direction = choose(better, Ints{} + d, direction);
    }
};

template <bool Diagonals>
[[gnu::always_inline]] inline void direct_block(const SteepestRow& row, std::int64_t i,
                                                std::uint8_t* direction) {
    const float* const here = row.elevation + i;
    const Floats own = load(here);
    const auto drop_to = [&](int d) { return own - load(here + kRowStep[d] * row.stride + kColumnStep[d]); };
    // In the order of the directions: the first of equally steep ones is taken.
    Steepest best;
    for (int d = 0; d < 8; d += 2) {
        best.consider(drop_to(d), d);
        if (Diagonals) best.consider(drop_to(d + 1) * kInverseDiagonal, d + 1);
    }
    const Ints root = load_bytes(row.roots + i) != 0;
    const Ints result = choose(root, Ints{} + static_cast<std::int32_t>(kRoot), best.direction);
    store_bytes(direction + i, choose(own != own, Ints{} + static_cast<std::int32_t>(kOutside), result));
}

template <bool Diagonals>
void direct_run(const SteepestRow& row, std::uint8_t* direction) {
    std::int64_t i = 0;
    for (; i + kLanes <= row.count; i += kLanes) direct_block<Diagonals>(row, i, direction);
    // The last block overlaps the one before: both write the same.
    if (i < row.count) direct_block<Diagonals>(row, row.count - kLanes, direction);
}

}  // namespace

template <>
void steepest_in_lanes<kLanes>(const SteepestRow& row, std::uint8_t* direction) {
    if (row.diagonals) {
        direct_run<true>(row, direction);
    } else {
        direct_run<false>(row, direction);
    }
}

}  // namespace thalweg
