#include "thalweg/meander/events/abandonment.hpp"

#include "thalweg/meander/network/channels.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {

namespace {

void record(MeanderState& state, AbandonedCourse left) {
    state.history.events.push_back({.year = left.year,
                                    .kind = left.cause,
                                    .reach = left.reach,
                                    .x = left.line.x.front(),
                                    .y = left.line.y.front(),
                                    .course = left.id});
    state.history.courses.push_back(std::move(left));
}

}  // namespace

void leave_course(MeanderState& state, Oxbow left, MeanderEventKind cause) {
    record(state, {.id = left.id,
                   .reach = left.reach,
                   .year = state.year(),
                   .cause = cause,
                   .line = line_of(left.points, std::move(left.values))});
}

void leave_course(MeanderState& state, std::size_t channel, std::size_t first, std::size_t last,
                  MeanderEventKind cause) {
    Reach& reach = state.network.reaches[channel];
    record(state, {.id = child_id(reach.id, ++reach.children),
                   .reach = reach.id,
                   .year = state.year(),
                   .cause = cause,
                   .line = part_of(state.channels[channel].line, first, last)});
}

ReachInflow from_the_sides(const Reach& reach, const PointValues& values) {
    const double gained = static_cast<double>(values.discharge.back()) - values.discharge.front();
    const double whole = reach.discharge;
    return {.discharge = gained, .upland_area = whole > 0.0 ? reach.upland_area * gained / whole : 0.0};
}

void add(ReachInflow& sum, const ReachInflow& more) {
    sum.discharge += more.discharge;
    sum.upland_area += more.upland_area;
}

ReachInflow redirect(MeanderState& state, const Reach& reach, std::size_t end, std::int64_t node,
                     MeanderEventKind cause) {
    Oxbow left = redirect_reach(state.network, reach.id, end, node);
    const ReachInflow sides = from_the_sides(reach, left.values);
    leave_course(state, std::move(left), cause);
    return sides;
}

ReachInflow abandon_dry_reaches(MeanderState& state, std::int64_t node, std::int64_t mouth, ReachInflow came,
                                MeanderEventKind cause) {
    RiverNetwork& network = state.network;
    ReachInflow sides;
    while (node != mouth &&
           std::ranges::find(network.reaches, node, &Reach::to_node) == network.reaches.end()) {
        const auto dry = std::ranges::find(network.reaches, node, &Reach::from_node);
        if (dry == network.reaches.end()) break;
        const ReachInflow leaves{.discharge = dry->values.discharge.back(), .upland_area = dry->upland_area};
        add(sides, {.discharge = leaves.discharge - came.discharge,
                    .upland_area = leaves.upland_area - came.upland_area});
        came = leaves;
        Oxbow left{.id = dry->id, .reach = dry->id, .points = dry->points, .values = dry->values};
        const std::int64_t next = dry->to_node;
        remove_reach(network, dry->id);
        leave_course(state, std::move(left), cause);
        node = next;
    }
    return sides;
}

void add_below(const RiverNetwork& network, std::int64_t node, std::int64_t above, const ReachInflow& more,
               ReachInflows& inflows) {
    auto taking = std::ranges::find(network.reaches, node, &Reach::from_node);
    if (taking == network.reaches.end()) taking = std::ranges::find(network.reaches, above, &Reach::id);
    if (taking == network.reaches.end()) taking = std::ranges::find(network.reaches, node, &Reach::to_node);
    if (taking == network.reaches.end()) return;
    ReachInflow& before = inflows[taking->id];
    before.discharge -= more.discharge;
    before.upland_area -= more.upland_area;
}

}  // namespace thalweg
