#include "thalweg/meander/branches/branch_lines.hpp"

#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/channel_line.hpp"
#include "thalweg/river/hydraulics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

double squared_distance(const ChannelLine& axis, std::size_t i, double x, double y) {
    const double dx = axis.x[i] - x;
    const double dy = axis.y[i] - y;
    return dx * dx + dy * dy;
}

}  // namespace

AxisLine::AxisLine(const ChannelLine& axis) : line(axis) {
    double squared = 0.0;
    for (std::size_t i = 0; i + 1 < axis.size(); ++i)
        squared = std::max(squared, squared_distance(axis, i, axis.x[i + 1], axis.y[i + 1]));
    longest_segment = std::sqrt(squared);
}

std::size_t nearest_point_of(const AxisLine& axis, double x, double y) {
    constexpr std::size_t kStride = 32;      // (empirical)
    constexpr double kShorter = 1.0 - 1e-9;  // for rounding
    const auto distance_to = [&](std::size_t i) { return std::sqrt(squared_distance(axis.line, i, x, y)); };
    // A bound from a few points, so that the others are passed in long steps.
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < axis.line.size(); i += kStride) least = std::min(least, distance_to(i));
    std::size_t nearest = axis.line.size();
    for (std::size_t i = 0; i < axis.line.size();) {
        const double distance = distance_to(i);
        if (distance < least || (distance == least && nearest == axis.line.size())) {
            least = distance;
            nearest = i;
        }
        const double left_out = kShorter * (distance - least) / axis.longest_segment;
        i += left_out > 1.0 ? static_cast<std::size_t>(std::min(left_out, 1e9)) : 1;
    }
    return nearest;
}

std::vector<std::size_t> stations_of(const ChannelLine& line, const AxisLine& along) {
    const ChannelLine& axis = along.line;
    constexpr std::size_t kBeside = 6;  // points of the axis, from those of the point before
    std::vector<std::size_t> stations(line.size());
    stations.front() = nearest_point_of(along, line.x.front(), line.y.front());
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        const std::size_t before = stations[i - 1];
        const std::size_t first = before > kBeside ? before - kBeside : 0;
        const std::size_t last = std::min(before + kBeside, axis.size() - 1);
        std::size_t nearest = before;
        double least = squared_distance(axis, before, line.x[i], line.y[i]);
        for (std::size_t k = first; k <= last; ++k) {
            const double squared = squared_distance(axis, k, line.x[i], line.y[i]);
            if (squared >= least) continue;
            least = squared;
            nearest = k;
        }
        stations[i] = nearest;
    }
    stations.back() = nearest_point_of(along, line.x.back(), line.y.back());
    return stations;
}

void set_values(RiverBranch& branch, const AxisLine& along) {
    const ChannelLine& axis = along.line;
    ChannelLine& line = branch.line;
    const std::vector<std::size_t> stations = stations_of(line, along);
    const double narrowing = std::sqrt(branch.share);
    const double shallowing = depth_of_width(narrowing) / depth_of_width(1.0);
    PointValues& values = line.values;
    line.z.resize(line.size());
    values.width.resize(line.size());
    values.depth.resize(line.size());
    values.discharge.resize(line.size());
    double bed = axis.z[stations.front()];
    const double end = std::min(bed, axis.z[stations.back()]);
    for (std::size_t i = 0; i < line.size(); ++i) {
        const std::size_t at = stations[i];
        bed = std::max(end, std::min(bed, axis.z[at]));
        line.z[i] = bed;
        values.width[i] = static_cast<float>(axis.values.width[at] * narrowing);
        values.depth[i] = static_cast<float>(axis.values.depth[at] * shallowing);
        values.discharge[i] = static_cast<float>(axis.values.discharge[at] * branch.share);
    }
    line.z.back() = end;
}

void move_end(ChannelLine& line, bool is_head, Position place) {
    constexpr double kAlong = 6.0;  // widths that follow
    const std::size_t end = is_head ? 0 : line.size() - 1;
    const double dx = place.x - line.x[end];
    const double dy = place.y - line.y[end];
    if (dx == 0.0 && dy == 0.0) return;
    const double limit = std::min(kAlong * line.values.width[end], 0.5 * length_of(line));
    double along = 0.0;
    for (std::size_t k = 0; k + 1 < line.size() && along < limit; ++k) {
        const std::size_t i = is_head ? k : line.size() - 1 - k;
        const std::size_t next = is_head ? i + 1 : i - 1;
        const double step = std::hypot(line.x[next] - line.x[i], line.y[next] - line.y[i]);
        const double weight = (1.0 - along / limit) * (1.0 - along / limit);
        line.x[i] += weight * dx;
        line.y[i] += weight * dy;
        along += step;
    }
    line.x[end] = place.x;
    line.y[end] = place.y;
}

bool contract_short_branch(RiverBranches& branches) {
    std::vector<RiverBranch>& channels = branches.channels;
    const auto is_short = [](const RiverBranch& branch) {
        return !(length_of(branch.line) >= branch.line.values.width[branch.line.size() / 2]);
    };
    const auto found = std::ranges::find_if(channels, is_short);
    if (found == channels.end() || (found->from == kHeadNode && found->to == kEndNode)) return false;
    const RiverBranch link = std::move(*found);
    channels.erase(found);
    if (flows_to(branches, link.from, link.to)) {
        // Its water goes the other way; what it alone fed is gone with it.
        leave_dry_branches(branches);
        share_water(branches);
        return true;
    }
    const bool stays_at_end = link.to == kEndNode;
    const std::int32_t kept = stays_at_end ? link.to : link.from;
    const std::int32_t gone = stays_at_end ? link.from : link.to;
    const Position place{.x = stays_at_end ? link.line.x.back() : link.line.x.front(),
                         .y = stays_at_end ? link.line.y.back() : link.line.y.front()};
    for (RiverBranch& branch : channels) {
        if (branch.from == gone) move_end(branch.line, true, place);
        if (branch.to == gone) move_end(branch.line, false, place);
        if (branch.from == gone) branch.from = kept;
        if (branch.to == gone) branch.to = kept;
        if (branch.from == kept) branch.weight = branch.share;
    }
    share_water(branches);
    return true;
}

double branch_spacing(const ChannelLine& axis) {
    constexpr double kSmallBranch = 1.0 / 3.0;  // of the river's width: one of a ninth of the water
    return channel_spacing(kSmallBranch * axis.values.width[axis.size() / 2]);
}

std::vector<const ChannelLine*> lines_of(const RiverBranches& branches) {
    std::vector<const ChannelLine*> lines;
    for (const RiverBranch& branch : branches.channels) lines.push_back(&branch.line);
    return lines;
}

std::vector<const ChannelLine*> other_lines(const MeanderState& state, std::size_t place) {
    std::vector<const ChannelLine*> lines;
    for (std::size_t i = 0; i < state.channels.size(); ++i) {
        if (i == place) continue;
        const MeanderChannel& channel = state.channels[i];
        if (channel.braid.empty()) lines.push_back(&channel.line);
        for (const RiverBranches* branches : {&channel.braid, &channel.delta})
            for (const RiverBranch& branch : branches->channels) lines.push_back(&branch.line);
    }
    return lines;
}

std::vector<const ChannelLine*> wet_lines(const MeanderState& state) {
    return other_lines(state, state.channels.size());
}

std::vector<int> channels_beside(const RiverBranches& branches, const AxisLine& axis) {
    std::vector<int> count(axis.line.size(), 0);
    for (const RiverBranch& branch : branches.channels) {
        const std::vector<std::size_t> stations = stations_of(branch.line, axis);
        const auto [first, last] = std::ranges::minmax_element(stations);
        for (std::size_t k = *first; k < std::max(*first + 1, *last); ++k) ++count[k];
    }
    return count;
}

}  // namespace thalweg
