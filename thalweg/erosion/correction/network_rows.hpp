// The passes over cells of the fit of elevations to a kept network (network_fit.hpp), in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// Cells in a block: counts of cells are multiples of it, and sums are kept for each place in a block, so
/// that they have the same bits for every width of vectors.
inline constexpr int kNetworkBlock = 16;

/// Unconnected neighbours around a run of cells, by pointers to its first cell. Whatever a direction's step
/// leads to must be readable, also where no bit of `unconnected` is set.
struct PullRow {
    const float* elevation;           // m
    const float* slope;               // m per cell, of the target to the receiver; infinite without one
    const std::uint8_t* unconnected;  // bit d: the neighbour in direction d is linked, but not connected
    const float* length_east;         // cells, of the link to the east
    const float* length_south;        // cells, of the link to the south
    const float* length_diagonal;     // cells, of either diagonal of the quad to the south-east
    std::int64_t columns;             // of the grid
    bool diagonals;                   // whether any cell has diagonal links
};

/// `pull` of every cell, m: what it lies too high above its unconnected neighbours, less what they lie too
/// high above it (Tzathas et al. 2024, the sum over neighbours in eq. 32). Adds the squares of the former,
/// m^2, to `squares` (kNetworkBlock sums). `count`: a multiple of kNetworkBlock. Equal bits for each width.
template <int Lanes>
void pulls_in_lanes(const PullRow& row, std::int64_t count, float* pull, float* squares);

/// Differences of a run of cells to their receivers on their way downhill, by pointers to its first cell.
struct DescentRow {
    const float* from;           // d, m: where the gradient was taken
    const float* target;         // d~, m
    const float* pulls;          // m, sum of pulls over all cells upstream
    const float* curvature;      // 1, of the objective by d over the step's size; 0 without a receiver
    float river_weight;          // 1
    float discontinuity_weight;  // 1
    float step;                  // 1, share of gradient over curvature
    float momentum;              // 1, how far to go on along the path from the place before
    float least;                 // m, no difference is smaller
};

/// One projected step from `from`: `place` (the place before on entry) becomes where it ends, `ahead` lies
/// further along by the momentum. Adds (ahead - target)^2, m^2, to `squares`. Else as pulls_in_lanes.
template <int Lanes>
void descend_in_lanes(const DescentRow& row, std::int64_t count, float* place, float* ahead, float* squares);

}  // namespace thalweg
