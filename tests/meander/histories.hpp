// Histories that tests of maps and metrics begin with.
#pragma once

#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/river/network_checks.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "tests/meander/lines.hpp"

namespace thalweg {

inline RecordedChannel recorded(const ChannelLine& line, std::int64_t reach = 1) {
    RecordedChannel channel{.reach = reach, .x = {}, .y = {}, .width = line.values.width};
    for (std::size_t i = 0; i < line.size(); ++i) {
        channel.x.push_back(static_cast<float>(line.x[i]));
        channel.y.push_back(static_cast<float>(line.y[i]));
    }
    return channel;
}

/// `line_at(year)`, recorded every `interval` years from 0 to `end`.
inline MeanderHistory history_of(const std::function<ChannelLine(double year)>& line_at, double interval,
                                 double end) {
    MeanderHistory history;
    for (int i = 0; i * interval <= end + 1e-9; ++i)
        history.networks.push_back({.year = i * interval, .channels = {recorded(line_at(i * interval))}});
    return history;
}

/// From west to east at `y`.
inline ChannelLine straight_line(double length, double y, double width) {
    ChannelLine line = sine_line(length, 0.5 * width, length, 0.0, width);
    for (double& place : line.y) place = y;
    return line;
}

/// A straight channel that moves north by `speed` m a year.
inline MeanderHistory moving_channel(double speed, double interval, double end, double width = 100.0) {
    return history_of([&](double year) { return straight_line(4000.0, speed * year, width); }, interval, end);
}

/// A reach of a network from one place to another, straight.
inline Reach straight_reach(std::int64_t id, std::array<double, 4> ends, std::array<std::int64_t, 2> nodes,
                            std::int64_t next_down, double width) {
    ChannelLine line = sine_line(std::hypot(ends[2] - ends[0], ends[3] - ends[1]), 100.0, 1e4, 0.0, width);
    const auto last = static_cast<double>(line.size() - 1);
    for (std::size_t i = 0; i < line.size(); ++i) {
        const double share = static_cast<double>(i) / last;
        line.x[i] = ends[0] + share * (ends[2] - ends[0]);
        line.y[i] = ends[1] + share * (ends[3] - ends[1]);
        line.z[i] = -0.001 * line.x[i];
    }
    Reach reach{.id = id, .next_down = next_down, .from_node = nodes[0], .to_node = nodes[1]};
    reach.points = points_of(line);
    reach.values = line.values;
    reach.discharge = 100.0;
    reach.width = width;
    reach.depth = line.values.depth.front();
    reach.length = length_of(line);
    return reach;
}

/// What a simulation of a network records every `interval` years for `years`.
inline MeanderHistory simulated_history(const std::vector<Reach>& reaches, double years, double interval) {
    RiverNetwork network;
    network.reaches = reaches;
    network.nodes = nodes_at_ends(network.reaches);
    MeanderSimulation simulation(network, {}, std::nullopt, 3);
    QuietProgress progress;
    simulation.record();
    for (double next = interval; simulation.year() < years;) {
        simulation.step(progress);
        if (simulation.year() < next) continue;
        simulation.record();
        next += interval;
    }
    return simulation.history();
}

/// Of one channel.
inline MeanderHistory simulated_history(double length, double width, double years, double interval) {
    return simulated_history({straight_reach(1, {0.0, 0.0, length, 0.0}, {1, 2}, -1, width)}, years,
                             interval);
}

/// Of two rivers that join, beside a third one that they meet.
inline MeanderHistory simulated_network(double years, double interval) {
    return simulated_history({straight_reach(1, {0.0, 900.0, 5000.0, 0.0}, {1, 3}, 3, 60.0),
                              straight_reach(2, {0.0, -900.0, 5000.0, 0.0}, {2, 3}, 3, 50.0),
                              straight_reach(3, {5000.0, 0.0, 10000.0, 0.0}, {3, 4}, -1, 80.0),
                              straight_reach(4, {300.0, 1600.0, 10000.0, 900.0}, {5, 6}, -1, 40.0)},
                             years, interval);
}

}  // namespace thalweg
