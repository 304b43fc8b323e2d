// The kernel of water: points of one cell, by the cell's program.
#pragma once

#include "thalweg/water/surface/prepared_primitive.hpp"

#include <cstdint>

namespace thalweg {

/// Codes of a program that are no primitives (docs/theory/water_surface.md).
inline constexpr std::uint16_t kPushSums = 0x8000;     // begin new sums above those so far
inline constexpr std::uint16_t kReplaceSums = 0x8001;  // replace the sums below by those on top
inline constexpr std::uint16_t kMergeSums = 0x8002;    // add those on top to those below

/// The most sums that may lie on each other.
inline constexpr int kMostSums = 18;

struct CellProgram {
    const PreparedPrimitive* primitives;
    const std::uint16_t* codes;
    std::int64_t count;
};

/// What lies below the water where little covers.
struct CellBase {
    float level;     // m, above the tile's datum
    bool is_given;   // else elevation is NaN where nothing covers
    float thin;      // weight below which it fades in
    float per_thin;  // 1 / thin
};

/// Columns of points; their length is a multiple of the widest vector.
struct CellPoints {
    const float* x;  // m, from the tile's corner
    const float* y;
    float* elevation;   // m, above the tile's datum
    float* velocity_x;  // m/s
    float* velocity_y;
    float* foam;
    std::int64_t count;
};

/// Evaluates primitives of kinds that have no kernel: `count` points from (x, y) on. Writes their elevation
/// above the datum, velocity to the east, to the north, and foam into columns of kWidestVector floats.
struct OtherKinds {
    void (*evaluate)(const void* context, std::uint16_t primitive, const float* x, const float* y, int count,
                     float* columns);
    const void* context;
};

template <int lanes>
void water_in_lanes(const CellProgram& program, const CellBase& base, const OtherKinds& others,
                    const CellPoints& points);

}  // namespace thalweg
