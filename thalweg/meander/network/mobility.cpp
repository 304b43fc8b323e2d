#include "thalweg/meander/network/mobility.hpp"

#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>

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

void damp_by_slope(const MeanderState& state, Channel& channel) {
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

void find_mobility(const MeanderState& state, Channel& channel) {
    const ChannelLine& line = channel.line;
    const std::size_t n = line.size();
    channel.mobility.assign(n, 0.0F);
    if (channel.width < state.parameters.minimum_width) return;
    const double spacing = length_of(line) / static_cast<double>(n - 1);
    const double damping = state.parameters.migration.end_damping;
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double to_end = spacing * static_cast<double>(std::min(i, n - 1 - i));
        const double length = damping * line.values.width[i];
        channel.mobility[i] = length > 0.0 ? static_cast<float>(smooth_step(to_end / length)) : 1.0F;
    }
    damp_by_slope(state, channel);
}

}  // namespace thalweg
