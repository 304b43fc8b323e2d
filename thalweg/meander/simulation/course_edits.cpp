#include "thalweg/core/error.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/events/regional_avulsions.hpp"
#include "thalweg/meander/meander_edits.hpp"
#include "thalweg/meander/simulation/settling.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <string>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// The channel near a place, or else the place. Throws Error::input where the water would come round.
CourseTarget target_at(const MeanderState& state, const ChannelPoint& from, Position target) {
    const NearestChannel mouth = nearest_channel(state, target);
    const double width = state.channels[mouth.at.channel].line.values.width[mouth.at.point];
    const double own = state.channels[from.channel].line.values.width[from.point];
    if (mouth.distance > kNearNode * width + own) return {.place = target};
    const MeanderChannel& channel = state.channels[from.channel];
    const double spacing = length_of(channel.line) / static_cast<double>(channel.line.size() - 1);
    const auto between = static_cast<std::size_t>(least_points_between(own, spacing));
    const bool comes_round = mouth.at.channel == from.channel
                                 ? mouth.at.point < from.point + between
                                 : ReachGraph(state.network.reaches)
                                       .flows_into(static_cast<std::int64_t>(mouth.at.channel),
                                                   static_cast<std::int64_t>(from.channel));
    if (comes_round)
        throw Error::input(fmt::format("reach {} can't run to ({}, {}): its water comes from there",
                                       channel.reach, target.x, target.y));
    return {.mouth = mouth.at};
}

std::string why_not(CourseOutcome outcome, const MeanderParameters& parameters) {
    switch (outcome) {
        case CourseOutcome::TooDeep:
            return fmt::format(
                "its bed would lie more than avulsion_depth = {} m below the ground, besides its "
                "depth",
                parameters.avulsion_depth);
        case CourseOutcome::Meets:
            return "the new course would meet a channel on the way: give places with free ground between "
                   "them";
        case CourseOutcome::NoWay:
        case CourseOutcome::Taken:
            break;
    }
    return fmt::format(
        "there is no way that leads downhill around other channels and cuts at most "
        "avulsion_depth = {} m deep",
        parameters.avulsion_depth);
}

}  // namespace

void avulse_channel(MeanderState& state, std::int64_t reach, Position place, Position target) {
    check_place(place, "the place where the bank bursts");
    check_place(target, "the target of the new course");
    const std::size_t channel = place_of_channel(state, reach);
    const ChannelLine& line = state.channels[channel].line;
    const ChannelPoint from{.channel = channel, .point = nearest_point(line, place).point};
    if (from.point == 0 || from.point + 1 == line.size())
        throw Error::input(
            fmt::format("reach {} can't leave its course at ({}, {}), its end: give a place between "
                        "its ends",
                        reach, place.x, place.y));
    const CourseOutcome outcome = avulse_to(state, from, target_at(state, from, target));
    if (outcome != CourseOutcome::Taken)
        throw Error::input(fmt::format("reach {} can't be led from ({}, {}) to ({}, {}): {}", reach, place.x,
                                       place.y, target.x, target.y, why_not(outcome, state.parameters)));
    settle(state);
}

}  // namespace thalweg
