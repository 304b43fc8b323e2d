// What passes between the traces of droplets, the averages of streams, and what droplets read of these.
#pragma once

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/particles/droplets/droplet.hpp"

#include <cmath>
#include <cstdint>

namespace thalweg {

/// Discharge and momentum of cells that lie behind each other, m^3/yr.
template <class Number>
struct StreamRow {
    Number* discharge = nullptr;
    Number* momentum_east = nullptr;
    Number* momentum_south = nullptr;
};

/// Sums of traces over cells that lie behind each other, for kRoom of them.
struct TraceSums {
    static constexpr std::int64_t kMost = 512;
    static constexpr std::int64_t kRoom = kMost + kWidestVector;
    alignas(64) float visits[kRoom];  // 2^-12 of a mean droplet
    float east[kRoom];                // these times direction
    float south[kRoom];
};

/// What numbers of StreamCells stand for: pushes come to M^1/2.
inline StreamScale scale_of(const StreamLaw& law) {
    constexpr float kOpenAtSill = 0.02F;  // of a cell's size (empirical)
    return {.push = std::sqrt(law.momentum_transfer) / kLargestPush,
            .entrainment = law.entrainment / kLargestShare,
            .open_depth = kOpenAtSill * law.cell_size / kLargestShare};
}

/// What droplets read of streams, but for still water:
///   p = m / |m| (M |m| / (Qm + Q))^1/2,   1 + K E(Q / Q1)
/// so that M cos(u, m) m / (Qm + Q) = (u p) p. The same for vectors of 4, 8 or 16.
template <int Lanes>
void find_streams(const StreamLaw& law, const StreamRow<const float>& row, const CellPlace* places,
                  std::int64_t count, StreamCell* to);

/// Takes momentum of `count` cells out of traces and adds it to sums of whole numbers.
template <int Lanes>
void take_momentum(CellTrace* traces, std::int64_t count, std::int32_t* east, std::int32_t* south);

/// Averages that `weight` has moved towards `scale` times these sums; the smallest become 0.
template <int Lanes>
void average_streams(const TraceSums& sums, float weight, float scale, std::int64_t count,
                     const StreamRow<const float>& before, const StreamRow<float>& row);

}  // namespace thalweg
