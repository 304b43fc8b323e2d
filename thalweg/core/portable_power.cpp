#include "thalweg/core/portable_power.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace thalweg {
namespace {

constexpr double kLn2High =
    6.93147180369123816490e-01;  // its last 32 bits are 0: times an exponent it is exact
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The sum of two doubles, the second far smaller than the first.
struct TwoDoubles {
    double high = 0.0;
    double low = 0.0;
};

/// a + b exactly (Knuth).
TwoDoubles exact_sum(double a, double b) {
    const double sum = a + b;
    const double of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// a b exactly, without fused multiply-add (Dekker 1971).
TwoDoubles exact_product(double a, double b) {
    constexpr double kSplit = 134217729.0;  // 2^27 + 1
    const auto upper = [](double x) {
        const double shifted = kSplit * x;
        return shifted - (shifted - x);
    };
    const double product = a * b;
    const double a_upper = upper(a), b_upper = upper(b);
    const double a_lower = a - a_upper, b_lower = b - b_upper;
    return {product,
            ((a_upper * b_upper - product) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower};
}

/// ln x of a positive normal number, to about 2^-60 of it.
TwoDoubles log_of(double x) {
    constexpr std::int64_t kHalfRoot = 0x3fe6a09e667f3bcd;  // sqrt(0.5)
    constexpr std::int64_t kMantissa = 0x000fffffffffffff;
    const std::int64_t bits = std::bit_cast<std::int64_t>(x) - kHalfRoot;
    const auto exponent = static_cast<double>(bits >> 52);
    const auto mantissa = std::bit_cast<double>((bits & kMantissa) + kHalfRoot);

    // s = (m - 1) / (m + 1) and what its rounding left.
    const double over_one = mantissa - 1.0;
    const TwoDoubles divisor = exact_sum(mantissa, 1.0);
    const double s = over_one / divisor.high;
    const TwoDoubles back = exact_product(s, divisor.high);
    const double s_rest = ((over_one - back.high) - back.low - s * divisor.low) / divisor.high;

    // ln m = 2 s + s R(s^2), with fdlibm's polynomial for R.
    const double z = s * s;
    const double series =
        z * (6.666666666666735130e-01 +
             z * (3.999999999940941908e-01 +
                  z * (2.857142874366239149e-01 +
                       z * (2.222219843214978396e-01 +
                            z * (1.818357216161805012e-01 +
                                 z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01))))));
    const TwoDoubles sum = exact_sum(exponent * kLn2High, 2.0 * s);
    const double rest = sum.low + (exponent * kLn2Low + (2.0 * s_rest + s * series));
    return exact_sum(sum.high, rest);
}

/// e^(high + low).
double exp_of(TwoDoubles x) {
    constexpr double kLargest = 709.782712893384;  // ln of the largest double
    constexpr double kSmallest = -708.0;           // below lie numbers that are not normal
    if (std::isnan(x.high)) return x.high;
    if (x.high > kLargest) return kInfinity;
    if (x.high < kSmallest) return 0.0;
    const double k = std::floor(x.high / (kLn2High + kLn2Low) + 0.5);
    const double high = x.high - k * kLn2High;
    const double low = k * kLn2Low - x.low;
    const double r = high - low;
    const double t = r * r;
    const double c = r - t * (1.66666666666666019037e-01 +
                              t * (-2.77777777770155933842e-03 +
                                   t * (6.61375632143793436117e-05 +
                                        t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    const double power = 1.0 - ((low - (r * c) / (2.0 - c)) - high);
    // In two steps: 2^1024 is no double.
    const auto half = static_cast<std::int64_t>(k) / 2;
    const auto power_of_two = [](std::int64_t exponent) {
        return std::bit_cast<double>((exponent + 1023) << 52);
    };
    return power * power_of_two(half) * power_of_two(static_cast<std::int64_t>(k) - half);
}

}  // namespace

double portable_log(double x) {
    if (x == 0.0) return -kInfinity;
    if (!(x > 0.0)) return std::numeric_limits<double>::quiet_NaN();
    if (x == kInfinity) return x;
    return log_of(x).high;
}

double portable_exp(double x) {
    return exp_of({x, 0.0});
}

double portable_power(double x, double p) {
    if (p == 0.0) return 1.0;
    if (x == 0.0) return p > 0.0 ? 0.0 : kInfinity;
    if (!(x > 0.0)) return std::numeric_limits<double>::quiet_NaN();
    if (x == kInfinity) return p > 0.0 ? kInfinity : 0.0;
    const TwoDoubles log = log_of(x);
    const TwoDoubles product = exact_product(p, log.high);
    return exp_of({product.high, product.low + p * log.low});
}

}  // namespace thalweg
