// How water flows in a valley's channels: differences of their stream functions.
#pragma once

#include "thalweg/riverscape/beds/bed_noise.hpp"
#include "thalweg/riverscape/beds/bed_primitives.hpp"
#include "thalweg/riverscape/beds/merged_pieces.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Through a metre of width, m^2/s.
struct UnitDischarge {
    float x = 0.0F;
    float y = 0.0F;
};

/// m, to all sides of a point: over them the stream function of a channel is differenced.
inline float stream_step(float half_width) {
    constexpr float kStep = 0.01F;    // half widths
    constexpr float kLeast = 0.005F;  // m
    return std::max(kStep * half_width, kLeast);
}

/// The water's edges are uneven: half widths to the left, of them, of a point that lies `across` half widths
/// to the left of the line.
template <class Value>
Value across_water(Value x, Value y, Value across, Value irregularity, Value octave, BedNoise& noise) {
    constexpr float kLeastFactor = 0.7F;  // water ends within the support of its channel
    const Value edge = noise.at(x, y, octave - 0.1F) + 0.5F * noise.at(x, y, octave - 1.1F);
    return across * greater(1.0F + irregularity * edge, Value{} + kLeastFactor);
}

/// Evaluates (u, v) h (bed_tree.hpp). One for each thread.
class BedStreams {
  public:
    explicit BedStreams(const BedPrimitives& primitives) : primitives_(primitives) {}

    /// Of all channels of the valley that `course` is in, whose water is so wide at (x, y).
    UnitDischarge at(float x, float y, float half_width, std::uint32_t course,
                     std::span<const std::uint32_t> segments, std::span<const std::uint32_t> deflectors,
                     BedNoise& noise);

  private:
    /// The stream function of a course, m^3/s, with its rocks; no data where its segments do not reach.
    FourFloats stream(FourFloats x, FourFloats y, std::uint32_t course,
                      std::span<const std::uint32_t> deflectors, BedNoise& noise);

    const BedPrimitives& primitives_;
    std::vector<NearPiece<FourFloats>> near_;
    std::vector<std::uint32_t> segments_;  // of one course, that weigh in
    std::vector<float> shares_;
};

}  // namespace thalweg
