// What the ground is made of: soil on loose sediment on bedrock, and what each of them withstands.
#pragma once

#include "thalweg/particles/ground/avalanches.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

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
