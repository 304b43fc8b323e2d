#include "thalweg/io/raster.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "tests/flow/statistics_of.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

double value_of(const TerrainStatistics& statistics, std::string_view name) {
    for (const TerrainStatistic& one : terrain_statistics())
        if (one.name == name) return statistics.*one.value;
    ADD_FAILURE() << "no statistic " << name;
    return kNoStatistic;
}

struct Known {
    const char* name;
    double value;
};

constexpr Known kExample[] = {
    {"junction_angle_mean", 72.3653},
    {"junction_angle_near_mean", 71.3546},
    {"junction_angle_spread", 34.6253},
    {"junction_angle_per_decade_of_slope", -77.4602},
    {"junction_angle_slope_correlation", -0.366638},
    {"sinuosity_order_1", 1.11262},
    {"sinuosity_order_2", 1.12169},
    {"sinuosity_order_3", 1.24294},
    {"sinuosity_short", 1.09014},
    {"sinuosity_middle", 1.29267},
    {"sinuosity_long", kNoStatistic},
    {"sinuosity_of_large_rivers", kNoStatistic},
    {"turn_angle_short", 20.2781},
    {"turn_angle_middle", 25.7101},
    {"turn_angle_long", 35.3125},
    {"planform_roughness", 1.29608},
    {"tributary_spacing_variation", kNoStatistic},
    {"stream_parallelism", 0.633288},
    {"direction_axis_bias", 0.867636},
    {"direction_diagonal_bias", 0.915838},
    {"concavity", 0.412099},
    {"steepness_spread", 0.441514},
    {"hypsometric_integral", 0.457194},
    {"hypsometric_integral_spread", 0.0466097},
    {"hack_exponent", 0.53845},
    {"hack_scatter", 0.0403535},
    {"basin_elongation", 1.99579},
    {"bifurcation_ratio", 3.84293},
    {"stream_length_ratio", 2.08799},
    {"drainage_density", 0.581342},
    {"pit_density", 286.865},
    {"slope_mean", 16.0448},
    {"slope_variation", 0.47171},
    {"slope_skew", 0.289839},
    {"slope_share_near_median", 0.225109},
    {"slope_share_above_35", 0.00799549},
    {"slope_variation_of_tiles", 0.132289},
    {"aspect_grid_bias", 1.10033},
    {"slope_area_exponent_of_hillslopes", 0.0915342},
    {"slope_area_exponent_of_channels", 0.28683},
    {"curvature_skew", 0.0160257},
    {"valley_ridge_sharpness", 1.00066},
    {"channel_curvature", 0.00221598},
    {"hilltop_curvature", 0.00212184},
    {"tangential_profile_ratio", 0.955427},
    {"smooth_curvature_skew", 0.0440815},
    {"smooth_valley_ridge_sharpness", 1.0068},
    {"smooth_curvature_kurtosis", 2.71715},
    {"spectral_slope_short", 7.5675},
    {"spectral_slope_middle", 3.93693},
    {"spectral_slope_long", 4.4265},
    {"spectral_anisotropy", 1.6102},
    {"spectral_fourfold_share", 0.0271968},
    {"floor_width", 56.315},
    {"floor_width_ratio", 2.87308},
    {"floor_width_exponent", -0.355676},
    {"floor_share", 0.00486755},
};

TEST(DescribedSurveys, of_the_examples_keep_their_values) {
    const TerrainStatistics found = tests::statistics_of(read_raster(THALWEG_SOURCE_DIR "/examples/dem.tif"));
    for (const auto& [name, value] : kExample) {
        EXPECT_EQ(std::isnan(value_of(found, name)), std::isnan(value)) << name;
        if (std::isnan(value)) continue;
        EXPECT_NEAR(value_of(found, name), value, 1e-4 * std::max(0.01, std::abs(value))) << name;
    }
}

/// As an independent program measures it, with NumPy and SciPy; its routing over the flats of a survey in
/// whole metres is another, which moves some more than others.
struct Independent {
    const char* name;
    double value;
    double tolerance;  // of the value
};

constexpr Independent kBigTujunga[] = {
    {"junction_angle_mean", 68.0354, 0.01},
    {"junction_angle_near_mean", 69.8825, 0.01},
    {"junction_angle_spread", 27.1467, 0.02},
    {"junction_angle_per_decade_of_slope", -32.7157, 0.1},
    {"junction_angle_slope_correlation", -0.245013, 0.1},
    {"sinuosity_order_1", 1.04257, 0.01},
    {"sinuosity_order_2", 1.0561, 0.001},
    {"sinuosity_order_3", 1.08916, 0.001},
    {"sinuosity_short", 1.05519, 0.01},
    {"sinuosity_middle", 1.14681, 0.01},
    {"sinuosity_long", 1.23847, 0.01},
    {"sinuosity_of_large_rivers", 1.19069, 0.01},
    {"turn_angle_short", 16.0292, 0.01},
    {"turn_angle_middle", 19.1319, 0.01},
    {"turn_angle_long", 23.5326, 0.01},
    {"planform_roughness", 1.02524, 0.01},
    {"tributary_spacing_variation", 0.591563, 0.1},
    {"stream_parallelism", 0.691437, 0.01},
    {"direction_axis_bias", 0.937489, 0.02},
    {"direction_diagonal_bias", 0.823219, 0.001},
    {"concavity", 0.373055, 0.02},
    {"steepness_spread", 0.235968, 0.01},
    {"hypsometric_integral", 0.441299, 0.01},
    {"hypsometric_integral_spread", 0.0526791, 0.1},
    {"hack_exponent", 0.559575, 0.01},
    {"hack_scatter", 0.074459, 0.1},
    {"basin_elongation", 1.8282, 0.01},
    {"bifurcation_ratio", 4.91247, 0.01},
    {"stream_length_ratio", 2.22586, 0.01},
    {"drainage_density", 0.628022, 0.01},
    {"pit_density", 11.5489, 0.001},
    {"slope_mean", 22.2554, 0.001},
    {"slope_variation", 0.387478, 0.001},
    {"slope_skew", -0.0422261, 0.001},
    {"slope_share_near_median", 0.280555, 0.001},
    {"slope_share_above_35", 0.0639185, 0.001},
    {"slope_variation_of_tiles", 0.155923, 0.001},
    {"aspect_grid_bias", 1.11398, 0.001},
    {"slope_area_exponent_of_hillslopes", 0.168032, 0.001},
    {"slope_area_exponent_of_channels", 0.266618, 0.01},
    {"curvature_skew", -0.0443084, 0.001},
    {"valley_ridge_sharpness", 0.97561, 0.001},
    {"channel_curvature", 0.00851852, 0.001},
    {"hilltop_curvature", 0.00666667, 0.001},
    {"tangential_profile_ratio", 1.05562, 0.01},
    {"smooth_curvature_skew", -0.169702, 0.01},
    {"smooth_valley_ridge_sharpness", 0.902757, 0.001},
    {"smooth_curvature_kurtosis", 2.78715, 0.001},
    {"spectral_slope_short", 5.2673, 0.001},
    {"spectral_slope_middle", 3.90006, 0.001},
    {"spectral_slope_long", 2.73428, 0.001},
    {"spectral_anisotropy", 1.74314, 0.01},
    {"spectral_fourfold_share", 0.0175284, 0.1},
    {"floor_width", 100.203, 0.02},
    {"floor_width_ratio", 2.25392, 0.01},
    {"floor_share", 0.0113217, 0.1},
};

TEST(DescribedSurveys, of_big_tujunga_agree_with_an_independent_program) {
    const char* const data = std::getenv("THALWEG_DATA");
    const auto path = std::filesystem::path(data != nullptr ? data : THALWEG_DATA_DEFAULT) / "bigtujunga.tif";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set THALWEG_DATA";
    const TerrainStatistics found = tests::statistics_of(read_raster(path));
    for (const auto& [name, value, tolerance] : kBigTujunga)
        EXPECT_NEAR(value_of(found, name), value, tolerance * std::abs(value)) << name;
}

}  // namespace
}  // namespace thalweg
