#include "thalweg/erosion/grain.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/hillslopes/distance_to_held.hpp"
#include "thalweg/erosion/hillslopes/fall_lines.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/noise/bases.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <span>
#include <vector>

namespace thalweg {
namespace {

/// Waves of one length.
struct GrainWaves {
    double wavelength;  // m
    double share;       // of the sum's root mean square
};

// The squares of all add up to 1 (of the spectrum of a survey, and by eye: docs/theory/hillslopes.md).
constexpr GrainWaves kSpurWaves = {400.0, 0.90};
constexpr std::array<GrainWaves, 2> kBlockWaves = {{{200.0, 0.36}, {120.0, 0.24}}};
constexpr double kLeftOfSpurs = 0.625;      // of waves, as means along straight falls (measured on planes)
constexpr double kSimplexRms = 0.539;       // of SimplexBasis (measured on 4e6 places)
constexpr double kLeastCellsPerWave = 2.0;  // of waves that come in
constexpr double kAllCellsPerWave = 2.5;    // of those that are there in full
constexpr double kLeastGrainedSlope = 0.1;  // m/m, from which on grain has its full size (by eye)
constexpr double kLeastPlainSlope = 0.01;   // m/m, from which on plains have their grain
constexpr double kPlainGrain = 0.25;        // of that of slopes
// Steep slopes are of rock, and more uneven (by what is left of a surveyed terrain beside planes of 3 x 3
// cells).
constexpr double kEvenGrainSlope = 0.5;   // m/m, up to which grain is as given
constexpr double kSteepGrainSlope = 0.8;  // m/m, from which on it is kSteepGrain times that
constexpr double kSteepGrain = 2.0;
// Some ground is rougher than other, over a kilometre or two (by eye, of a survey).
constexpr double kPatchWavelength = 1500.0;    // m
constexpr double kPatchiness = 0.5;            // root mean square of how much rougher
constexpr float kLeastPatch = 0.2F;            // of the mean
constexpr std::uint64_t kFirstGrainWaves = 2;  // of what is drawn from Stream::Roughness

double share_on(const Grid& grid, const GrainWaves& waves) {
    const double cells = waves.wavelength / grid.cell_size;
    return waves.share *
           std::clamp((cells - kLeastCellsPerWave) / (kAllCellsPerWave - kLeastCellsPerWave), 0.0, 1.0);
}

/// By central differences; NaN beside cells without data.
double slope_at(const Field<float>& elevation, int column, int row) {
    const auto along = [&](int columns, int rows) {
        return static_cast<double>(elevation(column + columns, row + rows)) -
               static_cast<double>(elevation(column - columns, row - rows));
    };
    const double x = along(1, 0), y = along(0, 1);
    return 0.5 * std::sqrt(x * x + y * y) / elevation.grid().cell_size;
}

/// How much of the grain there is on ground of a slope, m/m: by the square on gentle ground, so that it has
/// no pits.
double share_on_slope(double slope) {
    const double sloping = std::min(slope / kLeastGrainedSlope, 1.0);
    const double plain = kPlainGrain * std::min(slope / kLeastPlainSlope, 1.0);
    const double rock =
        std::clamp((slope - kEvenGrainSlope) / (kSteepGrainSlope - kEvenGrainSlope), 0.0, 1.0);
    return std::max(sloping * sloping, plain) * std::lerp(1.0, kSteepGrain, rock);
}

/// Adds `factor` times the waves of one length, root mean square 1, to the cells of a row.
void add_waves(const Grid& grid, int row, double wavelength, double factor, std::uint64_t key,
               std::span<float> sums) {
    SimplexBasis basis(key);
    const double frequency = 1.0 / wavelength;  // 1/m
    for (int column = 0; column < grid.columns; ++column) {
        const Position place = grid.centre(column, row);
        sums[at(column)] += static_cast<float>(
            factor / kSimplexRms * static_cast<double>(basis(place.x * frequency, place.y * frequency)));
    }
}

/// Of the waves of one length, those of spurs first.
std::uint64_t key_of_waves(std::uint64_t seed, std::size_t number) {
    return random_bits(seed, Stream::Roughness, kFirstGrainWaves + number);
}

/// Spurs and hollows that run down the slope, 1.
Field<float> spurs_on(const Field<float>& elevation, std::uint64_t seed, Progress& progress) {
    const Grid& grid = elevation.grid();
    Field<float> waves(grid, 0.0F);
    const double share = share_on(grid, kSpurWaves) / kLeftOfSpurs;
    if (share == 0.0) return waves;
    for_each_row(grid, [&](int row) {
        progress.poll();
        add_waves(grid, row, kSpurWaves.wavelength, share, key_of_waves(seed, 0),
                  {&waves(0, row), at(grid.columns)});
    });
    return mean_along_fall(waves, elevation, progress);
}

/// `spurs` and blocks at the cells of a row, times how rough the ground is there, 1.
std::vector<float> waves_along(const Field<float>& spurs, int row, std::uint64_t seed) {
    const Grid& grid = spurs.grid();
    std::vector<float> sums(at(grid.columns)), patches(at(grid.columns), 1.0F);
    for (int column = 0; column < grid.columns; ++column) sums[at(column)] = spurs(column, row);
    for (std::size_t i = 0; i < kBlockWaves.size(); ++i)
        if (const double share = share_on(grid, kBlockWaves[i]); share > 0.0)
            add_waves(grid, row, kBlockWaves[i].wavelength, share, key_of_waves(seed, 1 + i), sums);
    add_waves(grid, row, kPatchWavelength, kPatchiness, key_of_waves(seed, 1 + kBlockWaves.size()), patches);
    const auto mean = static_cast<float>(std::sqrt(1.0 + kPatchiness * kPatchiness));  // root mean square
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] *= std::max(patches[i], kLeastPatch) / mean;
    return sums;
}

}  // namespace

Field<float> add_grain(const Field<float>& elevation, const Field<std::uint8_t>& held,
                       const GrainParameters& grain, std::uint64_t seed, Progress& progress) {
    assert(held.size() == elevation.size());
    const Grid& grid = elevation.grid();
    Field<float> grained = elevation;
    if (grain.size == 0.0) return grained;
    const Field<float> distance = distance_to_held(held, progress);
    const Field<float> spurs = spurs_on(elevation, seed, progress);
    for_each_row(grid, [&](int row) {
        if (row == 0 || row + 1 == grid.rows) return;
        progress.poll();
        const std::vector<float> waves = waves_along(spurs, row, seed);
        for (int column = 1; column + 1 < grid.columns; ++column) {
            const double way = std::min(1.0, distance(column, row) * grid.cell_size / kFadeLength);
            const double off_held = way * way * (3.0 - 2.0 * way);
            const double added = grain.size * off_held * share_on_slope(slope_at(elevation, column, row)) *
                                 static_cast<double>(waves[at(column)]);
            if (!std::isnan(added)) grained(column, row) += static_cast<float>(added);
        }
    });
    return grained;
}

}  // namespace thalweg
