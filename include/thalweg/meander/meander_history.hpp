// What channels have left behind: courses of old, and what happened when and where.
#pragma once

#include "thalweg/meander/channel_line.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// What happens to a network of wandering channels at once.
enum class MeanderEventKind {
    Cutoff,    // a bend meets itself, and is left as an oxbow
    Crevasse,  // a bank bursts, and a lobe of sediment is left
    Avulsion,  // water leaves its course for a new one, to a place further down
    Capture,   // a channel meets another one, and flows into it
    Chute      // a flood cuts through the inside of a bend, before its neck closes
};

/// `course` is the id of what was left (AbandonedCourse), or -1.
struct MeanderEvent {
    double year = 0.0;
    MeanderEventKind kind = MeanderEventKind::Cutoff;
    std::int64_t reach = 0;  // id
    double x = 0.0;          // m
    double y = 0.0;          // m
    std::int64_t course = -1;

    bool operator==(const MeanderEvent&) const = default;
};

/// A stretch of channel that was left, downstream as it ran, both ends on what is left of its river.
struct AbandonedCourse {
    std::int64_t id = 0;     // a child of the reach (river/network_edits.hpp)
    std::int64_t reach = 0;  // id
    double year = 0.0;
    MeanderEventKind cause = MeanderEventKind::Cutoff;
    ChannelLine line;

    bool operator==(const AbandonedCourse&) const = default;
};

/// The course of a channel in a year, single precision from the history's origin.
struct RecordedChannel {
    std::int64_t reach = 0;    // id
    std::vector<float> x;      // m, from the origin
    std::vector<float> y;      // m, from the origin
    std::vector<float> width;  // m

    bool operator==(const RecordedChannel&) const = default;
};

/// All channels in a year.
struct RecordedNetwork {
    double year = 0.0;
    std::vector<RecordedChannel> channels;

    bool operator==(const RecordedNetwork&) const = default;
};

/// D = {N(t)} of Paris et al. 2023, section 3.2: networks in the order of their years, 12 bytes a point, and
/// what happened between them.
struct MeanderHistory {
    double origin_x = 0.0;  // m
    double origin_y = 0.0;  // m
    std::vector<RecordedNetwork> networks;
    std::vector<AbandonedCourse> courses;  // in the order of their years
    std::vector<MeanderEvent> events;      // likewise

    bool operator==(const MeanderHistory&) const = default;
};

}  // namespace thalweg
