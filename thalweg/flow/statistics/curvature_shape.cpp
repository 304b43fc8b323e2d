#include "thalweg/core/cancelling.hpp"
#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/statistics/horn_gradient.hpp"
#include "thalweg/flow/survey/samples.hpp"
#include "thalweg/grid/curvature.hpp"
#include "thalweg/grid/gaussian.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kSmoothing = 2.0;   // steps, deviation of a gaussian
constexpr double kSharpest = 0.02;   // of ground, on ridges and in valleys
constexpr double kOutliers = 0.005;  // of ground, at each end, taken as those next to them
constexpr std::size_t kFewestOfLaplacian = 2;

/// The values of the cells that `holds`, where there are any.
template <class Holds>
std::vector<float> values_where(const Field<float>& field, const Holds& holds) {
    std::vector<float> values;
    for_each_polled(0, field.size(), [&](std::int64_t cell) {
        if (!is_no_data(field[cell]) && holds(cell)) values.push_back(field[cell]);
    });
    return values;
}

std::vector<float> inner_values(const Survey& survey, const Field<float>& field) {
    return values_where(field, [&](std::int64_t cell) { return survey.is_inner_ground(cell); });
}

/// Skew, kurtosis, and how sharp valleys are beside ridges.
struct LaplacianShape {
    Moments moments;
    double valley_ridge_sharpness = kNoStatistic;
};

LaplacianShape shape_of(const std::vector<float>& laplacian) {
    if (laplacian.size() < kFewestOfLaplacian) return {.moments = moments_of({})};
    const std::vector<double> ends = quantiles_of(laplacian, std::array{kSharpest, 1.0 - kSharpest});
    return {.moments = moments_of(laplacian),
            .valley_ridge_sharpness = ends[0] < 0.0 ? -ends[1] / ends[0] : kNoStatistic};
}

/// Root of the mean square, without the largest and least values.
double trimmed_root_mean_square(std::vector<float> values) {
    const std::vector<double> ends = quantiles_of(values, std::array{kOutliers, 1.0 - kOutliers});
    double squares = 0.0;
    for_each_polled(values, [&](float value) {
        const double held = std::clamp(static_cast<double>(value), ends[0], ends[1]);
        squares += held * held;
    });
    return std::sqrt(squares / static_cast<double>(values.size()));
}

/// Second derivatives of elevation across the slope over those along it.
double tangential_profile_ratio(const Survey& survey, Curvature curved) {
    const Gradient gradient = horn_gradient(survey.elevation);
    for_each_polled(0, curved.profile.size(), [&](std::int64_t cell) {
        const float east = gradient.east[cell], north = gradient.north[cell];
        const float secant = std::sqrt(1.0F + east * east + north * north);  // of the slope's angle
        curved.profile[cell] *= secant * secant * secant;  // of the section through the ground to that of z
        if (east == 0.0F && north == 0.0F) curved.profile[cell] = curved.tangential[cell] = kNoData;
    });
    const double along = trimmed_root_mean_square(inner_values(survey, curved.profile));
    const double across = trimmed_root_mean_square(inner_values(survey, curved.tangential));
    return along > 0.0 ? across / along : kNoStatistic;
}

void describe_cells(const Survey& survey, TerrainStatistics& statistics) {
    Curvature curved = curvature(survey.elevation);
    const LaplacianShape shape = shape_of(inner_values(survey, curved.laplacian));
    statistics.curvature_skew = shape.moments.skew;
    statistics.valley_ridge_sharpness = shape.valley_ridge_sharpness;
    statistics.channel_curvature = median_of(values_where(curved.laplacian, [&](std::int64_t cell) {
        return survey.is_inner_ground(cell) && survey.upstream(cell) >= kHeadArea;
    }));
    statistics.hilltop_curvature = -median_of(values_where(curved.laplacian, [&](std::int64_t cell) {
        return survey.is_inner_ground(cell) && survey.flow.tree.upstream_cells[at(cell)] == 1;
    }));
    statistics.tangential_profile_ratio = tangential_profile_ratio(survey, std::move(curved));
}

void describe_smooth_ground(const Survey& survey, TerrainStatistics& statistics) {
    const CellRange all = {.end_column = survey.elevation.columns(), .end_row = survey.elevation.rows()};
    Field<float> smooth = gaussian_mean(survey.elevation, kSmoothing * survey.scale.step, all);
    for_each_polled(0, smooth.size(), [&](std::int64_t cell) {
        if (is_no_data(survey.elevation[cell])) smooth[cell] = kNoData;
    });
    const LaplacianShape shape = shape_of(inner_values(survey, curvature(smooth).laplacian));
    statistics.smooth_curvature_skew = shape.moments.skew;
    statistics.smooth_curvature_kurtosis = shape.moments.kurtosis;
    statistics.smooth_valley_ridge_sharpness = shape.valley_ridge_sharpness;
}

}  // namespace

void describe_curvature(const Survey& survey, TerrainDescription& description) {
    describe_cells(survey, description.statistics);
    describe_smooth_ground(survey, description.statistics);
}

}  // namespace thalweg
