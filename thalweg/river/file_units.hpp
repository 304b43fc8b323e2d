// Quantities in the units of files, so that what is read back is what was written, to the bit.
#pragma once

namespace thalweg {

inline constexpr double kKilometre = 1e3;        // m
inline constexpr double kSquareKilometre = 1e6;  // m^2

/// `value` as it comes back from a file that counts it in `unit`s: itself, or the one next to it, because
/// just above a power of two the multiples of 1000 are coarser than doubles. What came back once stays as it
/// is.
inline double as_in_file(double value, double unit) {
    return value / unit * unit;
}

}  // namespace thalweg
