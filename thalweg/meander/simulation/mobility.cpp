#include "thalweg/meander/simulation/mobility.hpp"

#include "thalweg/grid/sampling.hpp"
#include "thalweg/meander/controls/controls.hpp"
#include "thalweg/meander/network/bank_cuts.hpp"
#include "thalweg/meander/simulation/bank_vegetation.hpp"

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

bool is_on(const Grid& grid, double x, double y) {
    return x >= grid.west && y <= grid.north && x <= grid.west + grid.width() &&
           y >= grid.north - grid.height();
}

/// What the ground is like on both sides of a point, seen downstream.
struct BanksAt {
    double left = 0.0;   // m, of the ground there above the bank
    double right = 0.0;  // m
    double reach = 0.0;  // m, of these places from the point
};

/// A place `reach` m to the right of a line's point.
Position beside(const ChannelLine& line, std::size_t i, double reach) {
    const double chord_x = line.x[i + 1] - line.x[i - 1];
    const double chord_y = line.y[i + 1] - line.y[i - 1];
    const double chord = std::hypot(chord_x, chord_y);
    return {.x = line.x[i] + reach * chord_y / chord, .y = line.y[i] - reach * chord_x / chord};
}

BanksAt banks_at(const Field<float>& elevation, const ChannelLine& line, std::size_t i) {
    const double reach = 0.5 * (line.values.width[i] + elevation.grid().cell_size);
    const double bank = line.z[i] + line.values.depth[i];
    return {.left = sample_bilinear(elevation, beside(line, i, -reach)) - bank,
            .right = sample_bilinear(elevation, beside(line, i, reach)) - bank,
            .reach = reach};
}

/// wall_erodibility times that of the rock at a place, where it is known.
double wall_erodibility_at(const MeanderState& state, Position place) {
    const double ordinary = state.parameters.wall_erodibility;
    if (!state.rock_erodibility) return ordinary;
    const float factor = sample_bilinear(*state.rock_erodibility, place);
    return std::isnan(factor) ? ordinary : ordinary * factor;
}

double slope_along(const ChannelLine& line, std::size_t i) {
    const double length = std::hypot(line.x[i + 1] - line.x[i], line.y[i + 1] - line.y[i]) +
                          std::hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]);
    return (line.z[i - 1] - line.z[i + 1]) / length;
}

/// The slope of the ground, on that side of the channel where it is the less steep, or of the channel; and
/// the wall, if there is one on the side to which the channel migrates.
double share_on_ground(const MeanderState& state, const MeanderChannel& channel, std::size_t i, double rate) {
    const ChannelLine& line = channel.line;
    if (!is_on(state.elevation->grid(), line.x[i], line.y[i])) return 0.0;
    const BanksAt banks = banks_at(*state.elevation, line, i);
    if (std::isnan(banks.left) || std::isnan(banks.right)) return 0.0;
    const double across = std::min(std::abs(banks.left), std::abs(banks.right)) / banks.reach;
    const double slope = std::max(across, slope_along(line, i));
    const double side = rate > 0.0 ? 1.0 : -1.0;
    const double wall = std::max(0.0, rate > 0.0 ? banks.right : banks.left);
    const double depth = line.values.depth[i];
    const double erodibility = wall_erodibility_at(state, beside(line, i, side * banks.reach));
    return (1.0 - smooth_step(slope / state.parameters.critical_slope)) * depth /
           (depth + wall / erodibility);
}

void damp_by_ground(const MeanderState& state, MeanderChannel& channel) {
    std::vector<double> rates;
    migration_rates(channel.line, state.parameters.migration, channel.inflow, rates);
    for (std::size_t i = 1; i + 1 < channel.line.size(); ++i)
        if (channel.mobility[i] > 0.0F)
            channel.mobility[i] *= static_cast<float>(share_on_ground(state, channel, i, rates[i]));
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
    channel.pull_x.clear();
    channel.pull_y.clear();
    if (channel.width < state.parameters.minimum_width || !channel.braid.empty())
        return channel.mobility.assign(n, 0.0F);
    channel.mobility.assign(n, 1.0F);
    const double spacing = length_of(line) / static_cast<double>(n - 1);
    const auto share = [&](std::size_t points, double rest) {
        return static_cast<float>(smooth_step(2.0 * spacing * static_cast<double>(points) / rest - 1.0));
    };
    for (std::size_t i = 1; i < n && spacing * static_cast<double>(i) < channel.head_rest; ++i)
        channel.mobility[i] *= share(i, channel.head_rest);
    for (std::size_t i = 1; i < n && spacing * static_cast<double>(i) < channel.end_rest; ++i)
        channel.mobility[n - 1 - i] *= share(i, channel.end_rest);
    channel.mobility.front() = channel.mobility.back() = 0.0F;
    if (state.elevation) damp_by_ground(state, channel);
    if (state.parameters.vegetation_strength > 0.0) slow_by_vegetation(state, channel);
    apply_controls(state.parameters.controls, channel);
    for (float& mobility : channel.mobility) mobility *= static_cast<float>(channel.rate_factor);
}

void cut_walls(MeanderState& state) {
    if (!state.elevation) return;
    for (const MeanderChannel& channel : state.channels) {
        if (channel.width < state.parameters.minimum_width) continue;
        for (std::size_t i = 0; i < channel.line.size(); ++i)
            if (channel.mobility[i] > 0.0F) lower_to_bank(*state.elevation, channel.line, i);
    }
}

}  // namespace thalweg
