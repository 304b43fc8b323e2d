// One droplet: how it moves, and what it takes up and lays down.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace thalweg {

/// What droplets read of a cell.
struct GroundCell {
    float elevation = 0.0F;       // m
    float discharge = 0.0F;       // m^3/yr, averaged
    float momentum_east = 0.0F;   // m^3/yr, averaged
    float momentum_south = 0.0F;  // m^3/yr
    float visits = 0.0F;          // of mean droplets in this batch
    float owed = 0.0F;            // m, that droplets have laid down and the ground has not
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

/// What droplets leave in a cell, as whole numbers, so that their order does not matter.
struct CellTrace {
    std::int64_t elevation = 0;  // units, of a batch
    std::int64_t visits = 0;     // 2^-12 of a mean droplet, of a batch
    std::int64_t water = 0;      // the same of a cycle, as the next two
    std::int64_t east = 0;       // water times direction
    std::int64_t south = 0;
};

/// What a mean droplet counts for in CellTrace::water.
inline constexpr float kTraceOfDroplet = 4096.0F;

/// The ground that a batch runs on.
struct DropletGround {
    const GroundCell* cells = nullptr;
    const CellKind* kinds = nullptr;
    const std::uint8_t* ways = nullptr;  // per cell: direction (directions.hpp) in which filled ground drains
    int columns = 0;
    int rows = 0;
    const std::int32_t* lake = nullptr;  // per cell: 1 + its number in `lakes`
    const ParticleLake* lakes = nullptr;
    float sea_level = 0.0F;               // m above the datum
    const std::int32_t* loose = nullptr;  // units of sediment on bedrock
    const float* erodibility = nullptr;   // of bedrock over that of sediment; none: 1
    const float* roots = nullptr;         // share of what droplets would take that they hold; none: 0
    const float* pigment = nullptr;       // 1, of the surface; none: it is not washed

    /// Of ground or water, m.
    [[nodiscard]] float surface(std::int64_t cell) const {
        switch (kinds[cell]) {
            case CellKind::Lake:
                return std::max(cells[cell].elevation, lakes[lake[cell] - 1].level);
            case CellKind::Sea:
                return std::max(cells[cell].elevation, sea_level);
            default:
                return cells[cell].elevation;
        }
    }
};

/// The law of particle_simulation.hpp for cells of one size and batches of one number of droplets.
struct DropletLaw {
    float cell_size = 1.0F;           // m, dx
    float gravity = 0.0F;             // 1/m, G
    float momentum_transfer = 0.0F;   // 1/m, M
    float momentum_discharge = 1.0F;  // m^3/yr, Qm
    float entrainment = 0.0F;         // K
    float entrainment_rate = 0.0F;    // yr/m^3, 0.4 / Q1
    float capacity = 0.0F;            // units on a cell that a mean droplet carries at slope 1, kc V
    float exchange_length = 1.0F;     // m, lambda
    float evaporation_length = 1.0F;  // m, Le
    float settling_length = 1.0F;     // m, in still water
    float climb_limit = 0.0F;         // m
    int steps = 0;                    // at most
    bool is_fourth_order = false;     // gradients
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

/// What a droplet brings to a cell.
struct DropletCargo {
    float volume = 1.0F;    // of a mean droplet
    std::int32_t load = 0;  // units on a cell
    float above = 0.0F;     // m, by which it has come down to the cell
    float pigment = 0.0F;   // 1, of the load
    float feed = 0.0F;      // DropletStart::feed
};

/// E of the law: erf(x) for x from 0 on.
inline float error_function(float x) {
    const float p = 1.0F + x * (0.278393F + x * (0.230389F + x * (0.000972F + x * 0.078108F)));
    const float p2 = p * p;
    return 1.0F - 1.0F / (p2 * p2);
}

/// C V: what the droplet carries in equilibrium, units on a cell.
inline float equilibrium_load(const DropletLaw& law, float volume, float slope, float discharge) {
    const float entrained = 1.0F + law.entrainment * error_function(law.entrainment_rate * discharge);
    return law.capacity * volume * entrained * std::max(slope, 0.0F);
}

/// The direction after a step of `length` m under gravity and the stream; of length 1, or 0 where nothing
/// drives the droplet.
inline Vector2 turned(const DropletLaw& law, Vector2 direction, Vector2 gradient, const GroundCell& cell,
                      float length) {
    const float rise = std::sqrt(1.0F + gradient.x * gradient.x + gradient.y * gradient.y);
    const float pull = -length * law.gravity / rise;
    Vector2 sum = {direction.x + pull * gradient.x, direction.y + pull * gradient.y};
    const Vector2 m = {cell.momentum_east, cell.momentum_south};
    const float momentum = std::sqrt(m.x * m.x + m.y * m.y);
    if (momentum > 0.0F) {
        const float cosine = (direction.x * m.x + direction.y * m.y) / momentum;
        const float push =
            length * law.momentum_transfer * cosine / (law.momentum_discharge + cell.discharge);
        sum = {sum.x + push * m.x, sum.y + push * m.y};
    }
    const float size = std::sqrt(sum.x * sum.x + sum.y * sum.y);
    constexpr float kLeastSize = 1e-12F;
    if (!(size > kLeastSize)) return {};
    return {sum.x / size, sum.y / size};
}

/// The share of a cell's change in a batch that is a droplet's.
inline float share_of(const DropletCargo& cargo, const GroundCell& cell) {
    return cargo.volume < cell.visits ? cargo.volume / cell.visits : 1.0F;
}

/// What a droplet that goes down by `drop` m over `length` m takes from its cell, units; less than 0 where it
/// lays down. All droplets of a batch take at most half of the way down to where they go, and lay down half
/// of the way up to where they come from, so that they neither dig hollows nor dam themselves up. Where the
/// ground has still to take something, nothing is laid down.
inline std::int32_t exchanged(const DropletLaw& law, const DropletCargo& cargo, float drop, float length,
                              const GroundCell& cell) {
    constexpr float kUnits = 0x1p17F;  // in a metre
    constexpr float kMost = 0x1p24F;   // units in a step, 128 m: floats count up to here
    constexpr float kMostLoad = 0x1p30F;
    const float load = static_cast<float>(cargo.load);
    const float wanted = equilibrium_load(law, cargo.volume, drop / length, cell.discharge) - load;
    const float amount = wanted * (length / (length + law.exchange_length));
    const float half = 0.5F * kUnits * share_of(cargo, cell);
    const float most_taken = std::min({std::max(drop, 0.0F) * half, kMost, kMostLoad - load});
    const float room = cell.owed > 0.0F ? 0.0F : std::max(cargo.above, 0.0F) * half;
    const float most_laid = std::min({room, kMost, load});
    const float capped = std::clamp(amount, -most_laid, std::max(most_taken, 0.0F));
    return static_cast<std::int32_t>(std::floor(capped + 0.5F));
}

/// What a droplet lays down in still water of such a depth, m, along `length` m; units.
inline std::int32_t settled(const DropletLaw& law, const DropletCargo& cargo, float depth, float length,
                            const GroundCell& cell) {
    constexpr float kUnits = 0x1p17F;  // in a metre
    constexpr float kMost = 0x1p24F;   // units
    const float load = static_cast<float>(cargo.load);
    const float room = cell.owed > 0.0F ? 0.0F : std::max(depth, 0.0F) * kUnits * share_of(cargo, cell);
    const float amount = std::min({load * (length / (length + law.settling_length)), room, kMost, load});
    return static_cast<std::int32_t>(std::floor(amount + 0.5F));
}

/// Rise of the ground per m at a cell, which is no border.
inline Vector2 gradient_at(const DropletLaw& law, const DropletGround& ground, int column, int row) {
    const std::int64_t columns = ground.columns;
    const GroundCell* cell = ground.cells + row * columns + column;
    const float x = cell[1].elevation - cell[-1].elevation;
    const float y = cell[columns].elevation - cell[-columns].elevation;
    const float scale = 0.5F / law.cell_size;
    if (law.is_fourth_order && column > 1 && row > 1 && column < ground.columns - 2 &&
        row < ground.rows - 2) {
        const float wide_x = cell[2].elevation - cell[-2].elevation;
        const float wide_y = cell[2 * columns].elevation - cell[-2 * columns].elevation;
        constexpr float kNear = 4.0F / 3.0F;
        constexpr float kFar = 1.0F / 6.0F;
        const Vector2 fine = {scale * (kNear * x - kFar * wide_x), scale * (kNear * y - kFar * wide_y)};
        if (!std::isnan(fine.x) && !std::isnan(fine.y)) return fine;
    }
    return {scale * x, scale * y};
}

}  // namespace thalweg
