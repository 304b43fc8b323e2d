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

/// Points in columns; their length is a multiple of the widest vector.
struct CellPoints {
    const float* x;  // m, from the tile's corner
    const float* y;
    std::int64_t count;
};

/// Columns of sums of points: weights, and what weighs in times its weight. Behind their length lie as many
/// places as the widest vector has.
struct WaterSums {
    float* weight;
    float* elevation;   // m, above the tile's datum
    float* velocity_x;  // m/s
    float* velocity_y;
    float* foam;
};

/// Points of a grid: `x` of its columns, which are so far apart, `y` of its rows. Sums lie row by row,
/// `stride` places from each other: as many more than there are columns as the widest vector has.
struct BlockPoints {
    const float* x;  // m, from the tile's corner, rising; behind them as many places as the widest vector has
    const float* y;
    int columns;
    int rows;
    int stride;
    float per_spacing;  // 1/m
};

/// Evaluates primitives of kinds that have no kernel: `count` points from (x, y) on. Writes their elevation
/// above the datum, velocity to the east, to the north, and foam into columns of kWidestVector floats.
struct OtherKinds {
    void (*evaluate)(const void* context, std::uint16_t primitive, const float* x, const float* y, int count,
                     float* columns);
    const void* context;
};

/// Runs a program from the sums that are there.
template <int lanes>
void run_in_lanes(const CellProgram& program, const OtherKinds& others, const CellPoints& points,
                  const WaterSums& sums);

/// Adds one primitive to the points of a block that it reaches, row by row: the bits of run_in_lanes for
/// each.
template <int lanes>
void add_in_lanes(const PreparedPrimitive& primitive, std::uint16_t code, const OtherKinds& others,
                  const BlockPoints& points, const WaterSums& sums);

/// Makes sums the water itself, from place `first` on; weights stay.
template <int lanes>
void finish_in_lanes(const CellBase& base, std::int64_t count, const WaterSums& sums);

}  // namespace thalweg
