// The year at a place, by its mean temperature.
#pragma once

#include "thalweg/ground/climate.hpp"

#include <vector>

namespace thalweg {

/// What a year of temperatures means for plants and snow.
struct Season {
    float growing_mean = 0.0F;    // degC, mean of the days that are warmer than kGrowing
    float biotemperature = 0.0F;  // degC, mean over the year of what lies above 0 (Holdridge 1967)
    float snowfall = 0.0F;        // share of a year's precipitation that has fallen as snow by the date
    float melt = 0.0F;            // degC yr above 0 since the snow fell, by the date
};

/// Days below it are no growing season; the tree line is where its mean is kTreeLine (Paulsen and Korner
/// 2014, Alpine Botany 124, 1-12).
inline constexpr double kGrowing = 0.9;   // degC
inline constexpr double kTreeLine = 6.4;  // degC

/// Water that melts by each degree and year: 4 mm a degree and day (Hock 2003, Journal of Hydrology 282,
/// 104-115: 2.5 to 5.5 for snow).
inline constexpr double kMeltFactor = 0.004 * 365.25;  // m / (degC yr)

/// Seasons by temperature, where it goes like a cosine through the year:
///
///   T(t) = T + a cos t     t: 0 in the middle of summer, T: mean, a: summer_excess
///   growing_mean = T + a sin(g) / g,  cos g = (kGrowing - T) / a
///   biotemperature = (z T + a sin z) / pi,  cos z = -T / a
///
/// Snow falls while T(t) < 0, and melts by T(t) afterwards, both in closed form. What lasts through the
/// summer on level ground stays to the next. Mean temperatures are looked up in a table of 1/8 degC.
class Seasons {
  public:
    explicit Seasons(const ClimateParameters& climate);  // resolved

    [[nodiscard]] Season at(float temperature) const {
        const float place = (temperature - kColdest) * kPerDegree;
        const float inside = place < 0.0F ? 0.0F : place > kSteps - 1.0F ? kSteps - 1.0F : place;
        const auto below = static_cast<std::size_t>(inside);
        const float part = inside - static_cast<float>(below);
        const Season& a = table_[below];
        const Season& b = table_[below + 1];
        const auto between = [part](float x, float y) { return x + part * (y - x); };
        return {between(a.growing_mean, b.growing_mean), between(a.biotemperature, b.biotemperature),
                between(a.snowfall, b.snowfall), between(a.melt, b.melt)};
    }

    /// Mean temperatures, degC, of the tree line, and of level ground where the last snow melts at the date.
    [[nodiscard]] double tree_line() const;
    [[nodiscard]] double snow_line() const;

  private:
    static constexpr float kColdest = -60.0F;  // degC
    static constexpr float kPerDegree = 8.0F;
    static constexpr float kSteps = 960.0F;

    [[nodiscard]] Season season_of(double temperature) const;

    double amplitude_;      // degC
    double date_;           // radians from the middle of summer, -pi to pi
    double precipitation_;  // m/yr
    std::vector<Season> table_;
};

}  // namespace thalweg
