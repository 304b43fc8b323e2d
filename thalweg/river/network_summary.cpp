#include "thalweg/river/network_summary.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace thalweg {
namespace {

constexpr std::size_t kFewestReaches = 10;  // behind a Hack exponent (empirical)
constexpr int kLeastOrder = 2;

}  // namespace

NetworkSummary summary_of(const RiverNetwork& network) {
    NetworkSummary summary;
    std::unordered_map<std::int64_t, double> longest_above;  // m, by reach id
    std::vector<double> log_area, log_length;
    for_each_polled(network.reaches, [&](const Reach& reach) {
        summary.length += reach.length;
        summary.max_strahler = std::max(summary.max_strahler, reach.strahler);
        const double longest = longest_above[reach.id] + reach.length;
        summary.trunk_length = std::max(summary.trunk_length, longest);
        if (reach.next_down != -1) {
            double& below = longest_above[reach.next_down];
            below = std::max(below, longest);
        }
        if (reach.strahler < kLeastOrder || !(longest > 0.0) || !(reach.upland_area > 0.0)) return;
        log_area.push_back(portable_log(reach.upland_area));
        log_length.push_back(portable_log(longest));
    });
    if (log_area.size() >= kFewestReaches)
        if (const std::optional<LineFit> hack = fit_line(log_area, log_length))
            summary.hack_exponent = hack->slope;
    return summary;
}

}  // namespace thalweg
