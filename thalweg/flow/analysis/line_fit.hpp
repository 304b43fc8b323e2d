// A straight line through points by least squares.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace thalweg {

/// y = intercept + slope x.
struct LineFit {
    double slope = 0.0;
    double intercept = 0.0;
    double r_squared = 0.0;  // share of the variance of y that the line explains; 1 where y is level
    std::int64_t points = 0;
    double slope_error = 0.0;  // standard error of the slope: of its estimate from n points that scatter
                               // alike and apart from each other; infinite with 2 points
};

/// The line of least squares through the points (x[i], y[i]), of equally many finite x and y; absent with
/// fewer than 2 points, or where all x are equal. Sums are taken about the means, in order. O(points).
std::optional<LineFit> fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace thalweg
