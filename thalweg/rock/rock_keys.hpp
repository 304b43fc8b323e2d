// Draws of a body of rock, each of a purpose of its own.
#pragma once

#include "thalweg/core/random.hpp"

#include <cmath>
#include <cstdint>

namespace thalweg {

/// What a draw decides. Never renumber: bodies would change.
enum class RockUse : std::uint64_t {
    Strike = 0,
    Thickness = 1,
    BedBoundary = 2,
    Bed = 3,
    FoldPhase = 4,
    CrossFoldPhase = 5,
    FaultBoundary = 6,
    FaultCourse = 7,
    FaultBlock = 8,
    FaultWeakness = 9,
    JointBoundary = 10,
    JointCourse = 11,
    JointExtent = 12,
    JointWeakness = 13,
    Heterogeneity = 14,
    Pluton = 15,
    DykeBoundary = 16,
    DykeCourse = 17,
    Cover = 18,
    Unconformity = 19,
    OlderColumn = 20,
};

constexpr std::uint64_t rock_bits(std::uint64_t seed, RockUse use, std::int64_t a = 0, std::int64_t b = 0) {
    return random_bits(seed, Stream::Rock, static_cast<std::uint64_t>(use), static_cast<std::uint64_t>(a),
                       static_cast<std::uint64_t>(b));
}

/// Nearly normal, mean 0 and deviation 1: the sum of four draws of 16 bits, in [-3.47, 3.47].
constexpr double nearly_normal(std::uint64_t bits) {
    constexpr double kRootThree = 1.7320508075688772;
    const std::uint64_t sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
    return kRootThree * (static_cast<double>(sum) * 0x1p-16 - 2.0);
}

/// Lines one after another, `spacing` apart in the mean: line i lies at (i + 0.3 u_i) spacing, u_i in
/// [-1, 1).
struct IrregularLines {
    std::uint64_t seed;
    RockUse use;
    std::int64_t set;
    double spacing;  // m

    [[nodiscard]] double line(std::int64_t i) const {
        return (static_cast<double>(i) + 0.6 * (unit_double(rock_bits(seed, use, set, i)) - 0.5)) * spacing;
    }

    /// From one line up to the next.
    struct Strip {
        std::int64_t before = 0;        // number of the first line
        double begin = 0.0, end = 0.0;  // m, of both lines
    };
    /// In which `place` lies.
    [[nodiscard]] Strip strip_at(double place) const {
        const auto i = static_cast<std::int64_t>(std::floor(place / spacing));
        const double here = line(i);
        if (place < here) return {i - 1, line(i - 1), here};
        const double next = line(i + 1);
        return next <= place ? Strip{i + 1, next, line(i + 2)} : Strip{i, here, next};
    }
};

}  // namespace thalweg
