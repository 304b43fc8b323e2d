#include "thalweg/river/network_summary.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace thalweg {
namespace {

constexpr std::size_t kFewestReaches = 10;  // behind a Hack exponent (empirical)
constexpr int kLeastOrder = 2;

}  // namespace

NetworkSummary summary_of(const RiverNetwork& network) {
    NetworkSummary summary;
    const ReachGraph graph(network.reaches);
    std::vector<double> longest(network.reaches.size(),
                                0.0);  // m, of each reach and the longest flow path above
    std::vector<double> log_area, log_length;
    for_each_polled(0, graph.size(), [&](std::int64_t place) {
        const Reach& reach = network.reaches[at(place)];
        summary.length += reach.length;
        summary.max_strahler = std::max(summary.max_strahler, reach.strahler);
        double& way = longest[at(place)];
        for (const std::int32_t above : graph.above(place)) way = std::max(way, longest[at(above)]);
        way += reach.length;
        summary.trunk_length = std::max(summary.trunk_length, way);
        if (reach.strahler < kLeastOrder || !(way > 0.0) || !(reach.upland_area > 0.0)) return;
        log_area.push_back(portable_log(reach.upland_area));
        log_length.push_back(portable_log(way));
    });
    if (log_area.size() >= kFewestReaches)
        if (const std::optional<LineFit> hack = fit_line(log_area, log_length))
            summary.hack_exponent = hack->slope;
    return summary;
}

}  // namespace thalweg
