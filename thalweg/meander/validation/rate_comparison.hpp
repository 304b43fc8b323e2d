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

/// The values of a column of the later line at the points that correspond to those of the earlier one.
std::vector<double> values_at(const std::vector<double>& values, const std::vector<double>& match);

/// Rates of migration of two lines that are matched, and what is compared with them.
class RateComparison {
  public:
    /// `validation` has everything but fits, lags, and predicted rates, and outlives this. Rates are averaged
    /// by a Gauss kernel of `deviation` points.
    RateComparison(const RiverValidation& validation, double sinuosity_window, double deviation);

    /// Rates with k = 1 m/yr and a depth (m, at the median width): the mean of both lines, or of the earlier
    /// one alone.
    enum class Lines { Both, Before };
    [[nodiscard]] std::vector<double> rates(double depth, Lines lines = Lines::Both);
    [[nodiscard]] RateFit fit_of(double depth, const std::vector<double>& rates) const;
    [[nodiscard]] RateFit fit(double depth, Lines lines = Lines::Both) {
        return fit_of(depth, rates(depth, lines));
    }

    /// The depth with the highest correlation, by a scan of memories, depth / (2 f), from a quarter of the
    /// width to 25 widths in even steps of the logarithm, and golden sections about the best of them, to 0.1
    /// %.
    [[nodiscard]] RateFit best_fit(Progress& progress);
    /// Whether a depth is one of the ends of that range.
    [[nodiscard]] bool is_at_an_end(double depth) const;

    /// How far downstream observed rates follow curvature, m: the shift, up to 12 widths either way, with the
    /// highest correlation of both, between points by a parabola. `curvature` is averaged as rates are.
    [[nodiscard]] double lag_behind(const std::vector<double>& curvature) const;

  private:
    std::vector<double> line_rates(const ChannelLine& line, double depth);

    const RiverValidation& validation_;
    MigrationParameters law_;
    double deviation_;  // points
};

}  // namespace thalweg
