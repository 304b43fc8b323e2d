#include "thalweg/core/cancelling.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/survey/samples.hpp"

#include <cmath>
#include <map>

namespace thalweg {
namespace {

constexpr double kBinsPerOctave = 2.0;     // of drainage area
constexpr std::size_t kFewestCells = 61;   // of a bin
constexpr double kLeastSlope = 0.004;      // m/m, of a bin: below, rounding counts
constexpr std::size_t kFewestMedians = 3;  // of a line

/// Median slope to the receiver, of bins of area.
struct SlopeAreaBins {
    std::vector<std::int64_t> number;  // from square steps 2^(number / kBinsPerOctave) on
    std::vector<double> slope;         // m/m
};

SlopeAreaBins slope_area_bins(const Survey& survey) {
    const Field<float> slope = receiver_slope(survey.flow.elevation, survey.flow.tree, survey.lattice);
    std::map<std::int64_t, std::vector<float>> slopes;
    for_each_polled(0, slope.size(), [&](std::int64_t cell) {
        if (!survey.is_inner_ground(cell) || survey.flow.tree.direction[at(cell)] >= kRoot) return;
        const double octaves = std::log2(survey.upstream(cell));
        slopes[static_cast<std::int64_t>(std::floor(kBinsPerOctave * octaves))].push_back(slope[cell]);
    });
    SlopeAreaBins bins;
    for (const auto& [number, sample] : slopes) {
        if (sample.size() < kFewestCells) continue;
        bins.number.push_back(number);
        bins.slope.push_back(median_of(sample));
    }
    return bins;
}

/// By which power slopes fall from the bin `first` to `last`.
double exponent_of(const SlopeAreaBins& bins, std::int64_t first, std::int64_t last) {
    std::vector<double> log_area, log_slope;
    for (std::size_t i = 0; i < bins.number.size(); ++i) {
        if (bins.number[i] < first || bins.number[i] > last || bins.slope[i] <= kLeastSlope) continue;
        log_area.push_back(static_cast<double>(bins.number[i]) / kBinsPerOctave * decades_of(2.0));
        log_slope.push_back(decades_of(bins.slope[i]));
    }
    const std::optional<LineFit> line =
        log_area.size() < kFewestMedians ? std::nullopt : fit_line(log_area, log_slope);
    return line ? -line->slope : kNoStatistic;
}

}  // namespace

void describe_slope_area(const Survey& survey, TerrainDescription& description) {
    const SlopeAreaBins bins = slope_area_bins(survey);
    // From 4 and to 32 square steps, and from 91 to 724.
    description.statistics.slope_area_exponent_of_hillslopes = exponent_of(bins, 4, 9);
    description.statistics.slope_area_exponent_of_channels = exponent_of(bins, 13, 18);
    for (std::size_t i = 0; i < bins.number.size(); ++i) {
        if (!(bins.slope[i] > 0.0)) continue;  // level rivers have no place beside logarithms
        const double middle = (static_cast<double>(bins.number[i]) + 0.5) / kBinsPerOctave;
        description.curves.slope_area.push_back(
            {.x = std::exp2(middle) * survey.scale.step * survey.scale.step, .y = bins.slope[i]});
    }
}

}  // namespace thalweg
