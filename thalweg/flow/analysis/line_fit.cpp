#include "thalweg/flow/analysis/line_fit.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace thalweg {

std::optional<LineFit> fit_line(std::span<const double> x, std::span<const double> y) {
    assert(x.size() == y.size());
    const auto points = static_cast<double>(x.size());
    // Sums about a rounded mean would find a spread where there is none.
    if (std::ranges::all_of(x, [&](double value) { return value == x.front(); })) return std::nullopt;
    double mean_x = 0.0, mean_y = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += x[i] / points;
        mean_y += y[i] / points;
    }
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    const double slope = xy / xx;
    const double scatter = std::max(0.0, yy - slope * xy) / xx;
    return LineFit{.slope = slope,
                   .intercept = mean_y - slope * mean_x,
                   .r_squared = yy > 0.0 ? slope * xy / yy : 1.0,
                   .points = static_cast<std::int64_t>(x.size()),
                   .slope_error = points > 2.0 ? std::sqrt(scatter / (points - 2.0))
                                               : std::numeric_limits<double>::infinity()};
}

}  // namespace thalweg
