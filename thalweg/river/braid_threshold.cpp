#include "thalweg/river/braid_threshold.hpp"

#include "thalweg/core/portable_power.hpp"

#include <cmath>

namespace thalweg {

double reference_width_factor(double grain_size) {
    constexpr double kSmallestGravel = 0.002;  // m
    return grain_size >= kSmallestGravel ? 3.0 : 4.7;
}

double potential_stream_power(double bankfull_flow, double valley_slope, double grain_size) {
    constexpr double kWaterWeight = 9810.0;  // N/m^3
    return kWaterWeight * std::sqrt(bankfull_flow) * valley_slope / reference_width_factor(grain_size);
}

double braiding_power(double grain_size) {
    return 900.0 * portable_power(grain_size, 0.42);
}

}  // namespace thalweg
