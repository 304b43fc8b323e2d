#include "thalweg/flow/terrain_statistics.hpp"

#include <array>

namespace thalweg {
namespace {

using Values = TerrainStatistics;
using Family = StatisticFamily;

constexpr bool kOfCells = true;   // taken over one cell and its neighbours
constexpr bool kOfSteps = false;  // over reference lengths

constexpr auto kStatistics = std::to_array<TerrainStatistic>({
    {"junction_angle_mean", Family::Rivers, "degrees",
     "mean angle between the two rivers of a junction, over their whole links", kOfSteps,
     &Values::junction_angle_mean},
    {"junction_angle_near_mean", Family::Rivers, "degrees",
     "mean angle between them over their last 30 reference lengths", kOfSteps,
     &Values::junction_angle_near_mean},
    {"junction_angle_spread", Family::Rivers, "degrees", "standard deviation of junction angles", kOfSteps,
     &Values::junction_angle_spread},
    {"junction_angle_per_decade_of_slope", Family::Rivers, "degrees",
     "change of junction angles per decade of the rivers' slope", kOfSteps,
     &Values::junction_angle_per_decade_of_slope},
    {"junction_angle_slope_correlation", Family::Rivers, "1",
     "correlation of junction angles with the logarithm of the rivers' slope", kOfSteps,
     &Values::junction_angle_slope_correlation},
    {"sinuosity_order_1", Family::Rivers, "1", "median sinuosity of streams of Strahler order 1", kOfSteps,
     &Values::sinuosity_order_1},
    {"sinuosity_order_2", Family::Rivers, "1", "median sinuosity of streams of order 2", kOfSteps,
     &Values::sinuosity_order_2},
    {"sinuosity_order_3", Family::Rivers, "1", "median sinuosity of streams of order 3", kOfSteps,
     &Values::sinuosity_order_3},
    {"sinuosity_short", Family::Rivers, "1", "mean sinuosity over 16 reference lengths of river", kOfSteps,
     &Values::sinuosity_short},
    {"sinuosity_middle", Family::Rivers, "1", "mean sinuosity over 64 reference lengths", kOfSteps,
     &Values::sinuosity_middle},
    {"sinuosity_long", Family::Rivers, "1", "mean sinuosity over 128 reference lengths", kOfSteps,
     &Values::sinuosity_long},
    {"sinuosity_of_large_rivers", Family::Rivers, "1",
     "mean sinuosity over 64 reference lengths of rivers that drain 10,000 of their squares", kOfSteps,
     &Values::sinuosity_of_large_rivers},
    {"turn_angle_short", Family::Rivers, "degrees",
     "mean angle by which rivers turn from 3 reference lengths to the next", kOfSteps,
     &Values::turn_angle_short},
    {"turn_angle_middle", Family::Rivers, "degrees", "mean angle by which they turn from 5 to the next",
     kOfSteps, &Values::turn_angle_middle},
    {"turn_angle_long", Family::Rivers, "degrees", "mean angle by which they turn from 20 to the next",
     kOfSteps, &Values::turn_angle_long},
    {"planform_roughness", Family::Rivers, "reference lengths",
     "root mean square distance of rivers from their courses smoothed over 6", kOfSteps,
     &Values::planform_roughness},
    {"tributary_spacing_variation", Family::Rivers, "1",
     "median coefficient of variation of the gaps between tributaries on one side", kOfSteps,
     &Values::tributary_spacing_variation},
    {"stream_parallelism", Family::Rivers, "1",
     "mean cosine between streams of order 1 and their three nearest", kOfSteps, &Values::stream_parallelism},
    {"direction_axis_bias", Family::Rivers, "1",
     "how often rivers run within 10 degrees of rows and columns, over chance", kOfCells,
     &Values::direction_axis_bias},
    {"direction_diagonal_bias", Family::Rivers, "1",
     "how often they run within 10 degrees of diagonals, over chance", kOfCells,
     &Values::direction_diagonal_bias},
    {"concavity", Family::Rivers, "1", "exponent by which slopes of rivers fall with area, over 10 m of drop",
     kOfSteps, &Values::concavity},
    {"steepness_spread", Family::Rivers, "decades", "standard deviation of slopes of rivers about that law",
     kOfSteps, &Values::steepness_spread},

    {"hypsometric_integral", Family::Basins, "1",
     "median hypsometric integral of basins of 3,000 to 60,000 squares of the reference length", kOfSteps,
     &Values::hypsometric_integral},
    {"hypsometric_integral_spread", Family::Basins, "1", "standard deviation of the hypsometric integrals",
     kOfSteps, &Values::hypsometric_integral_spread},
    {"hack_exponent", Family::Basins, "1", "exponent by which lengths of basins grow with area", kOfSteps,
     &Values::hack_exponent},
    {"hack_scatter", Family::Basins, "decades", "standard deviation of lengths about that law", kOfSteps,
     &Values::hack_scatter},
    {"basin_elongation", Family::Basins, "1", "median length of basins over the root of their area", kOfSteps,
     &Values::basin_elongation},
    {"bifurcation_ratio", Family::Basins, "1", "how many streams there are for each of the next higher order",
     kOfSteps, &Values::bifurcation_ratio},
    {"stream_length_ratio", Family::Basins, "1", "how much longer streams of the next higher order are",
     kOfSteps, &Values::stream_length_ratio},
    {"drainage_density", Family::Basins, "1",
     "length of rivers per area, times the root of the area that they begin at", kOfSteps,
     &Values::drainage_density},
    {"pit_density", Family::Basins, "1/1000 km^2", "closed depressions of 0.02 km^2 that are deeper than 5 m",
     kOfSteps, &Values::pit_density},

    {"slope_mean", Family::Slopes, "degrees", "mean slope", kOfCells, &Values::slope_mean},
    {"slope_variation", Family::Slopes, "1", "coefficient of variation of slope", kOfCells,
     &Values::slope_variation},
    {"slope_skew", Family::Slopes, "1", "skewness of slope", kOfCells, &Values::slope_skew},
    {"slope_share_near_median", Family::Slopes, "1", "share of ground within 15 % of the median slope",
     kOfCells, &Values::slope_share_near_median},
    {"slope_share_above_35", Family::Slopes, "1", "share of ground steeper than 35 degrees", kOfCells,
     &Values::slope_share_above_35},
    {"slope_variation_of_tiles", Family::Slopes, "1",
     "coefficient of variation of the mean slope of tiles of 2 km", kOfCells,
     &Values::slope_variation_of_tiles},
    {"aspect_grid_bias", Family::Slopes, "1",
     "most frequent of all aspects about the quarter turn, over their mean", kOfCells,
     &Values::aspect_grid_bias},

    {"slope_area_exponent_of_hillslopes", Family::Hillslopes, "1",
     "exponent by which slopes fall with area from 4 to 22 squares of the reference length", kOfCells,
     &Values::slope_area_exponent_of_hillslopes},
    {"slope_area_exponent_of_channels", Family::Hillslopes, "1",
     "exponent by which slopes fall with area from 91 to 512 squares", kOfCells,
     &Values::slope_area_exponent_of_channels},
    {"curvature_skew", Family::Hillslopes, "1", "skewness of curvature", kOfCells, &Values::curvature_skew},
    {"valley_ridge_sharpness", Family::Hillslopes, "1",
     "98th percentile of curvature over the 2nd: valleys over ridges", kOfCells,
     &Values::valley_ridge_sharpness},
    {"channel_curvature", Family::Hillslopes, "1/m", "median curvature in rivers", kOfCells,
     &Values::channel_curvature},
    {"hilltop_curvature", Family::Hillslopes, "1/m",
     "median curvature where nothing drains in, convex above 0", kOfCells, &Values::hilltop_curvature},
    {"tangential_profile_ratio", Family::Hillslopes, "1",
     "root mean square curvature across the slope over that along it", kOfCells,
     &Values::tangential_profile_ratio},
    {"smooth_curvature_skew", Family::Hillslopes, "1",
     "skewness of curvature, smoothed over 2 reference lengths", kOfSteps, &Values::smooth_curvature_skew},
    {"smooth_valley_ridge_sharpness", Family::Hillslopes, "1",
     "valleys over ridges by curvature, smoothed over 2", kOfSteps, &Values::smooth_valley_ridge_sharpness},
    {"smooth_curvature_kurtosis", Family::Hillslopes, "1",
     "kurtosis of curvature, smoothed over 2: 3 where it is normal", kOfSteps,
     &Values::smooth_curvature_kurtosis},

    {"spectral_slope_short", Family::Spectra, "1",
     "exponent by which power grows with wavelength from 4 to 12 reference lengths", kOfSteps,
     &Values::spectral_slope_short},
    {"spectral_slope_middle", Family::Spectra, "1", "exponent of power from 12 to 48", kOfSteps,
     &Values::spectral_slope_middle},
    {"spectral_slope_long", Family::Spectra, "1", "exponent of power from 48 to 192", kOfSteps,
     &Values::spectral_slope_long},
    {"spectral_anisotropy", Family::Spectra, "1", "power in the strongest direction over that in the weakest",
     kOfSteps, &Values::spectral_anisotropy},
    {"spectral_fourfold_share", Family::Spectra, "1",
     "part of power that favours rows and columns over diagonals", kOfSteps,
     &Values::spectral_fourfold_share},

    {"floor_width", Family::ValleyFloors, "m",
     "mean width of ground within 10 m above rivers of 10 to 1,000 km^2", kOfSteps, &Values::floor_width},
    {"floor_width_ratio", Family::ValleyFloors, "1", "width within 30 m above rivers over that within 10 m",
     kOfSteps, &Values::floor_width_ratio},
    {"floor_width_exponent", Family::ValleyFloors, "1", "exponent by which this width grows with area",
     kOfSteps, &Values::floor_width_exponent},
    {"floor_share", Family::ValleyFloors, "1", "share of all ground within 5 m above rivers of 10 km^2",
     kOfSteps, &Values::floor_share},
});

}  // namespace

std::span<const TerrainStatistic> terrain_statistics() {
    return kStatistics;
}

const char* name_of(StatisticFamily family) {
    switch (family) {
        case StatisticFamily::Rivers:
            return "rivers";
        case StatisticFamily::Basins:
            return "basins";
        case StatisticFamily::Slopes:
            return "slopes";
        case StatisticFamily::Hillslopes:
            return "hillslopes";
        case StatisticFamily::Spectra:
            return "spectra";
        case StatisticFamily::ValleyFloors:
            return "valley floors";
    }
    return "";
}

}  // namespace thalweg
