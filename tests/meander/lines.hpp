// Lines that tests of meandering channels begin with.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/meander/channel_line.hpp"
#include "thalweg/river/hydraulics.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace thalweg {

/// y = amplitude sin(2 pi x / wavelength), in steps of `spacing` along x.
inline ChannelLine sine_line(double length, double spacing, double wavelength, double amplitude,
                             double width) {
    std::vector<RiverPoint> points;
    const auto steps = static_cast<std::int64_t>(std::llround(length / spacing));
    for (std::int64_t i = 0; i <= steps; ++i) {
        const double x = static_cast<double>(i) * spacing;
        points.push_back(
            {x, amplitude * std::sin(2.0 * std::numbers::pi * x / wavelength), 0.001 * (length - x)});
    }
    return channel_line(points, width, depth_of_width(width), 100.0);
}

/// A line that is straight but for waves of all lengths from 3 to 40 widths, a few metres high.
inline ChannelLine nearly_straight_line(double length, double spacing, double width, std::uint64_t seed) {
    ChannelLine line = sine_line(length, spacing, length, 0.0, width);
    constexpr int kWaves = 40;
    for (int wave = 0; wave < kWaves; ++wave) {
        const std::uint64_t key = static_cast<std::uint64_t>(wave);
        const double share = unit_double(random_bits(seed, Stream::WhiteNoise, key, 1));
        const double wavelength = width * 3.0 * std::pow(40.0 / 3.0, share);
        const double phase =
            2.0 * std::numbers::pi * unit_double(random_bits(seed, Stream::WhiteNoise, key, 2));
        for (std::size_t i = 0; i < line.size(); ++i)
            line.y[i] += 0.01 * width * std::sin(2.0 * std::numbers::pi * line.x[i] / wavelength + phase) /
                         std::sqrt(kWaves);
    }
    return line;
}

inline std::vector<float> mobile(std::size_t points) {
    std::vector<float> mobility(points, 1.0F);
    mobility.front() = mobility.back() = 0.0F;
    return mobility;
}

}  // namespace thalweg
