// What the ground is made of: loose sediment on bedrock, and what each of them withstands.
#pragma once

#include "thalweg/particles/avalanches.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace thalweg {

/// The units that droplets take of a cell where they would take `wanted` of sediment: that much of their
/// `share` of the `loose` sediment there, and beneath it bedrock at `erodibility` of that speed.
inline std::int32_t taken_of(std::int32_t wanted, float share, std::int32_t loose, float erodibility) {
    const auto covered =
        std::min(static_cast<std::int32_t>(share * static_cast<float>(std::max(loose, 0))), wanted);
    const float bare = static_cast<float>(wanted - covered) * erodibility;
    return covered + static_cast<std::int32_t>(std::floor(bare + 0.5F));
}

/// The units that are taken where roots hold a share of them, 0 to 1.
inline std::int32_t taken_between_roots(std::int32_t wanted, float held) {
    return static_cast<std::int32_t>(std::floor(static_cast<float>(wanted) * (1.0F - held) + 0.5F));
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
