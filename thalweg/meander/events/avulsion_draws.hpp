// Draws by which banks burst, bends are cut off by chutes, and rivers take new courses.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/meander/meander_state.hpp"

#include <cstddef>
#include <cstdint>
#include <numbers>

namespace thalweg {

/// What a draw decides.
enum class CourseDraw : std::uint64_t {
    Bursts = 11,
    Avulses = 12,
    Length = 13,
    Angle = 14,
    Wobble = 15,
    IsRegional = 16,
    ChuteHappens = 21,
    ChuteBegins = 22,
    ChuteEnds = 23
};

/// A number in [0, 1) for a point of a channel in this step.
inline double draw_at(const MeanderState& state, std::int64_t reach, std::size_t point, CourseDraw purpose,
                      std::uint64_t number = 0) {
    const auto step = static_cast<std::uint64_t>(state.steps);
    return unit_double(random_bits(state.seed, Stream::Meander, static_cast<std::uint64_t>(reach),
                                   mix64(step) ^ static_cast<std::uint64_t>(point),
                                   static_cast<std::uint64_t>(purpose) + (number << 8)));
}

/// By how much a step of a new course turns aside, up to 5 degrees (Paris et al. 2023, section 5.2), radians.
inline double wobble_at(const MeanderState& state, std::int64_t reach, std::size_t point, std::size_t step) {
    constexpr double kMost = 5.0 * std::numbers::pi / 180.0;
    return kMost * (2.0 * draw_at(state, reach, point, CourseDraw::Wobble, step) - 1.0);
}

}  // namespace thalweg
