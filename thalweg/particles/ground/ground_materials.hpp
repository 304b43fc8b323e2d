// What the ground is made of: soil on loose sediment on bedrock, what each of them withstands, and its
// pigment.
#pragma once

#include "thalweg/particles/ground/avalanches.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

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

/// The bedrock of a state, cell by cell. Fields are empty where it is as sediment is everywhere.
struct BedrockOfCells {
    std::vector<float> erodibility;  // 1, over that of sediment
    std::vector<std::int32_t> rise;  // RowSlice::bedrock_rise
    std::int32_t least_rise = 0;     // of these
};

BedrockOfCells bedrock_of(const ParticleState& state);

/// How the ground of a state slides.
MaterialSlides slides_of(const ParticleState& state, const BedrockOfCells& bedrock);

}  // namespace thalweg
