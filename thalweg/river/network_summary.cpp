#include "thalweg/river/network_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace thalweg {
namespace {

constexpr int kFewestReaches = 10;  // behind a Hack exponent (empirical)
constexpr int kLeastOrder = 2;

/// A straight line through points by least squares.
struct LineFit {
    int points = 0;
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;  // sums

    void add(double point_x, double point_y) {
        ++points;
        x += point_x;
        y += point_y;
        xx += point_x * point_x;
        xy += point_x * point_y;
    }
    [[nodiscard]] std::optional<double> slope() const {
        const double spread = points * xx - x * x;
        if (points < kFewestReaches || !(spread > 0.0)) return std::nullopt;
        return (points * xy - x * y) / spread;
    }
};

}  // namespace

NetworkSummary summary_of(const RiverNetwork& network) {
    NetworkSummary summary;
    std::unordered_map<std::int64_t, double> longest_above;  // m, by reach id
    LineFit hack;
    for (const Reach& reach : network.reaches) {
        summary.length += reach.length;
        summary.max_strahler = std::max(summary.max_strahler, reach.strahler);
        const double longest = longest_above[reach.id] + reach.length;
        summary.trunk_length = std::max(summary.trunk_length, longest);
        if (reach.next_down != -1) {
            double& below = longest_above[reach.next_down];
            below = std::max(below, longest);
        }
        if (reach.strahler >= kLeastOrder && longest > 0.0 && reach.upland_area > 0.0)
            hack.add(std::log(reach.upland_area), std::log(longest));
    }
    summary.hack_exponent = hack.slope();
    return summary;
}

}  // namespace thalweg
