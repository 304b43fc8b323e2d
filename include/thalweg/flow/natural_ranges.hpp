// The ranges that the statistics of real landscapes have.
#pragma once

#include "thalweg/flow/terrain_statistics.hpp"

#include <optional>

namespace thalweg {

/// What one statistic is in real landscapes.
struct NaturalRange {
    double mean = 0.0;
    double deviation = 0.0;  // standard, above 0
    double least = 0.0;
    double greatest = 0.0;

    [[nodiscard]] bool holds(double value) const { return least <= value && value <= greatest; }

    /// How many deviations a value lies above the mean.
    [[nodiscard]] double z_of(double value) const { return (value - mean) / deviation; }
};

/// Of how many real landscapes, and what cells, a terrain's ranges are: "8 real landscapes of 30-50 m", or of
/// 90-100 m from cells of 65 m on; nullptr beyond 150 m, where nothing was measured.
const char* natural_landscapes(double cell_size);

/// The range of a statistic of terrain of such cells (m), in those landscapes; nothing where there are none.
/// A statistic of cells (is_of_cells) has none below 20 m either: slopes and curvatures of smaller cells are
/// others.
///
/// The landscapes are mountains of surveyed elevation models. Each of them held against the others has 4 to
/// 27 of the 57 statistics outside their range, and a root mean square z of 0.7 to 2.0: a few outside tell
/// nothing.
///
/// Example:
///     const TerrainDescription terrain = describe_terrain(elevation, progress);
///     for (const TerrainStatistic& statistic : terrain_statistics())
///         if (const auto range = natural_range(statistic, elevation.grid().cell_size))
///             std::printf("%s %g\n", statistic.name, range->z_of(terrain.statistics.*statistic.value));
std::optional<NaturalRange> natural_range(const TerrainStatistic& statistic, double cell_size);

/// A terrain beside real landscapes.
struct Naturalness {
    int compared = 0;    // statistics that it has and that have a range
    int outside = 0;     // of them, outside their range
    double rms_z = 0.0;  // root of the mean squared z
};

/// How far a terrain of such cells (m) lies from real landscapes. `rms_z` is 0 where nothing is compared.
Naturalness naturalness_of(const TerrainStatistics& statistics, double cell_size);

}  // namespace thalweg
