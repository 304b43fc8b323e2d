#include "thalweg/flow/natural_ranges.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kCoarseCells = 65.0;         // m, from which the ranges of 90-100 m hold
constexpr double kGreatestCells = 150.0;      // m, beyond which none do
constexpr double kLeastOneCellLength = 20.0;  // m, below which those of single cells do not

struct RangesOfStatistic {
    double TerrainStatistics::* value;
    NaturalRange fine;    // of cells of 30-50 m
    NaturalRange coarse;  // of 90-100 m
};

using Numbers = TerrainStatistics;

/// Mean, standard deviation, least and greatest of 8 landscapes each, measured by the definitions of
/// docs/theory/statistics.md. Units as in TerrainStatistics.
constexpr std::array kRanges = {
    RangesOfStatistic{
        &Numbers::junction_angle_mean, {67.126, 7.2668, 58.066, 78.865}, {75.812, 15.244, 58.144, 107.71}},
    RangesOfStatistic{&Numbers::junction_angle_near_mean,
                      {68.716, 8.1173, 59.082, 82.424},
                      {76.465, 15.695, 58.076, 108.55}},
    RangesOfStatistic{
        &Numbers::junction_angle_spread, {28.605, 5.7651, 21.134, 37.242}, {27.423, 4.1503, 22.508, 34.037}},
    RangesOfStatistic{&Numbers::junction_angle_per_decade_of_slope,
                      {-19.381, 8.3867, -32.716, -7.3136},
                      {-8.3577, 16.677, -36.973, 10.158}},
    RangesOfStatistic{&Numbers::junction_angle_slope_correlation,
                      {-0.20435, 0.1052, -0.43108, -0.093695},
                      {-0.098205, 0.18275, -0.39027, 0.076896}},
    RangesOfStatistic{
        &Numbers::sinuosity_order_1, {1.0432, 0.010375, 1.02, 1.0514}, {1.0603, 0.022257, 1.0353, 1.0915}},
    RangesOfStatistic{
        &Numbers::sinuosity_order_2, {1.0587, 0.02655, 1.0259, 1.1005}, {1.0639, 0.022734, 1.0338, 1.0967}},
    RangesOfStatistic{
        &Numbers::sinuosity_order_3, {1.1192, 0.046329, 1.0575, 1.1829}, {1.075, 0.031754, 1.0284, 1.1157}},
    RangesOfStatistic{
        &Numbers::sinuosity_short, {1.0514, 0.012558, 1.0332, 1.0703}, {1.0513, 0.01084, 1.0322, 1.0612}},
    RangesOfStatistic{
        &Numbers::sinuosity_middle, {1.1394, 0.037698, 1.0926, 1.1876}, {1.1505, 0.048582, 1.0982, 1.246}},
    RangesOfStatistic{
        &Numbers::sinuosity_long, {1.2178, 0.064255, 1.1222, 1.2812}, {1.1854, 0.060158, 1.1316, 1.3073}},
    RangesOfStatistic{&Numbers::sinuosity_of_large_rivers,
                      {1.1733, 0.067634, 1.0791, 1.2723},
                      {1.1123, 0.028061, 1.0722, 1.1423}},
    RangesOfStatistic{
        &Numbers::turn_angle_short, {15.691, 1.7076, 12.875, 17.87}, {15.867, 1.9135, 11.784, 17.618}},
    RangesOfStatistic{
        &Numbers::turn_angle_middle, {18.367, 2.3043, 14.707, 21.342}, {18.469, 2.2433, 14.031, 21.099}},
    RangesOfStatistic{
        &Numbers::turn_angle_long, {23.017, 3.1634, 18.807, 27.865}, {23.929, 4.6258, 19.194, 33.765}},
    RangesOfStatistic{
        &Numbers::planform_roughness, {0.9926, 0.1037, 0.85572, 1.1188}, {0.98862, 0.10289, 0.85376, 1.192}},
    RangesOfStatistic{&Numbers::tributary_spacing_variation,
                      {0.66593, 0.079719, 0.57919, 0.77327},
                      {0.60694, 0.083186, 0.49041, 0.71909}},
    RangesOfStatistic{&Numbers::stream_parallelism,
                      {0.69777, 0.042157, 0.61937, 0.75584},
                      {0.69057, 0.025686, 0.65795, 0.73159}},
    RangesOfStatistic{&Numbers::direction_axis_bias,
                      {0.98657, 0.086317, 0.83333, 1.1339},
                      {0.88254, 0.11755, 0.67159, 1.0622}},
    RangesOfStatistic{&Numbers::direction_diagonal_bias,
                      {0.79622, 0.090664, 0.66685, 0.9618},
                      {0.92841, 0.11668, 0.74538, 1.1169}},
    RangesOfStatistic{
        &Numbers::concavity, {0.49454, 0.19658, 0.19788, 0.87712}, {0.4731, 0.1456, 0.32712, 0.80169}},
    RangesOfStatistic{&Numbers::steepness_spread,
                      {0.34857, 0.088811, 0.23597, 0.49512},
                      {0.32134, 0.039589, 0.26843, 0.37963}},
    RangesOfStatistic{&Numbers::hypsometric_integral,
                      {0.44375, 0.074484, 0.33877, 0.55367},
                      {0.43051, 0.073223, 0.32809, 0.53905}},
    RangesOfStatistic{&Numbers::hypsometric_integral_spread,
                      {0.084404, 0.0358, 0.04352, 0.15256},
                      {0.077391, 0.024772, 0.037235, 0.11538}},
    RangesOfStatistic{&Numbers::hack_exponent,
                      {0.57779, 0.044882, 0.52437, 0.64568},
                      {0.57854, 0.029824, 0.55281, 0.62838}},
    RangesOfStatistic{&Numbers::hack_scatter,
                      {0.077998, 0.0054654, 0.072615, 0.090138},
                      {0.0737, 0.012374, 0.048603, 0.0874}},
    RangesOfStatistic{
        &Numbers::basin_elongation, {2.0382, 0.28273, 1.6219, 2.4511}, {1.9347, 0.21673, 1.6643, 2.2689}},
    RangesOfStatistic{
        &Numbers::bifurcation_ratio, {4.4144, 0.39928, 3.8718, 4.9125}, {4.5039, 0.44558, 3.8011, 5.1437}},
    RangesOfStatistic{
        &Numbers::stream_length_ratio, {2.294, 0.20363, 2.0161, 2.5893}, {2.1273, 0.21332, 1.8513, 2.4123}},
    RangesOfStatistic{&Numbers::drainage_density,
                      {0.60668, 0.062909, 0.52403, 0.72608},
                      {0.5708, 0.061298, 0.47234, 0.63907}},
    RangesOfStatistic{&Numbers::pit_density, {36.46, 33.869, 0.0, 95.347}, {43.737, 44.453, 7.3703, 125.99}},
    RangesOfStatistic{
        &Numbers::slope_mean, {23.572, 4.0495, 18.787, 31.651}, {21.525, 5.9534, 13.661, 30.226}},
    RangesOfStatistic{&Numbers::slope_variation,
                      {0.44658, 0.10166, 0.25567, 0.57188},
                      {0.45296, 0.094736, 0.38179, 0.65512}},
    RangesOfStatistic{
        &Numbers::slope_skew, {0.025168, 0.26215, -0.518, 0.32343}, {0.21624, 0.45986, -0.29896, 1.0027}},
    RangesOfStatistic{&Numbers::slope_share_near_median,
                      {0.27037, 0.11045, 0.16903, 0.52169},
                      {0.25134, 0.047618, 0.15886, 0.29254}},
    RangesOfStatistic{&Numbers::slope_share_above_35,
                      {0.15042, 0.10577, 0.038508, 0.35051},
                      {0.13822, 0.15454, 0.0, 0.44233}},
    RangesOfStatistic{&Numbers::slope_variation_of_tiles,
                      {0.156, 0.053638, 0.06686, 0.21979},
                      {0.20501, 0.065744, 0.10399, 0.33009}},
    RangesOfStatistic{
        &Numbers::aspect_grid_bias, {1.1015, 0.057839, 1.0362, 1.178}, {1.0606, 0.030026, 1.0328, 1.1094}},
    RangesOfStatistic{&Numbers::slope_area_exponent_of_hillslopes,
                      {0.16417, 0.065455, 0.089105, 0.26873},
                      {0.27184, 0.13308, 0.14599, 0.57838}},
    RangesOfStatistic{&Numbers::slope_area_exponent_of_channels,
                      {0.31149, 0.21763, 0.15143, 0.81275},
                      {0.37142, 0.20564, 0.16602, 0.82573}},
    RangesOfStatistic{&Numbers::curvature_skew,
                      {-0.25359, 0.54585, -1.5405, 0.25412},
                      {-0.22407, 0.25268, -0.68932, 0.15008}},
    RangesOfStatistic{&Numbers::valley_ridge_sharpness,
                      {0.96485, 0.072695, 0.88276, 1.0938},
                      {0.91136, 0.11026, 0.71636, 1.0865}},
    RangesOfStatistic{&Numbers::channel_curvature,
                      {0.0075745, 0.0023394, 0.0049454, 0.011852},
                      {0.0038809, 0.0014136, 0.0010884, 0.0056547}},
    RangesOfStatistic{&Numbers::hilltop_curvature,
                      {0.0058156, 0.0014678, 0.0036, 0.0081481},
                      {0.0026681, 0.00064646, 0.0017, 0.0034393}},
    RangesOfStatistic{&Numbers::tangential_profile_ratio,
                      {0.84815, 0.14697, 0.60403, 1.0556},
                      {0.92449, 0.20437, 0.6529, 1.2275}},
    RangesOfStatistic{&Numbers::smooth_curvature_skew,
                      {-0.2538, 0.26386, -0.70506, 0.14177},
                      {-0.23946, 0.24815, -0.80368, 0.027267}},
    RangesOfStatistic{&Numbers::smooth_valley_ridge_sharpness,
                      {0.90208, 0.12152, 0.73434, 1.0813},
                      {0.89345, 0.10062, 0.68291, 1.0208}},
    RangesOfStatistic{&Numbers::smooth_curvature_kurtosis,
                      {3.5554, 0.96815, 2.7869, 5.0959},
                      {3.3245, 0.92332, 2.2868, 5.3222}},
    RangesOfStatistic{
        &Numbers::spectral_slope_short, {4.9826, 0.74937, 4.2713, 5.9054}, {4.5223, 0.58713, 3.875, 5.4251}},
    RangesOfStatistic{
        &Numbers::spectral_slope_middle, {3.8013, 0.57605, 3.0702, 4.472}, {3.4853, 0.58813, 2.7732, 4.3064}},
    RangesOfStatistic{
        &Numbers::spectral_slope_long, {2.8178, 0.51526, 2.2471, 3.4983}, {2.1683, 0.54971, 1.6694, 3.066}},
    RangesOfStatistic{
        &Numbers::spectral_anisotropy, {2.0835, 0.58373, 1.5749, 2.887}, {2.5797, 0.78318, 1.7826, 3.6717}},
    RangesOfStatistic{&Numbers::spectral_fourfold_share,
                      {0.011959, 0.034312, -0.02382, 0.056766},
                      {-0.020824, 0.060525, -0.086125, 0.060032}},
    RangesOfStatistic{
        &Numbers::floor_width, {394.23, 395.79, 50.867, 1041.5}, {184.48, 71.207, 93.163, 306.83}},
    RangesOfStatistic{
        &Numbers::floor_width_ratio, {2.0313, 0.30702, 1.5086, 2.3332}, {2.1197, 0.36871, 1.7424, 2.9023}},
    RangesOfStatistic{&Numbers::floor_width_exponent,
                      {0.19606, 0.29729, -0.1485, 0.75516},
                      {0.096768, 0.098123, -0.10145, 0.21306}},
    RangesOfStatistic{&Numbers::floor_share,
                      {0.049211, 0.062391, 0.0080575, 0.19663},
                      {0.027366, 0.01238, 0.014215, 0.0506}},
};

}  // namespace

const char* natural_landscapes(double cell_size) {
    if (cell_size > kGreatestCells) return nullptr;
    return cell_size < kCoarseCells ? "8 real landscapes of 30-50 m" : "8 real landscapes of 90-100 m";
}

std::optional<NaturalRange> natural_range(const TerrainStatistic& statistic, double cell_size) {
    if (cell_size > kGreatestCells || (statistic.is_of_cells && cell_size < kLeastOneCellLength))
        return std::nullopt;
    const auto* const found = std::ranges::find(kRanges, statistic.value, &RangesOfStatistic::value);
    if (found == kRanges.end()) return std::nullopt;
    return cell_size < kCoarseCells ? found->fine : found->coarse;
}

Naturalness naturalness_of(const TerrainStatistics& statistics, double cell_size) {
    Naturalness result;
    double squares = 0.0;
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        const double value = statistics.*statistic.value;
        const std::optional<NaturalRange> range = natural_range(statistic, cell_size);
        if (!range || std::isnan(value)) continue;
        ++result.compared;
        if (!range->holds(value)) ++result.outside;
        squares += range->z_of(value) * range->z_of(value);
    }
    if (result.compared > 0) result.rms_z = std::sqrt(squares / result.compared);
    return result;
}

}  // namespace thalweg
