#include "thalweg/meander/validation/rate_comparison.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/meander/validation/line_smoothing.hpp"
#include "thalweg/meander/validation/predicted_course.hpp"
#include "thalweg/river/hydraulics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr double kShortestMemory = 0.25;  // widths
constexpr double kLongestMemory = 25.0;   // widths
constexpr int kScanned = 16;              // depths: steps of a factor of 1.36
constexpr int kSections = 9;              // of a golden section: 0.618^9 of two steps of the scan is 1 %
constexpr double kPointsPerWidth = 4.0;   // of the line that is taken along
constexpr double kMostCorrection = 4.0;   // of k from the first integration
constexpr double kFarthestLag = 12.0;     // widths

/// With a depth that follows the width, `depth` where that is `width` (m).
ChannelLine with_depth(ChannelLine line, double depth, double width) {
    const double exponent = 1.0 / HydraulicParameters{}.width_exponent;
    for (std::size_t i = 0; i < line.size(); ++i)
        line.values.depth[i] = static_cast<float>(
            depth * portable_power(static_cast<double>(line.values.width[i]) / width, exponent));
    return line;
}

}  // namespace

double correlation_of(const std::vector<double>& a, const std::vector<double>& b,
                      std::span<const std::uint8_t> is_used) {
    double n = 0.0, sum_a = 0.0, sum_b = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (is_used[i] == 0) continue;
        n += 1.0;
        sum_a += a[i];
        sum_b += b[i];
    }
    double aa = 0.0, bb = 0.0, ab = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (is_used[i] == 0) continue;
        const double from_a = a[i] - sum_a / n, from_b = b[i] - sum_b / n;
        aa += from_a * from_a;
        bb += from_b * from_b;
        ab += from_a * from_b;
    }
    return aa > 0.0 && bb > 0.0 ? ab / std::sqrt(aa * bb) : 0.0;
}

RateComparison::RateComparison(const RiverValidation& validation, const RiverValidationParameters& parameters,
                               double deviation)
    : validation_(validation), years_(parameters.years), deviation_(deviation) {
    law_.rate = 1.0;
    law_.sinuosity_window = parameters.sinuosity_window;
}

std::vector<double> RateComparison::line_rates(const ChannelLine& line, double depth) const {
    std::vector<double> rates;
    migration_rates(with_depth(line, depth, validation_.width), law_, 0.0, rates);
    return rates;
}

std::vector<double> RateComparison::rates(double depth, Lines lines) {
    std::vector<double> rates = line_rates(validation_.before, depth);
    if (lines == Lines::Both) {
        const std::vector<double> after = values_at(line_rates(validation_.after, depth), validation_.match);
        for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = 0.5 * (rates[i] + after[i]);
    }
    return gauss_mean_of_used(rates, validation_.is_used, deviation_);
}

RateFit RateComparison::fit_of(double depth, const std::vector<double>& rates) const {
    double squares = 0.0, products = 0.0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        if (validation_.is_used[i] == 0) continue;
        squares += rates[i] * rates[i];
        products += rates[i] * validation_.observed[i];
    }
    return {.depth = depth,
            .rate = squares > 0.0 ? products / squares : 0.0,
            .correlation = correlation_of(rates, validation_.observed, validation_.is_used)};
}

RateFit RateComparison::instant_fit(double depth, Lines lines) {
    return fit_of(depth, rates(depth, lines));
}

std::vector<double> RateComparison::predicted(const RateFit& fit) {
    std::vector<double> start = rates(fit.depth, Lines::Before);
    if (fit.rate <= 0.0) {
        for (double& rate : start) rate *= fit.rate;
        return start;
    }
    double fastest = 0.0;
    for (const double rate : start) fastest = std::max(fastest, fit.rate * std::abs(rate));
    MigrationParameters law = law_;
    law.rate = fit.rate;
    const MatchedCourse course =
        predicted_course(with_depth(validation_.before, fit.depth, validation_.width), law, years_,
                         validation_.width / kPointsPerWidth, validation_.width, fastest);
    return gauss_mean_of_used(swept_rates(validation_.before, course, years_), validation_.is_used,
                              deviation_);
}

double RateComparison::slowed_rate(const RateFit& fit) {
    const auto sum_of_sizes = [&] {
        double sum = 0.0;
        for (const double rate : line_rates(validation_.before, fit.depth)) sum += std::abs(rate);
        return sum;
    };
    const double slowed = sum_of_sizes();
    const SinuosityScaling scaling = std::exchange(law_.sinuosity_scaling, SinuosityScaling::None);
    const double free = sum_of_sizes();
    law_.sinuosity_scaling = scaling;
    return free > 0.0 ? fit.rate * slowed / free : fit.rate;
}

RateFit RateComparison::fit(double depth) {
    RateFit found = instant_fit(depth, Lines::Before);
    if (found.rate <= 0.0) return found;
    for (int integration = 0; integration < 2; ++integration) {
        RateFit next = fit_of(depth, predicted(found));
        next.rate = found.rate * std::clamp(next.rate, 1.0 / kMostCorrection, kMostCorrection);
        found = next;
    }
    return found;
}

RateFit RateComparison::best_fit(Progress& progress) {
    const double twice_friction = 2.0 * law_.friction_factor;
    const double low = portable_log(twice_friction * kShortestMemory * validation_.width);
    const double high = portable_log(twice_friction * kLongestMemory * validation_.width);
    const double step = (high - low) / (kScanned - 1);
    RateFit best{.depth = 0.0, .rate = 0.0, .correlation = -2.0};
    double best_place = low;
    const auto correlation_at = [&](double place) {
        progress.poll();
        const RateFit found = fit(portable_exp(place));
        if (found.correlation > best.correlation) {
            best = found;
            best_place = place;
        }
        return found.correlation;
    };
    for (int i = 0; i < kScanned; ++i) correlation_at(low + i * step);
    const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
    double left = std::max(low, best_place - step), right = std::min(high, best_place + step);
    double inner_left = right - golden * (right - left), inner_right = left + golden * (right - left);
    double at_left = correlation_at(inner_left), at_right = correlation_at(inner_right);
    for (int i = 2; i < kSections; ++i) {
        if (at_left > at_right) {
            right = inner_right;
            inner_right = inner_left;
            at_right = at_left;
            at_left = correlation_at(inner_left = right - golden * (right - left));
        } else {
            left = inner_left;
            inner_left = inner_right;
            at_left = at_right;
            at_right = correlation_at(inner_right = left + golden * (right - left));
        }
    }
    return best;
}

bool RateComparison::is_at_an_end(double depth) const {
    const double memory = depth / (2.0 * law_.friction_factor * validation_.width);  // widths
    return memory < 1.02 * kShortestMemory || memory > 0.98 * kLongestMemory;
}

double RateComparison::lag_behind(const std::vector<double>& curvature) const {
    const std::vector<double> smooth = gauss_mean_of_used(curvature, validation_.is_used, deviation_);
    const auto n = static_cast<std::ptrdiff_t>(smooth.size());
    const double spacing = validation_.distance[1];
    const auto most =
        std::min(n / 2, static_cast<std::ptrdiff_t>(kFarthestLag * validation_.width / spacing));
    std::vector<double> correlations;
    std::vector<double> shifted(smooth.size());
    std::vector<std::uint8_t> is_used(smooth.size());
    for (std::ptrdiff_t lag = -most; lag <= most; ++lag) {
        for (std::ptrdiff_t i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(i), from = static_cast<std::size_t>(i - lag);
            const bool is_inside = i - lag >= 0 && i - lag < n;
            shifted[at] = is_inside ? smooth[from] : 0.0;
            is_used[at] = is_inside && validation_.is_used[at] != 0 && validation_.is_used[from] != 0;
        }
        correlations.push_back(correlation_of(shifted, validation_.observed, is_used));
    }
    const auto best = std::ranges::max_element(correlations);
    double place = static_cast<double>(best - correlations.begin() - most);
    if (best != correlations.begin() && best + 1 != correlations.end()) {
        const double bend = *(best - 1) - 2.0 * *best + *(best + 1);
        if (bend < 0.0) place += 0.5 * (*(best - 1) - *(best + 1)) / bend;
    }
    return place * spacing;
}

}  // namespace thalweg
