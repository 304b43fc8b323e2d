// The kernels of beds: points that lie near each other, by the primitives that reach them.
#pragma once

#include "thalweg/riverscape/beds/bed_records.hpp"

#include <cstdint>

namespace thalweg {

/// Noise has wavelengths of 0.125 m times powers of 4: places on fixed lattices move nowhere when widths
/// change.
inline constexpr int kWaveOctaves = 9;  // up to 8 km

/// Cells of a lattice that are remembered, a side, and nodes around them.
inline constexpr int kCellsOfBlock = 3;
inline constexpr int kNodesOfBlock = kCellsOfBlock + 1;

/// The gradients at the nodes of a block of cells, row by row from the south-west.
struct NoiseBlock {
    std::int32_t column;  // of the south-western cell
    std::int32_t row;
    float x[kNodesOfBlock * kNodesOfBlock];
    float y[kNodesOfBlock * kNodesOfBlock];
};

/// The lattices of all octaves, and a block of each.
struct NoiseCells {
    std::uint64_t keys[kWaveOctaves];
    NoiseBlock blocks[kWaveOctaves];
};

/// Terrain, as a Field of a Grid.
struct TerrainGrid {
    const float* elevation;  // m, row by row from the north
    std::int32_t columns;
    std::int32_t rows;
    double cell_size;  // m
    double west;       // m
    double north;      // m
};

/// All primitives that may reach some points: pieces of channels and deflectors by course.
struct NearPrimitives {
    const ChannelPiece* channels;
    std::int64_t channel_count;
    const BankPiece* banks;
    std::int64_t bank_count;
    const BedMound* mounds;
    std::int64_t mound_count;
    const BedDeflector* deflectors;
    std::int64_t deflector_count;
    float least_step;  // m: coordinates differ by as much anywhere on the terrain
};

/// Places for the kernels' own use.
struct BedScratch {
    NoiseCells* noise;
    float* near;  // 3 * kWidestVector for each piece of channels or banks
    std::int32_t* pieces;
    std::int32_t* weighing;  // as many as there are pieces of channels
    std::int32_t* rocks;     // as many as there are deflectors
};

/// What is evaluated beside elevation and water.
struct BedOutput {
    bool has_material = true;
    bool has_velocity = true;
    bool has_least_depth = true;  // beds as deep as the stream needs
};

/// Points in columns. Behind their length lie as many places as the widest vector has.
struct BedColumns {
    std::int64_t count;
    const float* x;  // m from the origin
    const float* y;
    const float* terrain;  // m; NaN: no data, and none comes of it
    float* elevation;      // m
    float* mounds;         // m of the elevation, on beds
    float* water;          // m, level of the channel, above or below the ground; NaN: there is none
    float* depth;          // m, the greatest of the channel's section
    float* half_width;     // m
    float* discharge;      // m^3/s
    float* flowing;        // 1, part of the stream that still flows beyond the end of its course
    float* flow_x;         // m^2/s, through a metre of width
    float* flow_y;
    std::int32_t* material;
    std::int32_t* course;      // of the channel; -1: none
    std::int32_t* valley;      // of the channel
    std::int32_t* has_flow;    // -1: it is to be known; 0
    std::int32_t* is_shallow;  // -1: the stream may need more depth; 0
};

/// Points whose flow is to be known, in columns as BedColumns.
struct StreamColumns {
    std::int64_t count;
    const float* x;  // m from the origin
    const float* y;
    const float* half_width;  // m, of the water
    const std::int32_t* valley;
    float* flow_x;  // m^2/s, through a metre of width
    float* flow_y;
};

/// Channels of one course at points, in columns as BedColumns.
struct ChannelColumns {
    std::int64_t count;
    const float* x;  // m from the origin
    const float* y;
    float* weight;      // 0: none of its pieces reaches the point
    float* across;      // half widths to the left, of the water's own edges
    float* half_width;  // m
    float* share;       // flow_to_the_right
};

/// Terrain by cubic convolution (sample_bicubic, to the bit), m, at points in columns, m, behind whose length
/// lie as many places as a vector has. Returns whether there is data all around them: where not, it writes
/// NaN.
template <int lanes>
bool terrain_in_lanes(const TerrainGrid& terrain, const double* x, const double* y, std::int64_t count,
                      float* elevation);

/// E (bed_tree.hpp), without what streams do to it; tells where they must be known.
template <int lanes>
void beds_in_lanes(const NearPrimitives& near, const BedOutput& output, const BedScratch& scratch,
                   const BedColumns& points);

/// (u, v) h (bed_tree.hpp) of all channels of the points' valleys.
template <int lanes>
void streams_in_lanes(const NearPrimitives& near, const BedScratch& scratch, const StreamColumns& points);

/// Lets streams have the depth that they need, makes flow the velocity, m/s, and takes the course from what
/// is dry.
template <int lanes>
void let_flow_in_lanes(const BedOutput& output, const BedColumns& points);

/// What the pieces of channels, all of one course, merge to.
template <int lanes>
void channels_in_lanes(const NearPrimitives& near, const BedScratch& scratch, const ChannelColumns& points);

}  // namespace thalweg
