// Pigment that droplets wash over the ground.
#pragma once

#include "thalweg/particles/particle_state.hpp"

#include <cmath>
#include <cstdint>

namespace thalweg {

/// What droplets of a batch lay down in a cell, as whole numbers.
struct PigmentTrace {
    std::int64_t laid = 0;     // units of sediment
    std::int64_t pigment = 0;  // 2^-12 of these
};

inline constexpr float kTraceOfPigment = 4096.0F;

/// Pigment of a load, 0 to 1, once `taken` units of ground with `of_ground` have come to its `load`.
inline float mixed_pigment(float pigment, std::int32_t load, std::int32_t taken, float of_ground) {
    const float all = static_cast<float>(load) + static_cast<float>(taken);
    if (!(all > 0.0F)) return of_ground;
    return pigment + (of_ground - pigment) * (static_cast<float>(taken) / all);
}

inline void lay_pigment(PigmentTrace& trace, float pigment, std::int64_t laid) {
    trace.laid += laid;
    trace.pigment += std::llround(static_cast<double>(laid) * static_cast<double>(kTraceOfPigment * pigment));
}

/// Pigment of ground whose uppermost `depth` units are mixed with what is laid down.
inline float covered_pigment(float pigment, double depth, const PigmentTrace& trace) {
    const double laid = static_cast<double>(trace.pigment) / static_cast<double>(kTraceOfPigment);
    const double all = depth + static_cast<double>(trace.laid);
    return static_cast<float>((static_cast<double>(pigment) * depth + laid) / all);
}

}  // namespace thalweg
