#include "thalweg/erosion/law/slope_equation.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr int kNewtonIterations = 60;  // at most

}  // namespace

double SlopeEquation::solve(double tolerance, std::int64_t& capped) const {
    double slope = upper_bound();
    double low = 0.0;
    double high = slope;
    double last_move = high;
    for (int iteration = 0; iteration < kNewtonIterations; ++iteration) {
        const double power = terms_.power * std::pow(slope, exponent_);
        const double excess = value(slope, power);
        (excess > 0.0 ? high : low) = slope;
        double next = slope - excess / derivative(slope, power);
        const bool useless = !(next >= low && next <= high) || std::abs(next - slope) > 0.5 * last_move;
        if (useless) next = 0.5 * (low + high);
        last_move = std::abs(next - slope);
        slope = next;
        if (last_move <= tolerance) return slope;
    }
    ++capped;
    return slope;
}

/// Every term alone can at most make up the whole.
double SlopeEquation::upper_bound() const {
    const double linear = lifted_ / (terms_.storage + terms_.creep);
    if (!(terms_.power > 0.0)) return linear;
    return std::min(linear, std::pow(lifted_ / terms_.power, 1.0 / exponent_));
}

double SlopeEquation::value(double slope, double power) const {
    return terms_.storage * slope + power + terms_.creep * slope +
           terms_.thermal * std::max(0.0, slope - critical_slope_) - lifted_;
}

double SlopeEquation::derivative(double slope, double power) const {
    return terms_.storage + exponent_ * power / slope + terms_.creep +
           (slope > critical_slope_ ? terms_.thermal : 0.0);
}

}  // namespace thalweg
