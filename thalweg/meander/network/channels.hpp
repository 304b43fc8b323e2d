// Channels and the reaches that they are.
#pragma once

#include "thalweg/meander/channel/line_edits.hpp"
#include "thalweg/meander/meander_state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Writes a channel's line and values into its reach, before an edit.
void write_back(MeanderState& state, std::size_t channel);

/// After an edit: a channel for each reach, those of `edited` ids anew from their reaches.
void renew_channels(MeanderState& state, const std::vector<std::int64_t>& edited);

/// The network with all lines as they are now, measured.
RiverNetwork present_network(const MeanderState& state);

/// The lines of all channels.
std::vector<const ChannelLine*> lines_of(const std::vector<MeanderChannel>& channels);

/// Points with what they carry, as a line.
ChannelLine line_of(std::span<const RiverPoint> points, PointValues values);

}  // namespace thalweg
