// What a StreamCell tells, number by number.
#pragma once

#include "thalweg/particles/droplets/droplet.hpp"

#include <bit>
#include <cstdint>
#include <limits>

namespace thalweg::tests {

/// A StreamCell in metres and years.
struct CellStream {
    float push_east = 0.0F;    // m^-1/2
    float push_south = 0.0F;   // m^-1/2
    float entrainment = 1.0F;  // 1 + K E, or m that sediment leaves open of still water
    float water_level = -std::numeric_limits<float>::infinity();  // m above the datum
};

inline CellStream stream_in(const StreamCell& cell, const StreamScale& scale) {
    const auto share = static_cast<float>(static_cast<std::uint32_t>(cell.share) >> kHalf);
    if (is_water(kind_of(static_cast<CellPlace>(cell.share & kPlaceOfStream))))
        return {.entrainment = share * scale.open_depth, .water_level = std::bit_cast<float>(cell.push)};
    return {.push_east = static_cast<float>(static_cast<std::int16_t>(cell.push & 0xffff)) * scale.push,
            .push_south = static_cast<float>(cell.push >> kHalf) * scale.push,
            .entrainment = 1.0F + share * scale.entrainment};
}

}  // namespace thalweg::tests
