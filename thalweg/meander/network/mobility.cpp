#include "thalweg/meander/network/mobility.hpp"

#include "thalweg/grid/sampling.hpp"
#include "thalweg/meander/network/controls.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace thalweg {
namespace {

/// 0 at 0 and below, 1 at 1 and above, with no slope at both.
double smooth_step(double x) {
    const double t = std::clamp(x, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// Slope of the ground across a place, m/m, between places a `reach` (m) away; NaN where it has no data.
double slope_around(const Field<float>& elevation, double x, double y, double reach) {
    const auto at = [&](double dx, double dy) {
        return static_cast<double>(sample_bilinear(elevation, {.x = x + dx, .y = y + dy}));
    };
    const double east = (at(reach, 0.0) - at(-reach, 0.0)) / (2.0 * reach);
    const double north = (at(0.0, reach) - at(0.0, -reach)) / (2.0 * reach);
    return std::sqrt(east * east + north * north);
}

bool is_on(const Grid& grid, double x, double y) {
    return x >= grid.west && y <= grid.north && x <= grid.west + grid.width() &&
           y >= grid.north - grid.height();
}

void damp_by_slope(const MeanderState& state, MeanderChannel& channel) {
    if (!state.elevation) return;
    const Field<float>& elevation = *state.elevation;
    const double cell = elevation.grid().cell_size;
    for (std::size_t i = 0; i < channel.line.size(); ++i) {
        if (channel.mobility[i] == 0.0F) continue;
        const double reach = std::max<double>(cell, channel.line.values.width[i]);
        const double x = channel.line.x[i];
        const double y = channel.line.y[i];
        const double slope = is_on(elevation.grid(), x, y) ? slope_around(elevation, x, y, reach) : 1e9;
        const double share = 1.0 - smooth_step(slope / state.parameters.critical_slope);
        channel.mobility[i] *= std::isnan(share) ? 0.0F : static_cast<float>(share);
    }
}

}  // namespace

void find_rests(MeanderState& state) {
    std::unordered_map<std::int64_t, float> widest;  // at nodes, m
    const auto widen = [&](std::int64_t node, float width) {
        float& known = widest[node];
        known = std::max(known, width);
    };
    for (std::size_t i = 0; i < state.channels.size(); ++i) {
        const std::vector<float>& width = state.channels[i].line.values.width;
        widen(state.network.reaches[i].from_node, width.front());
        widen(state.network.reaches[i].to_node, width.back());
    }
    const double widths = state.parameters.migration.end_damping;
    for (std::size_t i = 0; i < state.channels.size(); ++i) {
        state.channels[i].head_rest = widths * widest[state.network.reaches[i].from_node];
        state.channels[i].end_rest = widths * widest[state.network.reaches[i].to_node];
    }
}

void find_mobility(const MeanderState& state, MeanderChannel& channel) {
    const ChannelLine& line = channel.line;
    const std::size_t n = line.size();
    channel.mobility.assign(n, 0.0F);
    channel.pull_x.clear();
    channel.pull_y.clear();
    if (channel.width < state.parameters.minimum_width) return;
    const double spacing = length_of(line) / static_cast<double>(n - 1);
    const auto share = [](double distance, double rest) {
        return rest > 0.0 ? smooth_step(2.0 * distance / rest - 1.0) : 1.0;
    };
    for (std::size_t i = 1; i + 1 < n; ++i)
        channel.mobility[i] =
            static_cast<float>(share(spacing * static_cast<double>(i), channel.head_rest) *
                               share(spacing * static_cast<double>(n - 1 - i), channel.end_rest));
    damp_by_slope(state, channel);
    apply_controls(state.parameters.controls, channel);
    for (float& mobility : channel.mobility) mobility *= static_cast<float>(channel.rate_factor);
}

}  // namespace thalweg
