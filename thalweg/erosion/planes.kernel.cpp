#include "thalweg/core/vector_power.hpp"
#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/plane_rows.hpp"
#include "thalweg/erosion/vector_plane.hpp"

namespace thalweg {
namespace {

[[gnu::always_inline]] inline void fit_block(const PlaneRun& run, std::int64_t i, float* result) {
    const Floats zero{};
    const Floats target_x = load(run.target_x + i);
    const Floats target_y = load(run.target_y + i);
    // Heights are taken relative to the cell's own, which keeps the sums precise.
    const Floats own = load(run.values + i);
    const Floats reference = choose(own == own, own, zero);
    Sums sums;
    Floats lowest = zero + 3e38F, highest = zero - 3e38F;  // of the nodes, m
    for (int r = run.first_row; r <= run.last_row; ++r) {
        for (int c = run.first_column; c <= run.last_column; ++c) {
            const std::int64_t other = i + r * run.stride + c;
            const Floats value = load(run.values + other);
            const Ints has_data = value == value;
            const Floats x = static_cast<float>(c) + load(run.offset_x + other) - target_x;
            const Floats y = static_cast<float>(r) + load(run.offset_y + other) - target_y;
            const Floats weight = exp2_of(run.sharpness * (x * x + y * y));
            const Floats height = value - reference;
            add(sums, choose(has_data, weight, zero), x, y, choose(has_data, height, zero));
            lowest = choose(height < lowest, height, lowest);
            highest = choose(height > highest, height, highest);
        }
    }
    // The plane may not leave the range of its nodes: beside fixed edges it would dig below the outlets.
    Floats height = height_at_origin(sums);
    height = choose(height < lowest, lowest, height);
    height = choose(height > highest, highest, height);
    store(result + i, reference + height);
}

}  // namespace

template <>
void planes_in_lanes<kLanes>(const PlaneRun& run, float* result) {
    std::int64_t i = 0;
    for (; i + kLanes <= run.count; i += kLanes) fit_block(run, i, result);
    // The last block overlaps the one before: both write the same.
    if (i < run.count) fit_block(run, run.count - kLanes, result);
}

}  // namespace thalweg
