#include "thalweg/erosion/roughness.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/erosion/hillslopes/distance_to_held.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kShortestWave = 50.0;  // m
constexpr double kPersistence = 0.25;   // of A: moves the ground half as far (empirical)
// Root mean square of the derivative of one octave along any direction, amplitude per wavelength (measured on
// 2.6e5 cells).
constexpr double kSteepness = 2.5;

/// A of all octaves, m^2.
Field<float> stream_function(const Grid& grid, const RoughnessParameters& roughness, std::uint64_t seed,
                             Progress& progress) {
    int octaves = 1;
    for (double wave = roughness.wavelength; wave >= 2.0 * kShortestWave; wave /= 2.0) ++octaves;
    double shares = 0.0, squares = 0.0;  // of the derivatives of octaves, in those of the first
    for (int i = 0; i < octaves; ++i) {
        shares += std::pow(kPersistence, i);
        squares += std::pow(2.0 * kPersistence, 2 * i);
    }
    const NoiseParameters waves{
        .kind = NoiseKind::Simplex,
        .amplitude = roughness.size * roughness.wavelength * shares / (kSteepness * std::sqrt(squares)),
        .wavelength = roughness.wavelength,
        .octaves = octaves,
        .persistence = kPersistence};
    return evaluate_noise(grid, waves, random_bits(seed, Stream::Roughness), progress);
}

}  // namespace

Field<float> roughen(const Field<float>& elevation, const Field<std::uint8_t>& held,
                     const RoughnessParameters& roughness, std::uint64_t seed, Progress& progress) {
    assert(held.size() == elevation.size());
    const Grid& grid = elevation.grid();
    Field<float> rough = elevation;
    if (roughness.size == 0.0) return rough;
    const Field<float> stream = stream_function(grid, roughness, seed, progress);
    const Field<float> distance = distance_to_held(held, progress);
    const double of_difference = 0.5 / grid.cell_size;  // 1/m
    for_each_row(grid, [&](int row) {
        if (row == 0 || row + 1 == grid.rows) return;
        for (int column = 1; column + 1 < grid.columns; ++column) {
            const double way = std::min(1.0, distance(column, row) * grid.cell_size / kFadeLength);
            if (way == 0.0) continue;
            const double share = of_difference * way * way * (3.0 - 2.0 * way);
            const auto rise = [](float to, float from) {
                return static_cast<double>(to) - static_cast<double>(from);
            };
            Position place = grid.centre(column, row);
            place.x += share * rise(stream(column, row - 1), stream(column, row + 1));
            place.y -= share * rise(stream(column + 1, row), stream(column - 1, row));
            const float moved = sample_bicubic(elevation, place);
            if (!is_no_data(elevation(column, row)) && !is_no_data(moved)) rough(column, row) = moved;
        }
    });
    return rough;
}

}  // namespace thalweg
