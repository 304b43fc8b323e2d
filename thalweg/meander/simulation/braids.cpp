#include "thalweg/meander/simulation/braids.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/meander/branches/bifurcations.hpp"
#include "thalweg/meander/branches/braid_criterion.hpp"
#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/branches/branch_lines.hpp"
#include "thalweg/meander/branches/branch_meetings.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/simulation/branch_migration.hpp"
#include "thalweg/meander/simulation/mobility.hpp"
#include "thalweg/river/network_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace thalweg {
namespace {

BraidForm form_of(const MeanderState& state, std::size_t place) {
    return braid_form(state.channels[place].line, state.network.reaches[place].bankfull_discharge,
                      state.parameters);
}

/// One branch with all water, along the line of the channel.
void begin_along_axis(MeanderState& state, std::size_t place) {
    MeanderChannel& channel = state.channels[place];
    Reach& reach = state.network.reaches[place];
    channel.braid = {};
    channel.braid.channels.push_back({.id = child_id(reach.id, ++reach.children), .line = channel.line});
}

/// Whether the ends of the axis are no longer where the braid begins and ends.
bool is_moved(const MeanderChannel& channel) {
    constexpr double kSamePlace = 1e-3;  // m
    const auto is_at = [&](std::int32_t RiverBranch::* node, std::int32_t number, bool head) {
        const auto found = std::ranges::find(channel.braid.channels, number, node);
        if (found == channel.braid.channels.end()) return false;
        const ChannelLine& line = found->line;
        const double dx =
            head ? line.x.front() - channel.line.x.front() : line.x.back() - channel.line.x.back();
        const double dy =
            head ? line.y.front() - channel.line.y.front() : line.y.back() - channel.line.y.back();
        return std::hypot(dx, dy) < kSamePlace;
    };
    return !is_at(&RiverBranch::from, kHeadNode, true) || !is_at(&RiverBranch::to, kEndNode, false);
}

/// Lets the weights of branches that part at one node wander: by draws of every five years, and to the
/// straighter way.
void shift_water(const MeanderState& state, MeanderChannel& channel) {
    constexpr double kPeriod = 5.0;    // yr (empirical)
    constexpr double kWander = 0.8;    // of a weight in a period, at most (empirical)
    constexpr double kShortcut = 0.5;  // of a weight in a period, for a branch twice as long as its chord
    constexpr std::uint64_t kWaterDraw = 41;
    const double periods = state.parameters.migration.time_step / kPeriod;
    const auto period = static_cast<std::uint64_t>(state.year() / kPeriod);
    for (RiverBranch& branch : channel.braid.channels) {
        const double draw = unit_double(random_bits(
            state.seed, Stream::Meander, static_cast<std::uint64_t>(branch.id), period, kWaterDraw));
        const double detour = 1.0 - 1.0 / sinuosity_of(branch.line);
        const double change = periods * (kWander * (2.0 * draw - 1.0) - 2.0 * kShortcut * detour);
        branch.weight *= std::max(0.5, 1.0 + change);
    }
    share_water(channel.braid);
}

/// Leaves branches that take too little water, the smallest first.
void leave_small_branches(MeanderState& state, std::size_t place) {
    RiverBranches& braid = state.channels[place].braid;
    for (;;) {
        std::optional<std::size_t> smallest;
        for (std::size_t i = 0; i < braid.channels.size(); ++i)
            if (braid.channels[i].share < state.parameters.least_branch_share && can_be_left(braid, i) &&
                (!smallest || braid.channels[i].share < braid.channels[*smallest].share))
                smallest = i;
        if (!smallest) return;
        record_left(state, place, leave_branch(braid, *smallest), MeanderEventKind::Closure);
        merge_branches(braid);
        share_water(braid);
    }
}

/// Leaves branches that cross other channels. Returns false where that leaves no way for the water.
bool leave_crossing_branches(MeanderState& state, std::size_t place) {
    RiverBranches& braid = state.channels[place].braid;
    const std::vector<const ChannelLine*> others = other_lines(state, place);
    for (;;) {
        std::vector<const ChannelLine*> lines = lines_of(braid);
        const auto own = static_cast<std::int32_t>(lines.size());
        lines.insert(lines.end(), others.begin(), others.end());
        const std::vector<LineCrossing> crossings = crossings_of(lines);
        const auto found = std::ranges::find_if(
            crossings, [&](const LineCrossing& crossing) { return crossing.first.line < own; });
        if (found == crossings.end()) return true;
        const auto crossing = static_cast<std::size_t>(found->first.line);
        if (!can_be_left(braid, crossing)) return false;
        record_left(state, place, leave_branch(braid, crossing), MeanderEventKind::Closure);
        merge_branches(braid);
        share_water(braid);
    }
}

void step_braid(MeanderState& state, std::size_t place, ChannelMigration& migration) {
    MeanderChannel& channel = state.channels[place];
    const BraidForm form = form_of(state, place);
    migrate_branches(state, place, migration);
    shift_water(state, channel);
    const AxisLine axis = channel.line;
    const auto set_all = [&] {
        for (RiverBranch& branch : channel.braid.channels) set_values(branch, axis);
    };
    set_all();
    bool is_sound = join_branches(state, place, channel.braid);
    leave_small_branches(state, place);
    set_all();
    is_sound = is_sound && leave_crossing_branches(state, place);
    if (!is_sound) begin_along_axis(state, place);
    set_all();
    part_branches(state, place, form.channels, state.parameters.migration.time_step);
    set_all();
}

}  // namespace

void begin_braids(MeanderState& state) {
    if (state.parameters.braiding == Braiding::None) {
        for (MeanderChannel& channel : state.channels) channel.braid = {};
        return;
    }
    for (std::size_t place = 0; place < state.channels.size(); ++place) {
        MeanderChannel& channel = state.channels[place];
        const bool braids = !channel.braid.empty();
        const bool shall = channel.width >= state.parameters.minimum_width &&
                           shall_braid(form_of(state, place), state.parameters.braiding, braids);
        if (!shall && braids) channel.braid = {};
        if (shall && (!braids || is_moved(channel))) begin_along_axis(state, place);
        if (shall != braids) find_mobility(state, channel);
    }
}

void step_braids(MeanderState& state) {
    if (state.parameters.braiding == Braiding::None) return;
    ChannelMigration migration(state.parameters.migration);
    constexpr double kLimit = 0.3;  // widths a step
    migration.limit_displacement(kLimit);
    for (std::size_t place = 0; place < state.channels.size(); ++place)
        if (!state.channels[place].braid.empty()) step_braid(state, place, migration);
}

}  // namespace thalweg
