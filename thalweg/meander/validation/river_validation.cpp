#include "thalweg/meander/river_validation.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/meander/channel/channel_geometry.hpp"
#include "thalweg/meander/validation/common_reach.hpp"
#include "thalweg/meander/validation/excluded_stretches.hpp"
#include "thalweg/meander/validation/line_matching.hpp"
#include "thalweg/meander/validation/line_smoothing.hpp"
#include "thalweg/meander/validation/predicted_course.hpp"
#include "thalweg/meander/validation/rate_comparison.hpp"
#include "thalweg/river/hydraulics.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kStepsPerWidth = 8;
constexpr double kFirstSmoothing = 0.5;   // widths, of places
constexpr double kSmoothing = 1.0;        // widths, of places and rates: standard deviations
constexpr double kWidthSmoothing = 5.0;   // widths
constexpr double kLeastExcess = 2.0;      // widths, of a stretch that the other line has not
constexpr double kBesideExcluded = 5.0;   // widths
constexpr double kEnds = 5.0;             // widths
constexpr std::size_t kLeastPoints = 10;  // of a line
constexpr double kLeastLength = 40.0;     // widths
constexpr double kMostLength = 12000.0;   // widths: the square of it are bytes
constexpr int kShifts = 59;               // of predictions along the river

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double median_width(const ChannelLine& line) {
    return median_of({line.values.width.begin(), line.values.width.end()});
}

/// Without points at the place of the one before them.
ChannelLine without_repeated(const ChannelLine& line, const char* name, std::vector<std::string>& notes) {
    ChannelLine kept = line;
    std::size_t n = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (n > 0 && line.x[i] == kept.x[n - 1] && line.y[i] == kept.y[n - 1]) continue;
        kept.x[n] = line.x[i];
        kept.y[n] = line.y[i];
        kept.values.width[n++] = line.values.width[i];
    }
    if (n == line.size()) return kept;
    notes.push_back(fmt::format("{} of the {} line's {} points repeat the one before and are left out",
                                line.size() - n, name, line.size()));
    return piece_of(kept, 0, n - 1);
}

/// In even steps, and without what is shorter than bends. A line that jitters from pixel to pixel is longer
/// than its river, so that steps along it are too short: it is smoothed a little before.
ChannelLine smoothed(const ChannelLine& line, double spacing) {
    ChannelLine even = line;
    for (const double deviation : {kFirstSmoothing, kSmoothing}) {
        even = resampled(even, spacing);
        even.x = twiced_gauss_mean(even.x, deviation * kStepsPerWidth);
        even.y = twiced_gauss_mean(even.y, deviation * kStepsPerWidth);
    }
    const std::vector<double> widths =
        gauss_mean_of_used({even.values.width.begin(), even.values.width.end()},
                           std::vector<std::uint8_t>(even.size(), 1), kWidthSmoothing * kStepsPerWidth);
    for (std::size_t i = 0; i < even.size(); ++i) even.values.width[i] = static_cast<float>(widths[i]);
    return resampled(even, spacing);
}

void check_length(double length, double width, const char* name) {
    if (length < kLeastLength * width || length > kMostLength * width)
        throw Error::input(
            fmt::format("the {} line is {:.3g} km or {:.0f} widths long: give one of {:.0f} to {:.0f} "
                        "widths",
                        name, length / 1000.0, length / width, kLeastLength, kMostLength));
}

/// The mean place on the later line of all points that one of the earlier line is matched with.
std::vector<double> mean_match(const std::vector<MatchedPair>& path, std::size_t points) {
    std::vector<double> sum(points, 0.0), count(points, 0.0);
    for (const MatchedPair& pair : path) {
        sum[static_cast<std::size_t>(pair.before)] += pair.after;
        count[static_cast<std::size_t>(pair.before)] += 1.0;
    }
    for (std::size_t i = 0; i < points; ++i) sum[i] /= count[i];
    return sum;
}

std::vector<std::uint8_t> used_points(const RiverValidation& v) {
    const auto n = static_cast<std::ptrdiff_t>(v.before.size());
    std::vector<std::uint8_t> is_used(v.before.size(), 1);
    const auto exclude = [&](std::ptrdiff_t first, std::ptrdiff_t last) {
        for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, first); i <= std::min(n - 1, last); ++i)
            is_used[static_cast<std::size_t>(i)] = 0;
    };
    const auto beside = static_cast<std::ptrdiff_t>(kBesideExcluded * kStepsPerWidth);
    const auto ends = static_cast<std::ptrdiff_t>(kEnds * kStepsPerWidth);
    for (const ExcludedStretch& stretch : v.excluded)
        exclude(static_cast<std::ptrdiff_t>(stretch.first) - beside,
                static_cast<std::ptrdiff_t>(stretch.last) + beside);
    exclude(0, ends - 1);
    exclude(n - ends, n - 1);
    return is_used;
}

/// Lines, match, observed rates: everything that does not depend on the law.
RiverValidation observed_migration(const ChannelLine& before, const ChannelLine& after, double years,
                                   Progress& progress) {
    RiverValidation v;
    const ChannelLine first = without_repeated(before, "earlier", v.notes);
    const ChannelLine second = without_repeated(after, "later", v.notes);
    v.width = 0.5 * (median_width(first) + median_width(second));
    const double spacing = v.width / kStepsPerWidth;
    check_length(length_of(first), v.width, "earlier");
    check_length(length_of(second), v.width, "later");
    v.before = smoothed(first, spacing);
    v.after = smoothed(second, spacing);
    keep_common_reach(v.before, v.after, spacing, v.width, v.notes);
    check_length(length_of(v.before), v.width, "shared part of the earlier");
    progress.report(0.1, "matching the lines");
    const std::vector<MatchedPair> path =
        match_lines({v.before.x, v.before.y}, {v.after.x, v.after.y}, kStepsPerWidth, v.width, progress);
    v.excluded = find_excluded(path, spacing, kLeastExcess * v.width);
    v.match = mean_match(path, v.before.size());
    v.is_used = used_points(v);
    for (std::size_t i = 0; i < v.before.size(); ++i) v.distance.push_back(spacing * static_cast<double>(i));
    v.observed = gauss_mean_of_used(swept_rates(v.before, {v.after, v.match}, years), v.is_used,
                                    kSmoothing * kStepsPerWidth);
    return v;
}

/// What is left of a correlation where predicted and observed migration belong to other places.
void find_shifted(RiverValidation& v) {
    std::vector<double> shifted(v.predicted.size());
    double squares = 0.0;
    for (int shift = 1; shift <= kShifts; ++shift) {
        const std::size_t by = v.predicted.size() * static_cast<std::size_t>(shift) / (kShifts + 1);
        std::rotate_copy(v.predicted.begin(), v.predicted.begin() + static_cast<std::ptrdiff_t>(by),
                         v.predicted.end(), shifted.begin());
        const double correlation = correlation_of(shifted, v.observed, v.is_used);
        squares += correlation * correlation;
        v.shifted_greatest = std::max(v.shifted_greatest, std::abs(correlation));
    }
    v.shifted_rms = std::sqrt(squares / kShifts);
}

std::vector<double> curvature_of(const ChannelLine& line) {
    ChannelGeometry geometry;
    geometry.measure(line.x, line.y);
    return {geometry.curvature.begin(), geometry.curvature.end()};
}

void find_lags(RiverValidation& v, const RateComparison& comparison) {
    const std::vector<double> before = curvature_of(v.before);
    v.before_lag = comparison.lag_behind(before);
    std::vector<double> mean = values_at(curvature_of(v.after), v.match);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.5 * (mean[i] + before[i]);
    v.lag = comparison.lag_behind(mean);
}

void add_doubts(RiverValidation& v, const RateComparison& comparison) {
    if (v.lag < 0.0)
        v.notes.emplace_back(
            "migration is ahead of curvature, as where both lines run upstream: give them downstream");
    if (comparison.is_at_an_end(v.best_fit.depth))
        v.notes.push_back(
            fmt::format("the best depth, {:.3g} m, is one end of those that are tried", v.best_fit.depth));
    if (v.fit.rate <= 0.0)
        v.notes.emplace_back("predicted migration is against the observed one: k is not above 0");
}

void check_parameters(const RiverValidationParameters& parameters) {
    if (!(parameters.years > 0.0 && std::isfinite(parameters.years)))
        throw Error::input(
            fmt::format("years = {} is not allowed: give a number greater than 0", parameters.years));
    if (!(parameters.depth >= 0.0 && std::isfinite(parameters.depth)))
        throw Error::input(fmt::format("depth = {} is not allowed: give a depth in metres, or 0 for the best",
                                       parameters.depth));
}

/// Coordinates that could be longitudes and latitudes, of a line that is shorter in them than a few widths.
bool is_in_degrees(const ChannelLine& line) {
    const auto is_within = [](const std::vector<double>& values, double most) {
        return std::ranges::all_of(values, [=](double value) { return std::abs(value) <= most; });
    };
    return is_within(line.x, 360.0) && is_within(line.y, 90.0) && length_of(line) < 10.0 * median_width(line);
}

double quantile_of_size(const std::vector<double>& values, const std::vector<std::uint8_t>& is_used,
                        double share) {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (is_used[i] != 0) sizes.push_back(std::abs(values[i]));
    if (sizes.empty()) return 0.0;
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(sizes.size() - 1));
    std::nth_element(sizes.begin(), sizes.begin() + at, sizes.end());
    return sizes[static_cast<std::size_t>(at)];
}

}  // namespace

void RiverValidationParameters::declare(Declaration<RiverValidationParameters>& d) {
    d.number("years", &RiverValidationParameters::years,
             {.label = "Years between the surveys",
              .unit = "yr",
              .sentence = "From the earlier survey to the later one.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {1.0, 100.0, SliderScale::Logarithmic},
              .minimum_excluded = true});
    d.number("depth", &RiverValidationParameters::depth,
             {.label = "Depth",
              .unit = "m",
              .sentence = "Of the channel where it has its median width; 0: the depth that fits best.",
              .minimum = 0.0,
              .maximum = 1000.0,
              .usual = {0.0, 30.0},
              .automatic = 0.0});
    d.number("sinuosity_window", &RiverValidationParameters::sinuosity_window,
             {.label = "Window of sinuosity",
              .unit = "widths",
              .sentence = "Length of the river around a place by whose sinuosity it is slowed; 0: the whole "
                          "channel.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {0.0, 100.0}});
}

void check_surveyed_line(const ChannelLine& line) {
    if (line.size() < kLeastPoints)
        throw Error::input(fmt::format("{} points are too few for a centreline: give at least {}",
                                       line.size(), kLeastPoints));
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i]))
            throw Error::input(fmt::format("point {} lies at x = {}, y = {}: give numbers of metres", i + 1,
                                           line.x[i], line.y[i]));
        if (const float width = line.values.width[i]; !(width > 0.0F && std::isfinite(width)))
            throw Error::input(
                fmt::format("point {} has the width {} m: give one greater than 0", i + 1, width));
    }
    if (is_in_degrees(line))
        throw Error::input(
            fmt::format("coordinates like x = {:.6g}, y = {:.6g} are degrees: reproject the line to metres",
                        line.x[0], line.y[0]));
}

RiverValidation validate_river(const ChannelLine& before, const ChannelLine& after,
                               const RiverValidationParameters& parameters, Progress& progress) {
    check_parameters(parameters);
    check_surveyed_line(before);
    check_surveyed_line(after);
    RiverValidation v = observed_migration(before, after, parameters.years, progress);
    if (std::ranges::count(v.is_used, 1) < kStepsPerWidth * static_cast<std::ptrdiff_t>(kEnds))
        throw Error::input("cutoffs leave nothing of the river: give surveys that are closer in time");
    progress.report(0.5, "fitting the law");
    RateComparison comparison(v, parameters, kSmoothing * kStepsPerWidth);
    const HydraulicParameters form;
    v.width_fit = comparison.fit(portable_power(v.width / form.width_coefficient, 1.0 / form.width_exponent));
    v.best_fit = comparison.best_fit(progress);
    v.fit = parameters.depth > 0.0 ? comparison.fit(parameters.depth) : v.best_fit;
    v.start_fit = comparison.instant_fit(v.fit.depth, RateComparison::Lines::Before);
    v.mean_fit = comparison.instant_fit(v.fit.depth, RateComparison::Lines::Both);
    v.predicted = comparison.predicted(v.fit);
    v.slowed_rate = comparison.slowed_rate(v.fit);
    progress.report(0.8, "finding the lag");
    find_lags(v, comparison);
    find_shifted(v);
    add_doubts(v, comparison);
    return v;
}

std::vector<ValidationFigure> figures_of(const RiverValidation& v) {
    const auto size = [&](const std::vector<double>& rates, double share) {
        return quantile_of_size(rates, v.is_used, share);
    };
    const auto count = [&](bool is_cutoff) {
        return static_cast<double>(std::ranges::count(v.excluded, is_cutoff, &ExcludedStretch::is_cutoff));
    };
    const auto used = static_cast<double>(std::ranges::count(v.is_used, 1));
    const auto points = static_cast<double>(v.before.size());
    return {
        {"correlation", "of predicted and observed rates", "1", v.fit.correlation, 3},
        {"k_m_per_yr", "rate of migration, best fit", "m/yr", v.fit.rate, 1},
        {"k_slowed_m_per_yr", "the same times sinuosity^(-2/3)", "m/yr", v.slowed_rate, 1},
        {"depth_m", "depth at the median width", "m", v.fit.depth, 1},
        {"lag_m", "lag of migration behind curvature", "m", v.lag, 0},
        {"lag_widths", "the same in widths", "1", v.lag / v.width, 2},
        {"observed_rate_median", "median of |observed|", "m/yr", size(v.observed, 0.5), 2},
        {"predicted_rate_median", "median of |predicted|", "m/yr", size(v.predicted, 0.5), 2},
        {"observed_rate_p90", "90th percentile of |observed|", "m/yr", size(v.observed, 0.9), 2},
        {"predicted_rate_p90", "90th percentile of |predicted|", "m/yr", size(v.predicted, 0.9), 2},
        {"correlation_best_depth", "with the depth that fits best", "1", v.best_fit.correlation, 3},
        {"best_depth_m", "that depth", "m", v.best_fit.depth, 1},
        {"best_depth_k_m_per_yr", "its rate of migration", "m/yr", v.best_fit.rate, 1},
        {"correlation_width_depth", "with the depth by the width", "1", v.width_fit.correlation, 3},
        {"width_depth_m", "that depth", "m", v.width_fit.depth, 1},
        {"width_depth_k_m_per_yr", "its rate of migration", "m/yr", v.width_fit.rate, 1},
        {"correlation_at_start", "with rates of the earlier line", "1", v.start_fit.correlation, 3},
        {"correlation_mean_rates", "with the mean of both lines' rates", "1", v.mean_fit.correlation, 3},
        {"lag_before_m", "lag behind the earlier line's curvature", "m", v.before_lag, 0},
        {"correlation_shifted_rms", "with predictions of other places", "1", v.shifted_rms, 3},
        {"correlation_shifted_greatest", "the greatest of those", "1", v.shifted_greatest, 3},
        {"width_m", "median width", "m", v.width, 1},
        {"length_km", "of the earlier line, where both are", "km", v.distance.back() / 1000.0, 1},
        {"points", "of the earlier line, an eighth of the width apart", "1", points, 0},
        {"points_used_share", "of those: that are compared", "1", used / points, 3},
        {"cutoffs_excluded", "loops that the later line has not", "1", count(true), 0},
        {"new_courses_excluded", "courses that the earlier line had not", "1", count(false), 0},
    };
}

}  // namespace thalweg
