#include "thalweg/erosion/transfer/creep_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/transfer/vector_plane.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {
namespace {

[[gnu::always_inline]] inline void creep_block(const CreepRow& row, std::int64_t i, float* result) {
    const Floats zero{};
    const Floats own = load(row.elevation + i);
    const Floats own_x = load(row.offset_x + i), own_y = load(row.offset_y + i);
    NodeSums nodes;
    HeightSums heights;
    Floats squares{};
    for (int d = 0; d < 8; ++d) {
        const std::int64_t other = i + kRowStep[d] * row.stride + kColumnStep[d];
        const Floats drop = load(row.elevation + other) - own;
        const Ints has_data = drop == drop;
        const Floats weight = choose(has_data, zero + 1.0F, zero);
        const Floats x = static_cast<float>(kColumnStep[d]) + (load(row.offset_x + other) - own_x);
        const Floats y = static_cast<float>(kRowStep[d]) + (load(row.offset_y + other) - own_y);
        add(nodes, weight, x, y);
        add(heights, weight, x, y, choose(has_data, drop, zero));
        squares += weight * (x * x + y * y);
    }
    const Floats plane = own + height_at_origin(nodes, heights);
    const Floats relaxed = plane + load(row.uplift + i) * (squares / nodes.w) * row.scale;
    const Ints moves = (load_bytes(row.where + i) != 0) & (nodes.w > 0.0F);
    store(result + i, choose(moves, relaxed, own));
}

}  // namespace

template <>
void creep_in_lanes<kLanes>(const CreepRow& row, float* result) {
    std::int64_t i = 0;
    for (; i + kLanes <= row.count; i += kLanes) creep_block(row, i, result);
    // The last block overlaps the one before: both write the same.
    if (i < row.count) creep_block(row, row.count - kLanes, result);
}

}  // namespace thalweg
