#include "thalweg/core/error.hpp"
#include "thalweg/grid/strokes.hpp"
#include "thalweg/meander/events/abandonment.hpp"
#include "thalweg/meander/meander_edits.hpp"
#include "thalweg/meander/simulation/network_update.hpp"
#include "thalweg/meander/simulation/settling.hpp"
#include "thalweg/river/hydraulics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// Length along a line from its head to each of its points, m.
std::vector<double> lengths_of(const ChannelLine& line) {
    std::vector<double> lengths = {0.0};
    for (std::size_t i = 1; i < line.size(); ++i)
        lengths.push_back(lengths.back() + std::hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]));
    return lengths;
}

void set_even_beds(ChannelLine& line, double head, double end) {
    const std::vector<double> lengths = lengths_of(line);
    for (std::size_t i = 0; i < line.size(); ++i)
        line.z[i] = head + (end - head) * lengths[i] / lengths.back();
    line.z.back() = end;
}

/// The value of a column at a share of the line's length.
float value_at(const std::vector<float>& column, const std::vector<double>& lengths, double share) {
    const double at = share * lengths.back();
    const auto next = std::ranges::upper_bound(lengths, at) - lengths.begin();
    const auto last = std::ssize(lengths) - 1;
    if (next > last) return column.back();
    const double part = (at - lengths[next - 1]) / (lengths[next] - lengths[next - 1]);
    return static_cast<float>(column[next - 1] + part * (column[next] - column[next - 1]));
}

/// A line through places between the ends of another, whose values it has at the same shares of its length.
ChannelLine redrawn(const ChannelLine& before, std::span<const Position> points) {
    const Position head{.x = before.x.front(), .y = before.y.front()};
    const Position end{.x = before.x.back(), .y = before.y.back()};
    ChannelLine line;
    const auto add = [&](Position place) {
        line.x.push_back(place.x);
        line.y.push_back(place.y);
    };
    const auto apart = [](Position a, Position b) { return std::hypot(a.x - b.x, a.y - b.y); };
    add(head);
    for (const Position& place : points) {
        const bool is_at_end = apart(place, head) < before.values.width.front() ||
                               apart(place, end) < before.values.width.back();
        if (!is_at_end && (place.x != line.x.back() || place.y != line.y.back())) add(place);
    }
    add(end);
    line.z.resize(line.size());
    set_even_beds(line, before.z.front(), before.z.back());
    const std::vector<double> now = lengths_of(line);
    const std::vector<double> then = lengths_of(before);
    for (const double length : now) {
        const double share = length / now.back();
        line.values.width.push_back(value_at(before.values.width, then, share));
        line.values.depth.push_back(value_at(before.values.depth, then, share));
        line.values.discharge.push_back(value_at(before.values.discharge, then, share));
    }
    return line;
}

}  // namespace

void move_point(MeanderState& state, std::int64_t reach, Position from, Position to, double reach_along) {
    check_place(from, "the place of the point");
    check_place(to, "the place to move to");
    MeanderChannel& channel = state.channels[place_of_channel(state, reach)];
    ChannelLine& line = channel.line;
    const std::size_t moved = nearest_point(line, from).point;
    if (moved == 0 || moved + 1 == line.size())
        throw Error::input(
            fmt::format("the point of reach {} at ({}, {}) is its end, which stays: give one "
                        "between its ends",
                        reach, from.x, from.y));
    const std::vector<double> lengths = lengths_of(line);
    const double before = lengths[moved];
    const double after = lengths.back() - before;
    const double dx = to.x - line.x[moved];
    const double dy = to.y - line.y[moved];
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        const double limit = std::min(reach_along, i < moved ? before : after);
        const double weight = i == moved ? 1.0 : brush_weight(std::abs(lengths[i] - before), 0.0, limit);
        line.x[i] += weight * dx;
        line.y[i] += weight * dy;
    }
    channel.mobility.clear();
    settle(state);
}

void redraw_channel(MeanderState& state, std::int64_t reach, std::span<const Position> points) {
    if (points.empty())
        throw Error::input(fmt::format("reach {} can't be redrawn along 0 points: give one or more", reach));
    for (const Position& place : points) check_place(place, "a point of the new line");
    MeanderChannel& channel = state.channels[place_of_channel(state, reach)];
    channel.line = redrawn(channel.line, points);
    channel.mobility.clear();
    settle(state);
}

void adjust_channel(MeanderState& state, std::int64_t reach, double width, double rate_factor) {
    constexpr double kMostRate = 10.0;
    constexpr double kMostWidth = 1e5;  // m
    if (!(rate_factor <= kMostRate))
        throw Error::input(fmt::format(
            "rate_factor = {} is not allowed: from 0 to {}, or below 0 to leave it", rate_factor, kMostRate));
    if (!(width >= 0.0 && width <= kMostWidth))
        throw Error::input(fmt::format("width = {} is not allowed: from 0 to {} m", width, kMostWidth));
    MeanderChannel& channel = state.channels[place_of_channel(state, reach)];
    if (rate_factor >= 0.0) channel.rate_factor = rate_factor;
    if (width > 0.0) {
        const double ratio = width / channel.width;
        for (float& value : channel.line.values.width) value *= static_cast<float>(ratio);
        const double deepening = depth_of_width(width) / depth_of_width(channel.width);
        for (float& value : channel.line.values.depth) value *= static_cast<float>(deepening);
    }
    channel.mobility.clear();
    settle(state);
}

void cut_off_channel(MeanderState& state, std::int64_t reach, Position a, Position b) {
    check_place(a, "the first place");
    check_place(b, "the second place");
    const std::size_t place = place_of_channel(state, reach);
    MeanderChannel& channel = state.channels[place];
    ChannelLine& line = channel.line;
    const auto [first, last] = std::minmax({nearest_point(line, a).point, nearest_point(line, b).point});
    if (last - first < 2)
        throw Error::input(
            fmt::format("reach {} can't be cut off between ({}, {}) and ({}, {}): give places "
                        "with points of its line between them",
                        reach, a.x, a.y, b.x, b.y));
    leave_course(state, place, first, last, MeanderEventKind::Cutoff);
    straighten(line, first, last);
    channel.mobility.clear();
    settle(state);
}

}  // namespace thalweg
