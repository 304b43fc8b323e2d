// Droplets: the law by which they move, what they read of the ground, and what they leave there.
#pragma once

#include "thalweg/particles/particle_state.hpp"

#include <cstdint>

namespace thalweg {

/// What droplets read of the stream in a cell (stream_cells.hpp): whole numbers of 16 bits, by StreamScale.
struct alignas(8) StreamCell {
    std::int32_t push = 0;   // p, u' = u + ds (u p) p: to the east in the low half, to the south in the high
                             // one; of still water instead the bits of its level, m above the datum, a float
    std::int32_t share = 0;  // of K E, or of what sediment leaves open of still water, in the high half, from
                             // 0 on; the lowest byte is the place of the cell
};
inline constexpr int kPlaceOfStream = 255;
inline constexpr int kHalf = 16;                       // shift
inline constexpr float kLargestPush = 0x1p15F - 1.0F;  // and the least, but for its sign
inline constexpr float kLargestShare = 0x1p16F - 1.0F;

/// What 1 stands for in a StreamCell.
struct StreamScale {
    float push = 0.0F;         // m^-1/2
    float entrainment = 0.0F;  // of K E
    float open_depth = 0.0F;   // m
};

/// What a cell is to droplets.
enum class CellKind : std::uint8_t {
    Land,
    Sill,  // over which a lake spills: nothing is laid down there
    Lake,
    Sea,
    Border,  // its elevation stays, and what comes there has left
    Inlet    // its elevation stays, and droplets of fed springs take up what they bring
};

/// Whether the elevation of such a cell stays.
constexpr bool is_fixed(CellKind kind) {
    return kind >= CellKind::Border;
}

/// Whether water stands there.
constexpr bool is_water(CellKind kind) {
    return kind == CellKind::Lake || kind == CellKind::Sea;
}

/// What a cell is to droplets, in one byte: its CellKind, the direction (directions.hpp) in which filled
/// ground drains, and whether it is of a lake that keeps its water.
using CellPlace = std::uint8_t;
inline constexpr int kKindOfPlace = 7;
constexpr CellKind kind_of(CellPlace place) {
    return static_cast<CellKind>(place & kKindOfPlace);
}
inline constexpr int kDirectionShift = 3;
inline constexpr int kDirectionOfPlace = 15;  // once shifted
inline constexpr int kKeepsWater = 128;

/// What droplets of a thread bring to a cell, as whole numbers, so that their order does not matter.
struct alignas(16) CellTrace {
    std::int32_t visits = 0;  // of a batch: 2^-12 of a mean droplet, one at least for each droplet; then see
                              // ParticleGround::count_visits
    std::int32_t east = 0;    // visits of a cycle times direction
    std::int32_t south = 0;
    std::int32_t exchange = 0;  // of a batch, units
};

/// The same without bounds, of one cell.
struct CarriedTrace {
    std::int64_t cell = 0;
    std::int64_t visits = 0;
    std::int64_t east = 0;
    std::int64_t south = 0;
};

/// What a mean droplet counts for in CellTrace::visits.
inline constexpr float kTraceOfDroplet = 4096.0F;

/// The ground that a batch runs on.
struct DropletGround {
    const std::int32_t* elevation = nullptr;  // units
    const StreamCell* streams = nullptr;
    StreamScale stream_scale = {};
    const CellPlace* places = nullptr;
    int columns = 0;
    int rows = 0;
    const std::int32_t* loose = nullptr;        // units of sediment and soil on bedrock
    const std::int32_t* soil = nullptr;         // units of these on sediment; none: 0
    const float* erodibility = nullptr;         // of bedrock over that of sediment; none: 1
    const float* roots = nullptr;               // share of what droplets would take that they hold; none: 0
    const float* pigments[kMostPigments] = {};  // 1, of the surface, those first that are washed
};

/// How streams act on droplets, by the law of particle_simulation.hpp for cells of one size.
struct StreamLaw {
    float cell_size = 1.0F;           // m
    float momentum_transfer = 0.0F;   // 1/m, M
    float momentum_discharge = 1.0F;  // m^3/yr, Qm
    float entrainment = 0.0F;         // K
    float entrainment_rate = 0.0F;    // yr/m^3, 0.4 / Q1
};

/// What else the law has, for cells of one size and batches of one number of droplets.
struct DropletLaw {
    float cell_size = 1.0F;             // m, dx
    float gravity = 0.0F;               // 1/m, G
    float capacity = 0.0F;              // units on a cell that a mean droplet carries at slope 1, kc V
    float exchange_length = 1.0F;       // m, lambda
    float evaporation_length = 1.0F;    // m, Le
    float settling_length = 1.0F;       // m, in still water
    float climb_limit = 0.0F;           // m
    int steps = 0;                      // at most
    bool is_fourth_order = false;       // gradients
    float soil_erodibility = 1.0F;      // over that of sediment
    float soil_settling_length = 1.0F;  // m
};

struct Vector2 {
    float x = 0.0F;  // to the east
    float y = 0.0F;  // to the south
};

/// A droplet under way.
struct Droplet {
    Vector2 place = {};      // columns and rows; 0 is the outer edge of the first
    Vector2 direction = {};  // of length 1; 0 at first
    float volume = 1.0F;     // of a mean droplet
};

/// A droplet before it sets out.
struct DropletStart {
    Droplet droplet;
    std::int64_t water = 0;  // units on a cell
    float feed = 0.0F;  // slope times share of what it can carry, which it brings; 0: not of a fed spring
};

}  // namespace thalweg
