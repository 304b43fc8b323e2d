#include "thalweg/ground/seasons.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kWarmest = 7.65;         // month: 20 July north of the equator
constexpr double kLeastAmplitude = 1e-3;  // degC: seasons that can't be told apart

/// Half of the time, in radians, that is warmer than `threshold`.
double half_season(double temperature, double amplitude, double threshold) {
    return std::acos(std::clamp((threshold - temperature) / amplitude, -1.0, 1.0));
}

/// The temperature within [-60, 60] at which `excess`, which rises with temperature, is 0.
template <class Excess>
double root_of(const Excess& excess) {
    double low = -60.0, high = 60.0;
    for (int k = 0; k < 50; ++k) {
        const double middle = 0.5 * (low + high);
        (excess(middle) < 0.0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

Seasons::Seasons(const ClimateParameters& climate)
    : amplitude_(std::max(climate.summer_excess, kLeastAmplitude)), precipitation_(climate.precipitation) {
    const double turn = (climate.month - kWarmest) / 12.0 + (climate.latitude < 0.0 ? 0.5 : 0.0);
    date_ = 2.0 * kPi * (turn - std::round(turn));
    for (int step = 0; step <= static_cast<int>(kSteps); ++step)
        table_.push_back(season_of(static_cast<double>(kColdest) + step / static_cast<double>(kPerDegree)));
}

Season Seasons::season_of(double temperature) const {
    const double a = amplitude_;
    const double grows = half_season(temperature, a, kGrowing);
    const double warm = half_season(temperature, a, 0.0);  // from -warm to warm it does not freeze
    // Degrees above 0 from the thaw to a time.
    const auto melted = [&](double t) {
        return (temperature * (t + warm) + a * (std::sin(t) + std::sin(warm))) / (2.0 * kPi);
    };
    const double winter = 1.0 - warm / kPi;
    Season season;
    season.growing_mean =
        static_cast<float>(grows > 0.0 ? temperature + a * std::sin(grows) / grows : temperature + a);
    season.biotemperature = static_cast<float>(melted(warm));
    if (std::abs(date_) <= warm) {
        season.snowfall = static_cast<float>(winter);
        season.melt = static_cast<float>(melted(date_));
        return season;
    }
    const double since_autumn = date_ > 0.0 ? date_ - warm : 2.0 * kPi + date_ - warm;
    const double lasting = winter - kMeltFactor * melted(warm) / std::max(precipitation_, 1e-3);
    season.snowfall = static_cast<float>(since_autumn / (2.0 * kPi) + std::max(0.0, lasting));
    return season;
}

double Seasons::tree_line() const {
    return root_of([&](double t) { return static_cast<double>(season_of(t).growing_mean) - kTreeLine; });
}

double Seasons::snow_line() const {
    return root_of([&](double t) {
        const Season season = season_of(t);
        return kMeltFactor * static_cast<double>(season.melt) -
               precipitation_ * static_cast<double>(season.snowfall);
    });
}

}  // namespace thalweg
