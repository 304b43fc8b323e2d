#include "thalweg/flow/freeman_rows.hpp"

#include "thalweg/core/vector_power.hpp"
#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

constexpr float kInverseDiagonal = 0.707106781F;  // 1/cells
constexpr float kScale = 0x1p40F;         // of drops, so that the least difference of floats has an inverse
constexpr float kLeastRatio = 0x1p-100F;  // of a slope to the steepest one; keeps logarithms finite
constexpr float kLeastPower = -126.0F;    // log2 of the least weight that is not 0

[[gnu::always_inline]] inline Floats greater_of(Floats a, Floats b) {
    return choose(a > b, a, b);
}

/// ratio^p, 0 for 0.
[[gnu::always_inline]] inline Floats power_of(Floats ratio, float exponent) {
    const Floats power = exponent * log2_of(greater_of(ratio, Floats{} + kLeastRatio));
    const Floats weight = exp2_of(greater_of(power, Floats{} + kLeastPower));
    return choose((ratio > 0.0F) & (power > kLeastPower), weight, Floats{});
}

[[gnu::always_inline]] inline void weigh_block(const FreemanRow& row, std::int64_t i, Floats* weight) {
    const Ints receivers = load_bytes(row.receivers + i);
    const Floats own = load(row.here + i);
    const auto slope_to = [&](const float* there, int d) {
        const float scale = d % 2 == 0 ? kScale : kScale * kInverseDiagonal;
        return choose((receivers >> d & 1) != 0, (own - load(there + i)) * scale, Floats{});
    };
    weight[0] = slope_to(row.here + 1, 0);
    weight[1] = slope_to(row.below + 1, 1);
    weight[2] = slope_to(row.below, 2);
    weight[3] = slope_to(row.below - 1, 3);
    weight[4] = slope_to(row.here - 1, 4);
    weight[5] = slope_to(row.above - 1, 5);
    weight[6] = slope_to(row.above, 6);
    weight[7] = slope_to(row.above + 1, 7);
    Floats steepest = weight[0];
    for (int d = 1; d < 8; ++d) steepest = greater_of(steepest, weight[d]);
    const Ints runs_down = steepest > 0.0F;
    const Floats inverse = 1.0F / choose(runs_down, steepest, Floats{} + 1.0F);
    for (int d = 0; d < 8; ++d) {
        const Floats is_receiver = __builtin_convertvector(receivers >> d & 1, Floats);
        weight[d] = choose(runs_down, power_of(weight[d] * inverse, row.exponent), is_receiver);
    }
}

}  // namespace

template <>
void freeman_weights_in_lanes<kLanes>(const FreemanRow& row, float* weight) {
    for (std::int64_t i = 0; i < row.count; i += kLanes) {
        Floats block[8];
        weigh_block(row, i, block);
        const std::int64_t end = row.count - i < kLanes ? row.count - i : kLanes;
        for (std::int64_t lane = 0; lane < end; ++lane)
            for (int d = 0; d < 8; ++d) weight[8 * (i + lane) + d] = block[d][lane];
    }
}

}  // namespace thalweg
