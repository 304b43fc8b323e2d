#include "thalweg/meander/simulation/branch_migration.hpp"

#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/branches/branch_lines.hpp"
#include "thalweg/meander/channel/line_edits.hpp"
#include "thalweg/meander/channel/loops.hpp"
#include "thalweg/meander/simulation/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace thalweg {
namespace {

constexpr double kBranchRest = 3.0;  // widths at the ends of branches that nothing goes on from

/// Branches that follow each other, each the largest that goes on from the one before.
using Thread = std::vector<std::size_t>;

/// The place of the largest branch that begins, or ends, at a node; -1 where none does.
std::ptrdiff_t largest_at(const RiverBranches& branches, std::int32_t node, std::int32_t RiverBranch::* end) {
    std::ptrdiff_t largest = -1;
    for (std::size_t i = 0; i < branches.channels.size(); ++i)
        if (branches.channels[i].*end == node &&
            (largest < 0 || branches.channels[i].share > branches.channels[largest].share))
            largest = static_cast<std::ptrdiff_t>(i);
    return largest;
}

std::vector<Thread> threads_of(const RiverBranches& branches) {
    const auto goes_on_from = [&](std::size_t i) {
        const std::int32_t node = branches.channels[i].from;
        const std::ptrdiff_t above = largest_at(branches, node, &RiverBranch::to);
        return above >= 0 && largest_at(branches, node, &RiverBranch::from) == static_cast<std::ptrdiff_t>(i);
    };
    std::vector<Thread> threads;
    for (std::size_t first = 0; first < branches.channels.size(); ++first) {
        if (goes_on_from(first)) continue;
        Thread& thread = threads.emplace_back(1, first);
        for (;;) {
            const RiverBranch& last = branches.channels[thread.back()];
            if (largest_at(branches, last.to, &RiverBranch::to) != static_cast<std::ptrdiff_t>(thread.back()))
                break;
            const std::ptrdiff_t next = largest_at(branches, last.to, &RiverBranch::from);
            if (next < 0) break;
            thread.push_back(static_cast<std::size_t>(next));
        }
    }
    return threads;
}

/// Leads points back that have left the braid's plain.
void keep_on_plain(ChannelLine& line, const ChannelLine& axis, double plain) {
    constexpr double kFastest = 0.2;  // widths a step
    const std::vector<std::size_t> stations = stations_of(line, axis);
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        const std::size_t at = stations[i];
        const double dx = line.x[i] - axis.x[at];
        const double dy = line.y[i] - axis.y[at];
        const double distance = std::hypot(dx, dy);
        const double width = line.values.width[i];
        const double beyond = distance - 0.5 * (plain * axis.values.width[at] - width);
        if (beyond <= 0.0) continue;
        const double back = std::min({beyond, kFastest * width, distance}) / distance;
        line.x[i] -= back * dx;
        line.y[i] -= back * dy;
    }
}

/// One thread as a channel, and where its branches begin on it.
struct ThreadChannel {
    MeanderChannel channel;
    std::vector<std::size_t> first;  // point of each branch, and the last point
};

ThreadChannel channel_of(const MeanderChannel& river, const Thread& thread) {
    ThreadChannel of;
    ChannelLine& line = of.channel.line;
    of.channel.reach = river.reach;
    of.channel.rate_factor = river.rate_factor;
    for (const std::size_t place : thread) {
        const ChannelLine& branch = river.braid.channels[place].line;
        if (!of.first.empty())  // the first point is the last one of the branch before
            for_each_column(line, line, [](auto& column, const auto&) { column.pop_back(); });
        of.first.push_back(line.size());
        for_each_column(line, branch, [](auto& column, const auto& more) {
            column.insert(column.end(), more.begin(), more.end());
        });
    }
    of.first.push_back(line.size() - 1);
    of.channel.width = std::accumulate(line.values.width.begin(), line.values.width.end(), 0.0) /
                       static_cast<double>(line.size());
    of.channel.head_rest = kBranchRest * line.values.width.front();
    of.channel.end_rest = kBranchRest * line.values.width.back();
    return of;
}

}  // namespace

void migrate_branches(MeanderState& state, std::size_t place, ChannelMigration& migration) {
    MeanderChannel& river = state.channels[place];
    std::unordered_map<std::int32_t, Position> nodes;  // that a thread goes through, after the step
    for (const Thread& thread : threads_of(river.braid)) {
        ThreadChannel moving = channel_of(river, thread);
        MeanderChannel& channel = moving.channel;
        const bool is_first = river.braid.channels[thread.front()].from == kHeadNode;
        channel.inflow = is_first ? river.inflow : 0.0;
        find_mobility(state, channel);
        migration.step(channel.line, channel.mobility, channel.inflow, state.parameters.migration.time_step,
                       {.x = channel.pull_x, .y = channel.pull_y});
        if (river.braid.channels[thread.back()].to == kEndNode) river.outflow = migration.outflow();
        keep_on_plain(channel.line, river.line, state.parameters.braid_plain);
        for (std::size_t k = 0; k < thread.size(); ++k) {
            RiverBranch& branch = river.braid.channels[thread[k]];
            branch.line = part_of(channel.line, moving.first[k], moving.first[k + 1]);
            if (k > 0) nodes[branch.from] = {.x = branch.line.x.front(), .y = branch.line.y.front()};
        }
    }
    for (RiverBranch& branch : river.braid.channels) {
        if (const auto node = nodes.find(branch.from); node != nodes.end())
            move_end(branch.line, true, node->second);
        if (const auto node = nodes.find(branch.to); node != nodes.end())
            move_end(branch.line, false, node->second);
    }
    while (contract_short_branch(river.braid)) {
    }
    const double spacing = branch_spacing(river.line);
    for (RiverBranch& branch : river.braid.channels) {
        do branch.line = resampled(branch.line, spacing);
        while (remove_loops(branch.line));
    }
}

}  // namespace thalweg
