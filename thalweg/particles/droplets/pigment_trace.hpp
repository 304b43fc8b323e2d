// Pigments of what droplets lay down.
#pragma once

#include "thalweg/particles/particle_state.hpp"

#include <cmath>
#include <cstdint>

namespace thalweg {

/// What droplets of a batch lay down in a cell, as whole numbers.
struct PigmentTrace {
    std::int64_t laid = 0;                     // units of sediment
    std::int64_t pigment[kMostPigments] = {};  // 2^-12 of these
};

inline constexpr float kTraceOfPigment = 4096.0F;

/// `pigments`: kMostPigments of what is laid down.
inline void lay_pigments(PigmentTrace& trace, const float* pigments, std::int64_t laid) {
    trace.laid += laid;
    for (int p = 0; p < kMostPigments; ++p)
        trace.pigment[p] +=
            std::llround(static_cast<double>(laid) * static_cast<double>(kTraceOfPigment * pigments[p]));
}

/// The p-th pigment of ground whose uppermost `depth` units are mixed with what is laid down.
inline float covered_pigment(float pigment, double depth, const PigmentTrace& trace, int p) {
    const double laid = static_cast<double>(trace.pigment[p]) / static_cast<double>(kTraceOfPigment);
    const double all = depth + static_cast<double>(trace.laid);
    return static_cast<float>((static_cast<double>(pigment) * depth + laid) / all);
}

}  // namespace thalweg
