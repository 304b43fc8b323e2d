#include "thalweg/meander/simulation/network_update.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/meander/channel/channel_migration.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/line_edits.hpp"
#include "thalweg/meander/channel/loops.hpp"
#include "thalweg/meander/events/avulsions.hpp"
#include "thalweg/meander/events/captures.hpp"
#include "thalweg/meander/events/chutes.hpp"
#include "thalweg/meander/events/cutoffs.hpp"
#include "thalweg/meander/network/node_crossings.hpp"
#include "thalweg/meander/simulation/bank_vegetation.hpp"
#include "thalweg/meander/simulation/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace thalweg {
namespace {

constexpr std::int64_t kMostSteps = 8;  // between two updates (empirical: more are hardly faster)

double mean_width(const ChannelLine& line) {
    return std::accumulate(line.values.width.begin(), line.values.width.end(), 0.0) /
           static_cast<double>(line.size());
}

/// Of points, m.
double wanted_spacing(const MeanderState& state, const MeanderChannel& channel) {
    const double suited = channel_spacing(channel.width);
    return state.parameters.spacing > 0.0 ? std::min(state.parameters.spacing, suited) : suited;
}

}  // namespace

void space_evenly(const MeanderState& state, MeanderChannel& channel) {
    channel.width = mean_width(channel.line);
    const double spacing = wanted_spacing(state, channel);
    do channel.line = resampled(channel.line, spacing);
    while (remove_loops(channel.line));
    channel.has_moved = false;
    find_mobility(state, channel);
}

namespace {

/// The same of a channel that has moved, unless its points are even enough.
void renew_spacing(const MeanderState& state, MeanderChannel& channel) {
    if (!is_even(channel.line, wanted_spacing(state, channel))) return space_evenly(state, channel);
    channel.has_moved = false;
    find_mobility(state, channel);
}

}  // namespace

void space_evenly(MeanderState& state) {
    constexpr int kMostCrossings = 16;  // that are undone one after another
    constexpr std::int64_t kChannelsAtOnce = 4;
    find_rests(state);
    for (int i = 0; i == 0 || (i < kMostCrossings && uncross_at_nodes(state)); ++i)
        parallel_for(0, std::ssize(state.channels), kChannelsAtOnce,
                     [&](std::int64_t first, std::int64_t last) {
                         for (std::int64_t k = first; k < last; ++k) {
                             MeanderChannel& channel = state.channels[k];
                             const bool is_new = channel.mobility.size() != channel.line.size();
                             if (is_new)
                                 space_evenly(state, channel);
                             else if (channel.has_moved)
                                 renew_spacing(state, channel);
                         }
                     });
}

double displacement_limit(const MeanderState& state) {
    constexpr double kFastest =
        0.5;  // of k: half as much again as bends of w kappa = 1/2 at a sinuosity of 3
    constexpr double kMostOfFastest = 4.0;  // steps; more would hold those kinks back for longer
    double narrowest = std::numeric_limits<double>::infinity();
    for (const MeanderChannel& channel : state.channels)
        if (channel.width >= state.parameters.minimum_width)
            narrowest = std::min(narrowest, channel.width / std::max(1.0, channel.rate_factor));
    const MigrationParameters& law = state.parameters.migration;
    const double steps = kLongestDisplacement * narrowest / (kFastest * law.rate * law.time_step);
    const double of_step = kLongestDisplacement / std::floor(std::clamp(steps, 1.0, kMostOfFastest));
    return std::min(of_step, kLongestDisplacement - state.displacement);
}

bool needs_update(const MeanderState& state, double last_displacement) {
    return state.steps - state.steps_at_update >= kMostSteps ||
           state.displacement + last_displacement > kLongestDisplacement;
}

void update_network(MeanderState& state) {
    // Each capture makes a channel shorter; what is not done by then is in the next update.
    const std::size_t most_rounds = 16 + 2 * state.channels.size();
    CaptureCounts counts;
    bool is_captured = true;
    for (std::size_t round = 0; is_captured && round < most_rounds; ++round) {
        std::vector<ClosePair> pairs = close_pairs(lines_of(state.channels));
        const bool meet = std::ranges::any_of(
            pairs, [](const ClosePair& pair) { return pair.first.line != pair.second.line; });
        if (cut_off_bends(state, pairs) > 0 && meet) pairs = close_pairs(lines_of(state.channels));
        is_captured = meet && capture_channel(state, pairs, counts);
        space_evenly(state);
    }
    cut_walls(state);
    clear_vegetation(state);
    const double years =
        static_cast<double>(state.steps - state.steps_at_update) * state.parameters.migration.time_step;
    if (years > 0.0 && burst_banks(state, years)) space_evenly(state);
    if (years > 0.0 && cut_chutes(state, years)) space_evenly(state);
    state.steps_at_update = state.steps;
    state.displacement = 0.0;
}

}  // namespace thalweg
