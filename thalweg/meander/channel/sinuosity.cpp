#include "thalweg/meander/channel/sinuosity.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace thalweg {

double bounded_sinuosity(double length, double chord) {
    constexpr double kMost = 20.0;
    return length >= kMost * chord ? kMost : std::max(1.0, length / chord);
}

void windowed_scaling(std::span<const double> x, std::span<const double> y, double window,
                      std::vector<float>& scaling) {
    constexpr std::size_t kEvery = 8;
    const std::size_t n = x.size();
    scaling.resize(n);
    std::vector<float> segment(n);
    const LineColumns line{.x = x.data(),
                           .y = y.data(),
                           .segment = segment.data(),
                           .curvature = nullptr,
                           .normal_x = nullptr,
                           .normal_y = nullptr};
    in_lanes([&](auto lanes) { segments_in_lanes<lanes()>(line, static_cast<std::int64_t>(n)); });
    std::size_t first = 0;
    std::size_t last = 0;   // of the window
    double before = 0.0;    // m, from `first` to the point in the middle
    double behind = 0.0;    // m, from there to `last`
    std::size_t known = 0;  // the last point that has a value
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) {
            before += segment[i - 1];
            behind -= segment[i - 1];
        }
        while (last + 1 < n && (last < i || behind < 0.5 * window)) behind += segment[last++];
        while (first < i && before - segment[first] >= 0.5 * window) before -= segment[first++];
        if (i % kEvery != 0 && i + 1 != n) continue;
        const double chord = std::hypot(x[last] - x[first], y[last] - y[first]);
        scaling[i] =
            static_cast<float>(portable_power(bounded_sinuosity(before + behind, chord), -2.0 / 3.0));
        const auto steps = static_cast<float>(i - known);
        for (std::size_t j = known + 1; j < i; ++j)
            scaling[j] =
                scaling[known] + (scaling[i] - scaling[known]) * static_cast<float>(j - known) / steps;
        known = i;
    }
}

}  // namespace thalweg
