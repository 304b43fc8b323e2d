// The slope at which stream power, creep and thermal erosion together take away what is lifted.
#pragma once

#include <cstdint>

namespace thalweg {

/// What a slope is made of: storage S + power S^n + creep S + thermal max(0, S - s_c), all in one unit.
struct SlopeTerms {
    double storage = 0.0;  // of ground that rises: 1 in a step of time, 0 at steady state
    double power = 0.0;    // factor of S^n
    double creep = 0.0;    // factor of S
    double thermal = 0.0;  // factor of what S exceeds s_c by
};

/// Slope S > 0 that solves storage S + power S^n + creep S + thermal max(0, S - s_c) = lifted, for lifted > 0
/// and a power above 0, or storage or creep above 0. By Newton's method, at most 60 iterations; wherever one
/// leaves the bracket of the solution or does not halve the last move, bisection takes its place.
class SlopeEquation {
  public:
    SlopeEquation(const SlopeTerms& terms, double critical_slope, double exponent, double lifted)
        : terms_(terms), critical_slope_(critical_slope), exponent_(exponent), lifted_(lifted) {}

    /// The solution to within `tolerance`; `capped` is counted up where the iterations do not get there.
    [[nodiscard]] double solve(double tolerance, std::int64_t& capped) const;

  private:
    [[nodiscard]] double upper_bound() const;
    [[nodiscard]] double value(double slope, double power) const;
    [[nodiscard]] double derivative(double slope, double power) const;

    SlopeTerms terms_;
    double critical_slope_;  // s_c, m/m
    double exponent_;        // n
    double lifted_;          // in the unit of the terms
};

}  // namespace thalweg
