#include "thalweg/meander/validation/line_smoothing.hpp"

#include "thalweg/core/portable_power.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace thalweg {
namespace {

constexpr double kReach = 4.0;  // deviations

/// Weights at 0, 1, 2 ... points, whose sum over both sides is 1.
std::vector<double> gauss_weights(double deviation) {
    const auto reach = static_cast<std::size_t>(std::ceil(kReach * deviation));
    std::vector<double> weights(reach + 1);
    double sum = 0.0;
    for (std::size_t i = 0; i <= reach; ++i) {
        const double place = static_cast<double>(i) / deviation;
        weights[i] = portable_exp(-0.5 * place * place);
        sum += (i == 0 ? 1.0 : 2.0) * weights[i];
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

}  // namespace

std::vector<double> gauss_mean(const std::vector<double>& values, double deviation) {
    const std::vector<double> weights = gauss_weights(deviation);
    const std::size_t n = values.size(), reach = weights.size() - 1;
    std::vector<double> beyond(n + 2 * reach);
    for (std::size_t i = 0; i < n; ++i) beyond[reach + i] = values[i];
    for (std::size_t i = 1; i <= reach; ++i) {
        beyond[reach - i] = 2.0 * values.front() - values[std::min(i, n - 1)];
        beyond[reach + n - 1 + i] = 2.0 * values.back() - values[n - 1 - std::min(i, n - 1)];
    }
    std::vector<double> means(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double* const middle = beyond.data() + reach + i;
        double sum = weights[0] * *middle;
        for (std::size_t k = 1; k <= reach; ++k)
            sum += weights[k] * (middle[k] + *(middle - static_cast<std::ptrdiff_t>(k)));
        means[i] = sum;
    }
    return means;
}

std::vector<double> twiced_gauss_mean(const std::vector<double>& values, double deviation) {
    std::vector<double> means = gauss_mean(values, deviation);
    const std::vector<double> again = gauss_mean(means, deviation);
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += means[i] - again[i];
    return means;
}

std::vector<double> gauss_mean_of_used(const std::vector<double>& values,
                                       std::span<const std::uint8_t> is_used, double deviation) {
    const std::vector<double> weights = gauss_weights(deviation);
    const std::size_t n = values.size(), reach = weights.size() - 1;
    std::vector<double> means(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.0, weight = 0.0;
        for (std::size_t j = i - std::min(i, reach); j <= std::min(n - 1, i + reach); ++j) {
            const double share = is_used[j] != 0 ? weights[j < i ? i - j : j - i] : 0.0;
            sum += share * values[j];
            weight += share;
        }
        if (weight > 0.0) means[i] = sum / weight;
    }
    return means;
}

}  // namespace thalweg
