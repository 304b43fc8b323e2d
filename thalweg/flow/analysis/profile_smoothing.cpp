#include "thalweg/flow/profile_smoothing.hpp"

#include "thalweg/core/index.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace thalweg {
namespace {

constexpr int kMostSteps = 2000;
constexpr int kStepsPerPoll = 16;
constexpr double kPrecision = 1e-3;  // m

/// Symmetric matrix with two diagonals on each side, as its factors L D L^T.
class BandMatrix {
  public:
    explicit BandMatrix(std::size_t size) : diagonal_(size, 0.0), first_(size, 0.0), second_(size, 0.0) {}

    void add_to_diagonal(double value) {
        for (double& entry : diagonal_) entry += value;
    }

    /// Adds weight v v^T, where v has the three `values` from row `row` on.
    void add_square(std::size_t row, const std::array<double, 3>& values, double weight) {
        for (std::size_t i = 0; i < 3; ++i) diagonal_[row + i] += weight * values[i] * values[i];
        first_[row] += weight * values[0] * values[1];
        first_[row + 1] += weight * values[1] * values[2];
        second_[row] += weight * values[0] * values[2];
    }

    /// Makes row and column 0 those of the unit matrix, and returns what they held beside the diagonal.
    std::array<double, 2> fix_first() {
        const std::array<double, 2> held = {first_[0], second_[0]};
        diagonal_[0] = 1.0;
        first_[0] = second_[0] = 0.0;
        return held;
    }

    void factorise() {
        const std::size_t size = diagonal_.size();
        for (std::size_t i = 0; i < size; ++i) {
            const double pivot = diagonal_[i];
            if (i + 1 < size) {
                const double first = first_[i] / pivot;
                diagonal_[i + 1] -= first * first_[i];
                if (i + 2 < size) first_[i + 1] -= first * second_[i];
                first_[i] = first;
            }
            if (i + 2 < size) {
                const double second = second_[i] / pivot;
                diagonal_[i + 2] -= second * second_[i];
                second_[i] = second;
            }
        }
    }

    /// Solves in place, once factorised.
    void solve(std::vector<double>& x) const {
        const std::size_t size = x.size();
        for (std::size_t i = 0; i < size; ++i) {
            if (i >= 1) x[i] -= first_[i - 1] * x[i - 1];
            if (i >= 2) x[i] -= second_[i - 2] * x[i - 2];
        }
        for (std::size_t i = size; i-- > 0;) {
            x[i] /= diagonal_[i];
            if (i + 1 < size) x[i] -= first_[i] * x[i + 1];
            if (i + 2 < size) x[i] -= second_[i] * x[i + 2];
        }
    }

  private:
    std::vector<double> diagonal_, first_, second_;
};

/// The square penalty's matrix for points at `distance`, m, plus `weight` on the diagonal.
BandMatrix system_of(std::span<const double> distance, double length, double weight) {
    BandMatrix matrix(distance.size());
    matrix.add_to_diagonal(weight);
    const double square = length * length;
    const double penalty = square * square;
    for (std::size_t i = 0; i + 2 < distance.size(); ++i) {
        const double below = distance[i + 1] - distance[i], above = distance[i + 2] - distance[i + 1];
        const double mean = 0.5 * (below + above);
        matrix.add_square(
            i, {1.0 / (below * mean), -1.0 / below / mean - 1.0 / above / mean, 1.0 / (above * mean)},
            penalty);
    }
    return matrix;
}

}  // namespace

std::vector<double> isotonic(std::span<const double> values, double least) {
    struct Pool {
        double sum;
        double count;
        [[nodiscard]] double mean() const { return sum / count; }
    };
    std::vector<Pool> pools;
    for (const double value : values) {
        pools.push_back({value, 1.0});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            pools[pools.size() - 2].sum += pools.back().sum;
            pools[pools.size() - 2].count += pools.back().count;
            pools.pop_back();
        }
    }
    std::vector<double> rising;
    for (const Pool& pool : pools)
        rising.insert(rising.end(), static_cast<std::size_t>(pool.count), std::max(least, pool.mean()));
    return rising;
}

std::vector<double> smooth_profile(std::span<const double> distance, std::span<const double> elevation,
                                   double length, const Progress& progress) {
    assert(distance.size() == elevation.size());
    const std::size_t size = elevation.size();
    std::vector<double> rising(elevation.begin(), elevation.end());
    if (size < 2) return rising;
    const double least = elevation[0];
    const auto pull_up = [&](std::vector<double>& free) {
        free[0] = least;
        free = isotonic(free, least);
        free[0] = least;
    };
    pull_up(rising);
    if (length == 0.0 || size < 3) return rising;
    // Alternates between the smooth profile, the rising one and the multiplier that makes them the same.
    constexpr double kCoupling = 1.0;
    BandMatrix matrix = system_of(distance, length, 1.0 + kCoupling);
    const std::array<double, 2> held = matrix.fix_first();
    matrix.factorise();
    std::vector<double> smooth(size), multiplier(size, 0.0);
    for (int step = 0; step < kMostSteps; ++step) {
        if (step % kStepsPerPoll == 0) progress.poll();
        for (std::size_t i = 0; i < size; ++i)
            smooth[i] = elevation[i] + kCoupling * (rising[i] - multiplier[i]);
        smooth[0] = least;
        for (std::size_t i = 1; i < std::min<std::size_t>(3, size); ++i) smooth[i] -= held[i - 1] * least;
        matrix.solve(smooth);
        double residual = 0.0;
        std::vector<double> before = rising;
        for (std::size_t i = 0; i < size; ++i) rising[i] = smooth[i] + multiplier[i];
        pull_up(rising);
        for (std::size_t i = 0; i < size; ++i) {
            multiplier[i] += smooth[i] - rising[i];
            residual = std::max({residual, std::abs(smooth[i] - rising[i]), std::abs(rising[i] - before[i])});
        }
        if (residual < kPrecision) break;
    }
    return rising;
}

std::vector<double> smooth_profiles(const StreamTree& streams, std::span<const double> elevation,
                                    double length, const Progress& progress) {
    std::vector<double> bed(elevation.begin(), elevation.end());
    std::vector<double> distance, profile;
    for (std::int32_t mouth = 0; mouth < streams.size(); ++mouth) {
        if (!streams.is_mouth(mouth)) continue;
        const std::int32_t below = streams.below[at(mouth)];
        distance.clear();
        profile.clear();
        const auto add = [&](std::int32_t entry) {
            distance.push_back(streams.distance[at(entry)]);
            profile.push_back(bed[at(entry)]);
        };
        if (below >= 0) add(below);
        for (std::int32_t entry = mouth; entry >= 0; entry = streams.main_donor[at(entry)]) add(entry);
        const std::vector<double> smooth = smooth_profile(distance, profile, length, progress);
        std::size_t i = below >= 0 ? 1 : 0;
        for (std::int32_t entry = mouth; entry >= 0; entry = streams.main_donor[at(entry)])
            bed[at(entry)] = smooth[i++];
    }
    return bed;
}

}  // namespace thalweg
