#include "thalweg/core/cancelling.hpp"
#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/statistics/horn_gradient.hpp"
#include "thalweg/flow/survey/samples.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kNearMedian = 0.15;     // of the median slope
constexpr double kSteep = 35.0;          // degrees
constexpr double kTileSide = 2000.0;     // m
constexpr double kLeastTileShare = 0.8;  // of a tile that is described
constexpr std::size_t kFewestTiles = 9;
constexpr double kDegreesOfRadian = 180.0 / std::numbers::pi;
constexpr std::size_t kQuarterBins = 18;  // of 5 degrees each

/// Slope [m/m] of the ground that is described; no data elsewhere.
Field<float> described_slopes(const Survey& survey, const Gradient& gradient) {
    Field<float> slope(survey.elevation.grid(), kNoData);
    for_each_row(slope.grid(), [&](int row) {
        for (int column = 0; column < slope.columns(); ++column) {
            const float east = gradient.east(column, row), north = gradient.north(column, row);
            if (survey.is_inner_ground(slope.grid().index(column, row)))
                slope(column, row) = std::sqrt(east * east + north * north);
        }
    });
    return slope;
}

float degrees_of_slope(double slope) {
    return static_cast<float>(kDegreesOfRadian * std::atan(slope));
}

std::vector<float> degrees_of_slopes(const Field<float>& slope) {
    std::vector<float> degrees;
    for_each_polled(slope, [&](float value) {
        if (!is_no_data(value)) degrees.push_back(degrees_of_slope(static_cast<double>(value)));
    });
    return degrees;
}

template <class Holds>
double share_of(const std::vector<float>& sample, const Holds& holds) {
    const auto count = std::ranges::count_if(sample, [&](float x) { return holds(static_cast<double>(x)); });
    return static_cast<double>(count) / static_cast<double>(sample.size());
}

void describe_sample(const std::vector<float>& degrees, TerrainDescription& description) {
    if (degrees.empty()) return;
    const Moments moments = moments_of(degrees);
    const double median = median_of(degrees);
    TerrainStatistics& statistics = description.statistics;
    statistics.slope_mean = moments.mean;
    statistics.slope_variation = moments.mean > 0.0 ? moments.variation() : kNoStatistic;
    statistics.slope_skew = moments.skew;
    statistics.slope_share_near_median =
        share_of(degrees, [&](double slope) { return std::abs(slope - median) < kNearMedian * median; });
    statistics.slope_share_above_35 = share_of(degrees, [](double slope) { return slope > kSteep; });
    std::vector<double>& shares = description.curves.slope_shares;
    shares.assign(at(std::lround(90.0 / kSlopeBin)), 0.0);
    for_each_polled(degrees, [&](float slope) {
        const auto bin = static_cast<std::size_t>(static_cast<double>(slope) / kSlopeBin);
        shares[std::min(bin, shares.size() - 1)] += 1.0;
    });
    for (double& share : shares) share /= static_cast<double>(degrees.size());
}

/// Mean slope of a square tile, degrees; NaN where too little of it is described.
float slope_of_tile(const Field<float>& slope, int side, int first_column, int first_row) {
    double sum = 0.0, cells = 0.0;
    for (int row = first_row; row < first_row + side; ++row)
        for (int column = first_column; column < first_column + side; ++column)
            if (!is_no_data(slope(column, row))) {
                sum += static_cast<double>(slope(column, row));
                cells += 1.0;
            }
    return cells > kLeastTileShare * side * side ? degrees_of_slope(sum / cells) : kNoData;
}

double variation_of_tiles(const Field<float>& slope) {
    const int side = static_cast<int>(kTileSide / slope.grid().cell_size);
    std::vector<float> tiles;
    if (side < 1) return kNoStatistic;
    for (int row = 0; row + side <= slope.rows(); row += side)
        for (int column = 0; column + side <= slope.columns(); column += side) {
            poll_cancelled();
            if (const float tile = slope_of_tile(slope, side, column, row); !is_no_data(tile))
                tiles.push_back(tile);
        }
    return tiles.size() < kFewestTiles ? kNoStatistic : moments_of(tiles).variation();
}

/// Counts of the ways that ground faces.
struct Aspects {
    std::vector<double> whole = std::vector<double>(at(std::lround(360.0 / kAspectBin)), 0.0);
    std::array<double, kQuarterBins> quarter{};
    double cells = 0.0;

    void add(double east, double north) {  // m/m, how the ground rises; level ground faces nowhere
        if (east == 0.0 && north == 0.0) return;
        const double degrees =
            kDegreesOfRadian * std::atan2(-east, -north) + 360.0;  // from north to the east
        whole[at(static_cast<std::int64_t>((degrees + 0.5 * kAspectBin) / kAspectBin)) % whole.size()] += 1.0;
        const double folded =
            std::fmod(450.0 + 360.0 - degrees, 90.0) * static_cast<double>(kQuarterBins) / 90.0;
        quarter[std::min(static_cast<std::size_t>(folded), kQuarterBins - 1)] += 1.0;
        cells += 1.0;
    }
};

void describe_aspects(const Field<float>& slope, const Gradient& gradient, TerrainDescription& description) {
    Aspects aspects;
    for_each_polled(0, slope.size(), [&](std::int64_t cell) {
        if (!is_no_data(slope[cell]))
            aspects.add(static_cast<double>(gradient.east[cell]), static_cast<double>(gradient.north[cell]));
    });
    if (!(aspects.cells > 0.0)) return;
    description.statistics.aspect_grid_bias =
        std::ranges::max(aspects.quarter) * static_cast<double>(kQuarterBins) / aspects.cells;
    for (double& share : aspects.whole) share /= aspects.cells;
    description.curves.aspect_shares = std::move(aspects.whole);
}

}  // namespace

void describe_slopes(const Survey& survey, TerrainDescription& description) {
    const Gradient gradient = horn_gradient(survey.elevation);
    const Field<float> slope = described_slopes(survey, gradient);
    describe_sample(degrees_of_slopes(slope), description);
    description.statistics.slope_variation_of_tiles = variation_of_tiles(slope);
    describe_aspects(slope, gradient, description);
}

}  // namespace thalweg
