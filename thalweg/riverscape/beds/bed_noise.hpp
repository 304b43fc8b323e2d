// Noise on beds and banks, of wavelengths that follow the width of the channel.
#pragma once

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/noise/bases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace thalweg {

/// Wavelengths are 0.125 m times powers of 4: places on fixed lattices move nowhere when widths change.
inline constexpr double kShortestWave = 0.125;  // m
inline constexpr int kWaveOctaves = 9;          // up to 8 km

/// The octave, between whole ones, of a wavelength in m.
inline float octave_of(double wavelength) {
    const double octave =
        portable_log(std::max(wavelength, kShortestWave) / kShortestWave) / portable_log(4.0);
    return static_cast<float>(std::min(octave, kWaveOctaves - 1.0));
}

/// Evaluates the octaves; one for each thread, since it remembers lattice cells.
class BedNoise {
  public:
    explicit BedNoise(std::uint64_t seed)
        : octaves_(octaves_of(seed, std::make_index_sequence<kWaveOctaves>{})) {}

    /// Noise in [-1, 1] at (x, y), m, of an octave between whole ones: both, by their nearness.
    float at(float x, float y, float octave) {
        const float clamped = std::clamp(octave, 0.0F, static_cast<float>(kWaveOctaves - 1));
        const int below = std::min(static_cast<int>(clamped), kWaveOctaves - 2);
        const float share = clamped - static_cast<float>(below);
        return (1.0F - share) * whole(x, y, below) + share * whole(x, y, below + 1);
    }

  private:
    using Octaves = std::array<GradientBasis, kWaveOctaves>;

    template <std::size_t... number>
    static Octaves octaves_of(std::uint64_t seed, std::index_sequence<number...>) {
        return {GradientBasis(random_bits(seed, Stream::Riverbed, number, 7))...};
    }

    float whole(float x, float y, int octave) {
        // Each lattice is turned by another angle, so that none shows.
        static constexpr std::array<std::array<double, 2>, 3> kTurns = {
            {{0.8, 0.6}, {0.28, 0.96}, {0.6, -0.8}}};
        const double scale = kPerMetre[static_cast<std::size_t>(octave)];
        const auto& [cosine, sine] = kTurns[static_cast<std::size_t>(octave % 3)];
        return octaves_[static_cast<std::size_t>(octave)](scale * (cosine * x - sine * y),
                                                          scale * (sine * x + cosine * y));
    }

    static constexpr std::array<double, kWaveOctaves> kPerMetre = {
        8.0, 2.0, 0.5, 0.125, 0.03125, 0.0078125, 0.001953125, 0.00048828125, 0.0001220703125};
    Octaves octaves_;
};

}  // namespace thalweg
