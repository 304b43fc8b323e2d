// Observed and predicted rates of migration beside each other.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/meander/migration.hpp"
#include "thalweg/meander/river_validation.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Pearson's r of two columns over the points that are used; 0 where one of them is the same everywhere.
double correlation_of(const std::vector<double>& a, const std::vector<double>& b,
                      std::span<const std::uint8_t> is_used);

/// Rates of migration of the first of two lines that are matched by the law, and what was observed beside
/// them.
class RateComparison {
  public:
    /// `validation` has everything but fits, lags, and predicted rates, and outlives this. Rates are averaged
    /// by a Gauss kernel of `deviation` points.
    RateComparison(const RiverValidation& validation, const RiverValidationParameters& parameters,
                   double deviation);

    /// Mean rates over the years, m/yr, as the law takes the earlier line along, by depth (m, at the median
    /// width) and k of `fit`.
    [[nodiscard]] std::vector<double> predicted(const RateFit& fit);

    /// `predicted` with that depth and the k by which it fits best: two integrations, of which the first has
    /// the k of the rates at the start. Where that k is not above 0, as of lines that did not move by the
    /// law, the fit is of those rates.
    [[nodiscard]] RateFit fit(double depth);

    /// The depth with the highest correlation, by a scan of memories, depth / (2 f), from a quarter of the
    /// width to 25 widths in even steps of the logarithm, and golden sections about the best of them, to 1 %.
    [[nodiscard]] RateFit best_fit(Progress& progress);
    /// Whether a depth is one of the ends of that range.
    [[nodiscard]] bool is_at_an_end(double depth) const;

    /// Rates at one time with k = 1 m/yr, of the earlier line or as the mean of both.
    enum class Lines { Before, Both };
    [[nodiscard]] std::vector<double> rates(double depth, Lines lines);
    /// Those against what was observed.
    [[nodiscard]] RateFit instant_fit(double depth, Lines lines);

    /// k of `fit` times what sinuosity leaves of it: the k of a law that it does not slow, m/yr.
    [[nodiscard]] double slowed_rate(const RateFit& fit);

    /// How far downstream observed rates follow curvature, m: the shift, up to 12 widths either way, with the
    /// highest correlation of both, between points by a parabola. `curvature` is averaged as rates are.
    [[nodiscard]] double lag_behind(const std::vector<double>& curvature) const;

  private:
    [[nodiscard]] RateFit fit_of(double depth, const std::vector<double>& rates) const;
    [[nodiscard]] std::vector<double> line_rates(const ChannelLine& line, double depth) const;

    const RiverValidation& validation_;
    MigrationParameters law_;
    double years_;
    double deviation_;  // points
};

}  // namespace thalweg
