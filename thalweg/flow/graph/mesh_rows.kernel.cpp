// Loops that the compiler turns into vectors of this file's width.
#include "thalweg/flow/graph/mesh_rows.hpp"

#include "thalweg/core/cell_bits.hpp"
#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

/// Uniform in (0, 1), from 16 bits.
[[gnu::always_inline]] inline float unit(std::uint32_t bits16) {
    return (static_cast<float>(static_cast<std::int32_t>(bits16)) + 0.5F) * 0x1p-16F;
}

}  // namespace

template <>
void displace_row_in_lanes<kLanes>(std::uint64_t key, std::uint32_t first_cell, std::int64_t count,
                                   float reach, float* __restrict offset_x, float* __restrict offset_y) {
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t cell = first_cell + static_cast<std::uint32_t>(i);
        const std::uint32_t draw = cell_bits(key, cell);
        offset_x[i] = 2.0F * reach * (unit(draw >> 16) - 0.5F);
        offset_y[i] = 2.0F * reach * (unit(draw & 0xffffU) - 0.5F);
    }
}

template <>
void cut_row_in_lanes<kLanes>(const NodeRows& rows, std::int64_t count, std::uint8_t* __restrict falls) {
    for (std::int64_t i = 0; i < count; ++i) {
        // Corners a, b, c, d, clockwise from north-west; edges to b and to d from a and from c.
        const float ax = rows.upper_x[i], ay = rows.upper_y[i];
        const float bx = rows.upper_x[i + 1] + 1.0F, by = rows.upper_y[i + 1];
        const float cx = rows.lower_x[i + 1] + 1.0F, cy = rows.lower_y[i + 1] + 1.0F;
        const float dx = rows.lower_x[i], dy = rows.lower_y[i] + 1.0F;
        const float cross_b = (cx - bx) * (ay - by) - (cy - by) * (ax - bx);
        const float dot_b = (cx - bx) * (ax - bx) + (cy - by) * (ay - by);
        const float cross_d = (ax - dx) * (cy - dy) - (ay - dy) * (cx - dx);
        const float dot_d = (ax - dx) * (cx - dx) + (ay - dy) * (cy - dy);
        // The sine of the angles at b and d together, up to a positive factor: below 180 degrees a-c is
        // Delaunay's.
        falls[i] = cross_b * dot_d + dot_b * cross_d > 0.0F ? 1 : 0;
    }
}

}  // namespace thalweg
