// Histories that tests of maps and metrics begin with.
#pragma once

#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/river/network_checks.hpp"

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

/// What a simulation of one channel records every `interval` years for `years`.
inline MeanderHistory simulated_history(double length, double width, double years, double interval) {
    RiverNetwork network;
    Reach reach;
    reach.id = 1;
    reach.from_node = 1;
    reach.to_node = 2;
    const ChannelLine line = sine_line(length, 200.0, length, 0.0, width);
    reach.points = points_of(line);
    reach.values = line.values;
    reach.discharge = 100.0;
    reach.width = width;
    reach.depth = line.values.depth.front();
    reach.length = length;
    network.reaches = {reach};
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

}  // namespace thalweg
