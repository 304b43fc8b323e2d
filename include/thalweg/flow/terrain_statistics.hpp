// The statistics by which geomorphologists tell terrains apart.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/hypsometry.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace thalweg {

/// A statistic that a terrain does not have: too few rivers, basins or windows.
inline constexpr double kNoStatistic = std::numeric_limits<double>::quiet_NaN();

/// What is told of a terrain, or kNoStatistic. terrain_statistics() tells what each is;
/// docs/theory/statistics.md how it is measured, and after whom.
struct TerrainStatistics {
    // Rivers.
    double junction_angle_mean = kNoStatistic;                 // degrees
    double junction_angle_near_mean = kNoStatistic;            // degrees
    double junction_angle_spread = kNoStatistic;               // degrees
    double junction_angle_per_decade_of_slope = kNoStatistic;  // degrees
    double junction_angle_slope_correlation = kNoStatistic;    // 1
    double sinuosity_order_1 = kNoStatistic;                   // 1
    double sinuosity_order_2 = kNoStatistic;                   // 1
    double sinuosity_order_3 = kNoStatistic;                   // 1
    double sinuosity_short = kNoStatistic;                     // 1
    double sinuosity_middle = kNoStatistic;                    // 1
    double sinuosity_long = kNoStatistic;                      // 1
    double sinuosity_of_large_rivers = kNoStatistic;           // 1
    double turn_angle_short = kNoStatistic;                    // degrees
    double turn_angle_middle = kNoStatistic;                   // degrees
    double turn_angle_long = kNoStatistic;                     // degrees
    double planform_roughness = kNoStatistic;                  // reference lengths
    double tributary_spacing_variation = kNoStatistic;         // 1
    double stream_parallelism = kNoStatistic;                  // 1
    double direction_axis_bias = kNoStatistic;                 // 1
    double direction_diagonal_bias = kNoStatistic;             // 1
    double concavity = kNoStatistic;                           // 1
    double steepness_spread = kNoStatistic;                    // decades

    // Basins.
    double hypsometric_integral = kNoStatistic;         // 1
    double hypsometric_integral_spread = kNoStatistic;  // 1
    double hack_exponent = kNoStatistic;                // 1
    double hack_scatter = kNoStatistic;                 // decades
    double basin_elongation = kNoStatistic;             // 1
    double bifurcation_ratio = kNoStatistic;            // 1
    double stream_length_ratio = kNoStatistic;          // 1
    double drainage_density = kNoStatistic;             // 1
    double pit_density = kNoStatistic;                  // 1/1000 km^2

    // Slopes.
    double slope_mean = kNoStatistic;                // degrees
    double slope_variation = kNoStatistic;           // 1
    double slope_skew = kNoStatistic;                // 1
    double slope_share_near_median = kNoStatistic;   // 1
    double slope_share_above_35 = kNoStatistic;      // 1
    double slope_variation_of_tiles = kNoStatistic;  // 1
    double aspect_grid_bias = kNoStatistic;          // 1

    // Hillslopes.
    double slope_area_exponent_of_hillslopes = kNoStatistic;  // 1
    double slope_area_exponent_of_channels = kNoStatistic;    // 1
    double curvature_skew = kNoStatistic;                     // 1
    double valley_ridge_sharpness = kNoStatistic;             // 1
    double channel_curvature = kNoStatistic;                  // 1/m
    double hilltop_curvature = kNoStatistic;                  // 1/m
    double tangential_profile_ratio = kNoStatistic;           // 1
    double smooth_curvature_skew = kNoStatistic;              // 1
    double smooth_valley_ridge_sharpness = kNoStatistic;      // 1
    double smooth_curvature_kurtosis = kNoStatistic;          // 1

    // Spectra.
    double spectral_slope_short = kNoStatistic;     // 1
    double spectral_slope_middle = kNoStatistic;    // 1
    double spectral_slope_long = kNoStatistic;      // 1
    double spectral_anisotropy = kNoStatistic;      // 1
    double spectral_fourfold_share = kNoStatistic;  // 1

    // Valley floors.
    double floor_width = kNoStatistic;           // m
    double floor_width_ratio = kNoStatistic;     // 1
    double floor_width_exponent = kNoStatistic;  // 1
    double floor_share = kNoStatistic;           // 1
};

enum class StatisticFamily { Rivers, Basins, Slopes, Hillslopes, Spectra, ValleyFloors };

/// What one statistic is.
struct TerrainStatistic {
    const char* name;  // in lower case with underscores, as in files
    StatisticFamily family;
    const char* unit;     // "1" for plain numbers
    const char* meaning;  // half a sentence
    bool is_of_cells;     // whether it changes with the size of cells: taken over one cell and its neighbours
    double TerrainStatistics::* value;
};

/// All statistics, in the order in which they are told; families stand together.
std::span<const TerrainStatistic> terrain_statistics();

/// The family in lower case: "rivers", ..., "valley floors".
const char* name_of(StatisticFamily family);

/// One point of a curve.
struct CurvePoint {
    double x = 0.0;
    double y = 0.0;

    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// What is drawn of a terrain beside another.
struct TerrainCurves {
    HypsometricCurve hypsometry;           // of all cells with data
    std::vector<double> slope_shares;      // of ground, by slope in bins of 2 degrees from 0
    std::vector<double> aspect_shares;     // of ground, by the way it faces in bins of 15 degrees, the first
                                           // about north and on to the east
    std::vector<double> junction_shares;   // of junctions, by angle in bins of 15 degrees from 0
    std::vector<CurvePoint> slope_area;    // m^2, and the median slope [m/m] to the receiver
    std::vector<CurvePoint> long_profile;  // of the largest river: m to its mouth, and m above that
    std::vector<CurvePoint> spectrum;      // wavelength [m], and mean power of elevation [m^2]
    std::vector<CurvePoint> floor_widths;  // drainage area [m^2], and width [m]
};

inline constexpr double kSlopeBin = 2.0;      // degrees, of slope_shares
inline constexpr double kAspectBin = 15.0;    // degrees, of aspect_shares
inline constexpr double kJunctionBin = 15.0;  // degrees, of junction_shares

/// A terrain in numbers.
struct TerrainDescription {
    Grid grid;
    double reference_length = 0.0;  // m, which all lengths of the statistics are multiples of
    double described_share = 0.0;   // of the cells with data: those that slopes and rivers are described on
    bool is_mountainous = false;    // whether those are its steeper parts alone
    TerrainStatistics statistics;
    TerrainCurves curves;
};

/// The fewest rows and columns of a terrain that can be described.
inline constexpr int kLeastDescribedCells = 64;

/// The length [m] that stands for the cells of the surveys which nature's ranges were measured on: 30 m for
/// smaller cells, the cell itself from 30 m to 65 m; 90 m from there, the cell itself from 90 m on. Rivers
/// begin at 300 of its squares, sinuosities are taken over 16 to 128 of it, and so on.
double reference_length(double cell_size);

/// Measures `elevation` (m, NaN is no data): routes water with depressions breached (route.hpp), follows the
/// rivers of 300 squared reference lengths or more, and takes the statistics of TerrainStatistics and
/// the curves to draw, on ground with a relief of 150 m or more within 1 km (square of 1 km about a cell),
/// cleared of strips narrower than 4 reference lengths; on all ground where less than a tenth is so. What no
/// sample is large enough for is kNoStatistic.
///
/// Sources, definitions and limits of each: docs/theory/statistics.md. About 1 us a cell on one core, and 64
/// bytes a cell; the same bits on any number of threads; polls `progress`. Throws Error::input for fewer than
/// 64 rows or columns, and where no cell has data.
///
/// Example:
///     const TerrainDescription terrain = describe_terrain(elevation, progress);
///     for (const TerrainStatistic& statistic : terrain_statistics())
///         std::printf("%s %g\n", statistic.name, terrain.statistics.*statistic.value);
TerrainDescription describe_terrain(const Field<float>& elevation, Progress& progress);

}  // namespace thalweg
