// Noise on beds and banks, of wavelengths that follow the width of the channel.
#pragma once

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/noise/bases.hpp"
#include "thalweg/riverscape/courses/four_floats.hpp"

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

/// Evaluates the octaves; one for each thread, since it remembers lattice cells, and the octaves of the last
/// places: much of a bed is made of the same ones.
class BedNoise {
  public:
    explicit BedNoise(std::uint64_t seed)
        : octaves_(octaves_of(seed, std::make_index_sequence<kWaveOctaves>{})) {}

    /// Noise in [-1, 1] at place `lane` of four, (x, y) m, of an octave between whole ones: both, by their
    /// nearness.
    float at(FourFloats x, FourFloats y, int lane, float octave) {
        const float within = clamped(octave, 0.0F, kLastOctave);
        const int below = std::min(static_cast<int>(within), kWaveOctaves - 2);
        const float share = within - static_cast<float>(below);
        return (1.0F - share) * known(x, y, below)[lane] + share * known(x, y, below + 1)[lane];
    }

    /// At all four, which mostly lie in one cell of each lattice.
    FourFloats at(FourFloats x, FourFloats y, FourFloats octave) {
        const FourFloats within = clamped(octave, 0.0F, kLastOctave);
        const int below = std::min(static_cast<int>(within[0]), kWaveOctaves - 2);
        const FourFloats share = within - static_cast<float>(below);
        // The last octave is the end of the one below.
        const float end = below == kWaveOctaves - 2 ? 2.0F : 1.0F;
        if (any_of((share < 0.0F) | (share >= end)))
            return FourFloats{at(x, y, 0, octave[0]), at(x, y, 1, octave[1]), at(x, y, 2, octave[2]),
                              at(x, y, 3, octave[3])};
        return (1.0F - share) * known(x, y, below) + share * known(x, y, below + 1);
    }

  private:
    using Squares = std::array<GradientBasis, 16>;  // four by four cells, which repeat
    using Octaves = std::array<Squares, kWaveOctaves>;
    static constexpr float kLastOctave = kWaveOctaves - 1;

    template <std::size_t... number>
    static Octaves octaves_of(std::uint64_t seed, std::index_sequence<number...>) {
        return {square_of(random_bits(seed, Stream::Riverbed, number, 7), std::make_index_sequence<16>{})...};
    }
    template <std::size_t... place>
    static Squares square_of(std::uint64_t key, std::index_sequence<place...>) {
        return {((void)place, GradientBasis(key))...};
    }

    /// Each lattice is turned by another angle, so that none shows.
    struct Turn {
        double scale;  // 1/m
        double cosine;
        double sine;
    };
    static Turn turn_of(int octave) {
        static constexpr std::array<std::array<double, 2>, 3> kTurns = {
            {{0.8, 0.6}, {0.28, 0.96}, {0.6, -0.8}}};
        const auto& [cosine, sine] = kTurns[static_cast<std::size_t>(octave % 3)];
        return {kPerMetre[static_cast<std::size_t>(octave)], cosine, sine};
    }

    FourFloats known(FourFloats x, FourFloats y, int octave) {
        if (any_of((x != x_) | (y != y_))) {
            x_ = x;
            y_ = y;
            known_ = 0;
        }
        FourFloats& value = values_[static_cast<std::size_t>(octave)];
        const std::uint32_t bit = 1U << static_cast<unsigned>(octave);
        if ((known_ & bit) == 0) value = whole(x, y, octave);
        known_ |= bit;
        return value;
    }

    /// A basis that remembers this cell, if none of the same place in its square was asked for since.
    GradientBasis& basis(int octave, std::int64_t column, std::int64_t row) {
        const auto place = static_cast<std::size_t>((column & 3) + 4 * (row & 3));
        return octaves_[static_cast<std::size_t>(octave)][place];
    }

    float whole(float x, float y, int octave) {
        const auto [scale, cosine, sine] = turn_of(octave);
        const LatticePlace u = lattice_place(scale * (cosine * x - sine * y));
        const LatticePlace v = lattice_place(scale * (sine * x + cosine * y));
        return basis(octave, u.cell, v.cell).in_cell(u.cell, v.cell, u.fraction, v.fraction);
    }

    FourFloats whole(FourFloats x, FourFloats y, int octave) {
        const auto [scale, cosine, sine] = turn_of(octave);
        const FourDoubles east(x);
        const FourDoubles north(y);
        const auto along = [&](TwoDoubles e, TwoDoubles n) -> TwoDoubles {
            return scale * (cosine * e - sine * n);
        };
        const auto aside = [&](TwoDoubles e, TwoDoubles n) -> TwoDoubles {
            return scale * (sine * e + cosine * n);
        };
        FourDoubles u(along(east.first, north.first), along(east.last, north.last));
        FourDoubles v(aside(east.first, north.first), aside(east.last, north.last));
        const std::int64_t column = lattice_place(u.first[0]).cell;
        const std::int64_t row = lattice_place(v.first[0]).cell;
        for (TwoDoubles* const half : {&u.first, &u.last}) *half -= static_cast<double>(column);
        for (TwoDoubles* const half : {&v.first, &v.last}) *half -= static_cast<double>(row);
        const auto is_beside = [](TwoDoubles in_cell) -> TwoLongs {
            return (in_cell < 0.0) | (in_cell >= 1.0);
        };
        if (any_of(is_beside(u.first) | is_beside(u.last) | is_beside(v.first) | is_beside(v.last)))
            return FourFloats{whole(x[0], y[0], octave), whole(x[1], y[1], octave), whole(x[2], y[2], octave),
                              whole(x[3], y[3], octave)};
        return basis(octave, column, row).in_cell(column, row, u.rounded(), v.rounded());
    }

    static constexpr std::array<double, kWaveOctaves> kPerMetre = {
        8.0, 2.0, 0.5, 0.125, 0.03125, 0.0078125, 0.001953125, 0.00048828125, 0.0001220703125};
    Octaves octaves_;
    // Whole octaves at the last places.
    FourFloats x_ = {};
    FourFloats y_ = {};
    std::uint32_t known_ = 0;  // a bit for each octave that is known
    std::array<FourFloats, kWaveOctaves> values_ = {};
};

}  // namespace thalweg
