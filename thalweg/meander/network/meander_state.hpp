// All that a simulation of wandering rivers holds.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/meander/channel/channel_migration.hpp"
#include "thalweg/meander/channel/line_edits.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_parameters.hpp"
#include "thalweg/river/network.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace thalweg {

/// A reach under way.
struct Channel {
    std::int64_t reach = 0;  // id
    ChannelLine line;
    std::vector<float> mobility;  // of each point, in [0, 1]
    double width = 0.0;           // m, mean
    double inflow = 0.0;          // J at the head, m/yr
    double outflow = 0.0;         // J at the end, m/yr
    double head_rest = 0.0;       // m, along the line from its head, within which it migrates less
    double end_rest = 0.0;        // m, from its end
    bool has_moved = false;       // since points were last spaced evenly
    StabilisingTerms terms;
};

struct MeanderState {
    MeanderParameters parameters;
    std::uint64_t seed = 0;
    std::optional<Field<float>> elevation;  // m
    RiverNetwork network;                   // lines and values of reaches are those of their last edit
    std::vector<Channel> channels;          // in the order of the network's reaches
    std::int64_t steps = 0;
    std::int64_t steps_to_upkeep = 0;
    MeanderHistory history;
    std::vector<ChannelMigration> migrations;  // what each piece of work works with; nothing depends on it

    [[nodiscard]] double year() const { return static_cast<double>(steps) * parameters.migration.time_step; }
};

/// Writes a channel's line and values into its reach, before an edit.
void write_back(MeanderState& state, std::size_t channel);

/// After an edit: a channel for each reach, those of `edited` ids anew from their reaches.
void renew_channels(MeanderState& state, const std::vector<std::int64_t>& edited);

/// The network with all lines as they are now, measured.
RiverNetwork present_network(const MeanderState& state);

/// The lines of all channels.
std::vector<const ChannelLine*> lines_of(const std::vector<Channel>& channels);

/// Points with what they carry, as a line.
ChannelLine line_of(std::span<const RiverPoint> points, PointValues values);

}  // namespace thalweg
