#include "thalweg/flow/channel_steepness.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kEntriesPerTask = 1 << 10;

/// The entry `wanted` metres from `entry`, or the next one beyond; the last where the river ends before.
std::int32_t entry_at(const JoinedCells& cells, std::int32_t entry, std::span<const std::int32_t> next,
                      double wanted) {
    const double start = cells.distance[at(entry)];
    while (next[at(entry)] >= 0 && std::abs(cells.distance[at(entry)] - start) < wanted)
        entry = next[at(entry)];
    return entry;
}

}  // namespace

double channel_steepness(const JoinedCells& cells, std::int32_t upper, std::int32_t lower, double length) {
    const double missing = std::max(0.0, length - (cells.distance[at(upper)] - cells.distance[at(lower)]));
    const std::int32_t top = entry_at(cells, upper, cells.main_donor, 0.5 * missing);
    const std::int32_t bottom = entry_at(cells, lower, cells.below, 0.5 * missing);
    std::vector<double> chi, elevation;
    for (std::int32_t entry = top;; entry = cells.below[at(entry)]) {
        chi.push_back(cells.chi[at(entry)]);
        elevation.push_back(cells.elevation[at(entry)]);
        if (entry == bottom) break;
    }
    const auto line = fit_line(chi, elevation);
    return line ? line->slope : kNotMeasured;
}

std::vector<double> channel_steepness(const StreamTree& streams, double length) {
    const JoinedCells cells{.below = streams.below,
                            .main_donor = streams.main_donor,
                            .distance = streams.distance,
                            .chi = streams.chi,
                            .elevation = streams.elevation};
    std::vector<double> steepness(at(streams.size()));
    parallel_for(0, streams.size(), kEntriesPerTask, [&](std::int64_t first, std::int64_t last) {
        for (auto entry = static_cast<std::int32_t>(first); entry < last; ++entry)
            steepness[at(entry)] = channel_steepness(cells, entry, entry, length);
    });
    return steepness;
}

}  // namespace thalweg
