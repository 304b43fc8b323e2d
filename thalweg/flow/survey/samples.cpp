#include "thalweg/flow/survey/samples.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/ranked_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Moments moments_of(std::span<const float> values) {
    if (values.empty()) return {kNone, kNone, kNone, kNone};
    const auto count = static_cast<double>(values.size());
    double sum = 0.0;
    for_each_polled(values, [&](float value) { sum += static_cast<double>(value); });
    Moments moments{.mean = sum / count};
    double squares = 0.0, cubes = 0.0, fourths = 0.0;
    for_each_polled(values, [&](float value) {
        const double away = static_cast<double>(value) - moments.mean, square = away * away;
        squares += square;
        cubes += square * away;
        fourths += square * square;
    });
    const double variance = squares / count;
    moments.deviation = std::sqrt(variance);
    moments.skew = variance > 0.0 ? cubes / count / (variance * moments.deviation) : kNone;
    moments.kurtosis = variance > 0.0 ? fourths / count / (variance * variance) : kNone;
    return moments;
}

std::vector<double> quantiles_of(std::span<const float> values, std::span<const double> shares) {
    if (values.empty()) return std::vector<double>(shares.size(), kNone);
    const RankedValues ranked(values);
    std::vector<std::int64_t> ranks;
    for (const double share : shares) {
        const auto below = static_cast<std::int64_t>(share * static_cast<double>(ranked.count() - 1));
        ranks.push_back(below);
        ranks.push_back(std::min(below + 1, ranked.count() - 1));
    }
    std::vector<std::int64_t> rising = ranks;
    std::ranges::sort(rising);
    const std::vector<float> found = ranked.of_ranks(rising);
    const auto value_of = [&](std::int64_t rank) {
        return static_cast<double>(found[at(std::ranges::lower_bound(rising, rank) - rising.begin())]);
    };
    std::vector<double> quantiles;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double place = shares[i] * static_cast<double>(ranked.count() - 1);
        const double low = value_of(ranks[2 * i]), high = value_of(ranks[2 * i + 1]);
        quantiles.push_back(low + (high - low) * (place - static_cast<double>(ranks[2 * i])));
    }
    return quantiles;
}

double median_of(std::span<const float> values) {
    return quantiles_of(values, std::array{0.5}).front();
}

double decades_of(double value) {
    return portable_log(value) / std::numbers::ln10;
}

}  // namespace thalweg
