// What the statistics of a terrain are; how they are measured stands in describe_terrain.cpp.
#include "thalweg/flow/terrain_statistics.hpp"

#include <array>

namespace thalweg {
namespace {

using Family = StatisticFamily;
using Numbers = TerrainStatistics;

// "Steps" are reference lengths.
constexpr std::array kStatistics = {
    // Rivers.
    TerrainStatistic{"junction_angle_mean", Family::Rivers, "degrees",
                     "angle between the rivers of a junction, over whole links", false,
                     &Numbers::junction_angle_mean},
    TerrainStatistic{"junction_angle_near_mean", Family::Rivers, "degrees",
                     "the same over their last 30 steps", false, &Numbers::junction_angle_near_mean},
    TerrainStatistic{"junction_angle_spread", Family::Rivers, "degrees",
                     "standard deviation of junction angles", false, &Numbers::junction_angle_spread},
    TerrainStatistic{"junction_angle_per_decade_of_slope", Family::Rivers, "degrees",
                     "by how much junctions widen where rivers are ten times as steep", false,
                     &Numbers::junction_angle_per_decade_of_slope},
    TerrainStatistic{"junction_angle_slope_correlation", Family::Rivers, "1",
                     "correlation of junction angles with the logarithm of slope", false,
                     &Numbers::junction_angle_slope_correlation},
    TerrainStatistic{"sinuosity_order_1", Family::Rivers, "1",
                     "median sinuosity of streams of Strahler order 1", false, &Numbers::sinuosity_order_1},
    TerrainStatistic{"sinuosity_order_2", Family::Rivers, "1", "the same of order 2", false,
                     &Numbers::sinuosity_order_2},
    TerrainStatistic{"sinuosity_order_3", Family::Rivers, "1", "the same of order 3", false,
                     &Numbers::sinuosity_order_3},
    TerrainStatistic{"sinuosity_short", Family::Rivers, "1", "mean sinuosity of rivers over 16 steps", false,
                     &Numbers::sinuosity_short},
    TerrainStatistic{"sinuosity_middle", Family::Rivers, "1", "the same over 64 steps", false,
                     &Numbers::sinuosity_middle},
    TerrainStatistic{"sinuosity_long", Family::Rivers, "1", "the same over 128 steps", false,
                     &Numbers::sinuosity_long},
    TerrainStatistic{"sinuosity_of_large_rivers", Family::Rivers, "1",
                     "the same over 64 steps, where 10 000 squared steps or more drain", false,
                     &Numbers::sinuosity_of_large_rivers},
    TerrainStatistic{"turn_angle_short", Family::Rivers, "degrees",
                     "mean turn of rivers from one 3 steps to the next", false, &Numbers::turn_angle_short},
    TerrainStatistic{"turn_angle_middle", Family::Rivers, "degrees", "the same of 5 steps", false,
                     &Numbers::turn_angle_middle},
    TerrainStatistic{"turn_angle_long", Family::Rivers, "degrees", "the same of 20 steps", false,
                     &Numbers::turn_angle_long},
    TerrainStatistic{"planform_roughness", Family::Rivers, "reference lengths",
                     "root mean square distance of rivers from their smoothed courses", false,
                     &Numbers::planform_roughness},
    TerrainStatistic{"tributary_spacing_variation", Family::Rivers, "1",
                     "coefficient of variation of the spacing of tributaries along one bank", false,
                     &Numbers::tributary_spacing_variation},
    TerrainStatistic{"stream_parallelism", Family::Rivers, "1",
                     "mean |cosine| between neighbouring headwaters; 0.64 where directions are random", false,
                     &Numbers::stream_parallelism},
    TerrainStatistic{"direction_axis_bias", Family::Rivers, "1",
                     "share of rivers along rows and columns, over that of even directions", false,
                     &Numbers::direction_axis_bias},
    TerrainStatistic{"direction_diagonal_bias", Family::Rivers, "1", "the same along diagonals", false,
                     &Numbers::direction_diagonal_bias},
    TerrainStatistic{"concavity", Family::Rivers, "1",
                     "slope of rivers falls with drainage area to this power", false, &Numbers::concavity},
    TerrainStatistic{"steepness_spread", Family::Rivers, "decades", "scatter of slope about that law", false,
                     &Numbers::steepness_spread},
    // Basins.
    TerrainStatistic{"hypsometric_integral", Family::Basins, "1", "median hypsometric integral of basins",
                     false, &Numbers::hypsometric_integral},
    TerrainStatistic{"hypsometric_integral_spread", Family::Basins, "1",
                     "its standard deviation between basins", false, &Numbers::hypsometric_integral_spread},
    TerrainStatistic{"hack_exponent", Family::Basins, "1", "length of basins grows with area to this power",
                     false, &Numbers::hack_exponent},
    TerrainStatistic{"hack_scatter", Family::Basins, "decades", "scatter of length about that law", false,
                     &Numbers::hack_scatter},
    TerrainStatistic{"basin_elongation", Family::Basins, "1", "median of length over the root of area", false,
                     &Numbers::basin_elongation},
    TerrainStatistic{"bifurcation_ratio", Family::Basins, "1",
                     "number of streams over that of the next higher order", false,
                     &Numbers::bifurcation_ratio},
    TerrainStatistic{"stream_length_ratio", Family::Basins, "1",
                     "mean length of streams over that of the next lower order", false,
                     &Numbers::stream_length_ratio},
    TerrainStatistic{"drainage_density", Family::Basins, "1",
                     "length of rivers per area, times the root of the area where they begin", false,
                     &Numbers::drainage_density},
    TerrainStatistic{"pit_density", Family::Basins, "1/1000 km^2",
                     "closed depressions deeper than 5 m and larger than 0.02 km^2", false,
                     &Numbers::pit_density},
    // Slopes.
    TerrainStatistic{"slope_mean", Family::Slopes, "degrees", "mean slope", true, &Numbers::slope_mean},
    TerrainStatistic{"slope_variation", Family::Slopes, "1", "coefficient of variation of slope", true,
                     &Numbers::slope_variation},
    TerrainStatistic{"slope_skew", Family::Slopes, "1", "skewness of slope", true, &Numbers::slope_skew},
    TerrainStatistic{"slope_share_near_median", Family::Slopes, "1",
                     "share of ground within 15 % of the median slope", true,
                     &Numbers::slope_share_near_median},
    TerrainStatistic{"slope_share_above_35", Family::Slopes, "1", "share of ground steeper than 35 degrees",
                     true, &Numbers::slope_share_above_35},
    TerrainStatistic{"slope_variation_of_tiles", Family::Slopes, "1",
                     "coefficient of variation of mean slope between squares of 2 km", true,
                     &Numbers::slope_variation_of_tiles},
    TerrainStatistic{"aspect_grid_bias", Family::Slopes, "1",
                     "most frequent 5 degrees of aspect within a quarter turn, over their mean", true,
                     &Numbers::aspect_grid_bias},
    // Hillslopes.
    TerrainStatistic{"slope_area_exponent_of_hillslopes", Family::Hillslopes, "1",
                     "slope falls with area to this power, from 4 to 22 squared steps", true,
                     &Numbers::slope_area_exponent_of_hillslopes},
    TerrainStatistic{"slope_area_exponent_of_channels", Family::Hillslopes, "1",
                     "the same from 91 to 512 squared steps", true,
                     &Numbers::slope_area_exponent_of_channels},
    TerrainStatistic{"curvature_skew", Family::Hillslopes, "1",
                     "skewness of curvature, the Laplacian of elevation", true, &Numbers::curvature_skew},
    TerrainStatistic{"valley_ridge_sharpness", Family::Hillslopes, "1",
                     "98th centile of curvature over the 2nd: above 1 where valleys are sharper than ridges",
                     true, &Numbers::valley_ridge_sharpness},
    TerrainStatistic{"channel_curvature", Family::Hillslopes, "1/m", "median curvature along rivers", true,
                     &Numbers::channel_curvature},
    TerrainStatistic{"hilltop_curvature", Family::Hillslopes, "1/m",
                     "median of -curvature where nothing drains in", true, &Numbers::hilltop_curvature},
    TerrainStatistic{"tangential_profile_ratio", Family::Hillslopes, "1",
                     "root mean square curvature across the slope, over that down it", true,
                     &Numbers::tangential_profile_ratio},
    TerrainStatistic{"smooth_curvature_skew", Family::Hillslopes, "1",
                     "curvature_skew of ground smoothed over 2 steps", false,
                     &Numbers::smooth_curvature_skew},
    TerrainStatistic{"smooth_valley_ridge_sharpness", Family::Hillslopes, "1",
                     "valley_ridge_sharpness of ground smoothed over 2 steps", false,
                     &Numbers::smooth_valley_ridge_sharpness},
    TerrainStatistic{"smooth_curvature_kurtosis", Family::Hillslopes, "1",
                     "kurtosis of curvature of ground smoothed over 2 steps", false,
                     &Numbers::smooth_curvature_kurtosis},
    // Spectra.
    TerrainStatistic{"spectral_slope_short", Family::Spectra, "1",
                     "power of elevation falls with wavenumber to this power, from 4 to 12 steps", false,
                     &Numbers::spectral_slope_short},
    TerrainStatistic{"spectral_slope_middle", Family::Spectra, "1", "the same from 12 to 48 steps", false,
                     &Numbers::spectral_slope_middle},
    TerrainStatistic{"spectral_slope_long", Family::Spectra, "1", "the same from 48 to 192 steps", false,
                     &Numbers::spectral_slope_long},
    TerrainStatistic{"spectral_anisotropy", Family::Spectra, "1",
                     "power of the strongest direction over that of the weakest", false,
                     &Numbers::spectral_anisotropy},
    TerrainStatistic{
        "spectral_fourfold_share", Family::Spectra, "1",
        "fourfold part of power by direction: above 0 along rows and columns, below along diagonals", false,
        &Numbers::spectral_fourfold_share},
    // Valley floors.
    TerrainStatistic{"floor_width", Family::ValleyFloors, "m",
                     "width of ground within 10 m above rivers of 10 to 1000 km^2", false,
                     &Numbers::floor_width},
    TerrainStatistic{"floor_width_ratio", Family::ValleyFloors, "1",
                     "the same within 30 m, over that within 10 m", false, &Numbers::floor_width_ratio},
    TerrainStatistic{"floor_width_exponent", Family::ValleyFloors, "1",
                     "floor_width grows with drainage area to this power", false,
                     &Numbers::floor_width_exponent},
    TerrainStatistic{"floor_share", Family::ValleyFloors, "1",
                     "share of ground within 5 m above rivers of 10 km^2 or more", false,
                     &Numbers::floor_share},
};

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
            break;
    }
    return "valley floors";
}

}  // namespace thalweg
