// A primitive at one time, ready for kernels.
#pragma once

#include "thalweg/water/primitives/kind_forms.hpp"

#include <cstdint>

namespace thalweg {

/// Added to a float below 2^22, rounds it to a whole number, which then stands in its lower bits.
inline constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23
inline constexpr std::uint32_t kRounderBits = 0x4b400000U;

/// A carried noise in floats. `key` holds what is added to the bits of all its lattice points, with
/// kRounder's bits taken off both columns and rows; `first_key` those of the column where a period begins.
struct PreparedNoise {
    float along_x;  // cells per metre
    float along_y;
    float across_x;
    float across_y;
    float shift_along;   // cells, [0, period)
    float shift_across;  // cells, [0, 1)
    float period;        // cells, whole
    float per_period;    // 1 / period
    float half;          // (1 / period - 1) / 2
    float last;          // period - 1
    std::uint32_t key;
    std::uint32_t first_key;
};

struct PreparedWave {
    float along_x;  // turns per metre
    float along_y;
    float shift;  // turns, [0, 1)
};

struct PreparedPrimitive {
    std::int32_t kind;
    float x;  // m, from the tile's corner
    float y;
    float per_square;  // 1 / R^2, 1/m^2
    float lift;        // m, of the mean elevation at the centre above the tile's datum
    float tilt_x;      // of the mean surface
    float tilt_y;
    float amplitude;   // m
    float velocity_x;  // m/s
    float velocity_y;
    float foam;
    float flow_x;  // direction of the flow
    float flow_y;
    float fall;               // m
    float per_length = 0.0F;  // 1/m: of the wavelength of standing waves, of the length of a fall
    float sag = 0.0F;         // 1/m, of standing crests
    float lag = 0.0F;         // turns, of a vortex's rim behind its centre
    float rotation = 0.0F;    // rad/s
    PreparedNoise noise[kMostNoises] = {};
    PreparedWave wave[2] = {};
};

}  // namespace thalweg
