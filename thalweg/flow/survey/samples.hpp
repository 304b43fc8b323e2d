// Moments and quantiles of samples.
#pragma once

#include <span>
#include <vector>

namespace thalweg {

/// Of a sample, about its mean; with n, not n - 1, in all denominators.
struct Moments {
    double mean = 0.0;
    double deviation = 0.0;  // standard
    double skew = 0.0;       // third moment over deviation^3
    double kurtosis = 0.0;   // fourth moment over deviation^4: 3 where values are normal

    /// Coefficient of variation.
    [[nodiscard]] double variation() const { return deviation / mean; }
};

/// NaN of no values; skew and kurtosis NaN where all are equal. O(values), serial.
Moments moments_of(std::span<const float> values);

/// The quantiles `shares` (0 to 1), straight between neighbouring values; NaN of no values. O(values).
std::vector<double> quantiles_of(std::span<const float> values, std::span<const double> shares);

/// The value in the middle.
double median_of(std::span<const float> values);

/// The decimal logarithm, with the same bits on every machine.
double decades_of(double value);

}  // namespace thalweg
