// Directions in the plane, with the same bits on every machine.
#pragma once

#include "thalweg/core/random.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace thalweg {

/// A vector of length 1.
struct UnitVector {
    double x = 1.0;
    double y = 0.0;
};

/// The direction that 64 random bits stand for, uniform around the circle. Sine and cosine are Taylor series
/// (error below 2e-9), so that every machine has the same bits.
inline UnitVector unit_vector(std::uint64_t bits) {
    constexpr double kQuarterTurn = 1.57079632679489662;
    const double a = (unit_double(bits << 2) - 0.5) * kQuarterTurn;
    const double a2 = a * a;
    const double sine =
        a * (1.0 + a2 * (-1.0 / 6.0 + a2 * (1.0 / 120.0 + a2 * (-1.0 / 5040.0 + a2 * (1.0 / 362880.0)))));
    const double cosine =
        1.0 + a2 * (-0.5 +
                    a2 * (1.0 / 24.0 + a2 * (-1.0 / 720.0 + a2 * (1.0 / 40320.0 + a2 * (-1.0 / 3628800.0)))));
    // Turn by the quarters that the first two bits give; a table, for a branch would be guessed wrong.
    constexpr std::array<double, 5> kSineOfQuarters{0.0, 1.0, 0.0, -1.0, 0.0};
    const double turn_sine = kSineOfQuarters[bits >> 62];
    const double turn_cosine = kSineOfQuarters[(bits >> 62) + 1];
    return {cosine * turn_cosine - sine * turn_sine, sine * turn_cosine + cosine * turn_sine};
}

/// The direction `degrees` clockwise from north: x to the east, y to the north. Bits as unit_vector().
inline UnitVector direction_from_north(double degrees) {
    const double turns = (135.0 - degrees) / 360.0;  // unit_vector() begins at -45 degrees from east
    return unit_vector(static_cast<std::uint64_t>((turns - std::floor(turns)) * 0x1p53) << 11);
}

}  // namespace thalweg
