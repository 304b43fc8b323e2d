#include "thalweg/noise/octaves.hpp"

#include <algorithm>

namespace thalweg {
namespace {

/// The draws that place an octave's lattice.
enum class Draw : std::uint64_t { Key = 0, Turn = 1, ShiftU = 2, ShiftV = 3 };

/// Sum of the shares of all octaves that there can be, so that it does not depend on the grid.
double sum_of_shares(const NoiseParameters& parameters) {
    if (parameters.octaves == 0) return 1.0 / (1.0 - parameters.persistence);
    double sum = 0.0;
    double share = 1.0;
    for (int i = 0; i < parameters.octaves; ++i, share *= parameters.persistence) sum += share;
    return sum;
}

/// 0 for a wavelength of 4 cells or less, 1 for 8 or more.
double fade(double wavelength, double cell_size) {
    const double cells = wavelength / cell_size;
    const double t =
        (cells - kLeastCellsPerWavelength) / (kFullCellsPerWavelength - kLeastCellsPerWavelength);
    return GradientBasis::quintic(static_cast<float>(std::clamp(t, 0.0, 1.0)));
}

Octave make_octave(double wavelength, double share, std::uint64_t seed, std::uint64_t number) {
    const auto draw = [&](Draw what) {
        return random_bits(seed, Stream::Noise, number, static_cast<std::uint64_t>(what));
    };
    const UnitVector turn = unit_vector(draw(Draw::Turn));
    Octave octave;
    octave.key = draw(Draw::Key);
    octave.per_metre_x = turn.x / wavelength;
    octave.per_metre_y = turn.y / wavelength;
    octave.shift_u = unit_double(draw(Draw::ShiftU));
    octave.shift_v = unit_double(draw(Draw::ShiftV));
    octave.share = static_cast<float>(share);
    return octave;
}

}  // namespace

std::vector<Octave> octaves_on(double cell_size, const NoiseParameters& parameters, std::uint64_t seed,
                               OctaveUse use) {
    const std::uint64_t seed_of_use = random_bits(seed, Stream::Noise, static_cast<std::uint64_t>(use));
    double wavelength = parameters.wavelength;
    double share = 1.0 / sum_of_shares(parameters);
    std::vector<Octave> octaves;
    for (int i = 0; parameters.octaves == 0 || i < parameters.octaves; ++i) {
        if (!(wavelength > kLeastCellsPerWavelength * cell_size)) break;
        octaves.push_back(make_octave(wavelength, share * fade(wavelength, cell_size), seed_of_use,
                                      static_cast<std::uint64_t>(i)));
        wavelength /= parameters.lacunarity;
        share *= parameters.persistence;
    }
    return octaves;
}

}  // namespace thalweg
