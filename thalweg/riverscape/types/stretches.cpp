#include "thalweg/riverscape/types/stretches.hpp"

#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kSlopeRatio = 1.5;  // of the two sides of a break (empirical)

/// One reach being cut.
struct SlopeCutter {
    std::span<const RiverPoint> line;
    const std::vector<double>& along;
    double least_length;  // m
    std::vector<std::size_t> breaks;

    [[nodiscard]] double slope(std::size_t first, std::size_t last) const {
        return (line[first].z - line[last].z) / (along[last] - along[first]);
    }

    /// The point furthest above or below the straight bed, of those far enough from both ends.
    [[nodiscard]] std::size_t furthest(std::size_t first, std::size_t last) const {
        const double mean = slope(first, last);
        std::size_t best = first;
        double farthest = 0.0;
        for (std::size_t i = first + 1; i < last; ++i) {
            if (along[i] - along[first] < least_length || along[last] - along[i] < least_length) continue;
            const double off = std::abs(line[first].z - mean * (along[i] - along[first]) - line[i].z);
            if (off > farthest) {
                farthest = off;
                best = i;
            }
        }
        return best;
    }

    void cut(std::size_t first, std::size_t last) {
        const std::size_t middle = furthest(first, last);
        if (middle == first) return;
        const double above = slope(first, middle);
        const double below = slope(middle, last);
        if (std::max(above, below) < kSlopeRatio * std::min(above, below)) return;
        cut(first, middle);
        breaks.push_back(middle);
        cut(middle, last);
    }
};

}  // namespace

std::vector<double> ways_along(std::span<const RiverPoint> line) {
    std::vector<double> along = {0.0};
    for (std::size_t i = 1; i < line.size(); ++i)
        along.push_back(along.back() + distance_between(line[i - 1], line[i]));
    return along;
}

std::vector<std::size_t> slope_breaks(std::span<const RiverPoint> line, const std::vector<double>& along,
                                      double least_length) {
    SlopeCutter cutter{line, along, least_length, {0}};
    cutter.cut(0, line.size() - 1);
    cutter.breaks.push_back(line.size() - 1);
    return cutter.breaks;
}

}  // namespace thalweg
