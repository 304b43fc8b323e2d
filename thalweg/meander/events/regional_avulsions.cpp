#include "thalweg/meander/events/regional_avulsions.hpp"

#include "thalweg/grid/sampling.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/events/abandonment.hpp"
#include "thalweg/meander/events/avulsion_draws.hpp"
#include "thalweg/meander/network/bank_cuts.hpp"
#include "thalweg/meander/network/channels.hpp"
#include "thalweg/meander/network/junction_templates.hpp"
#include "thalweg/river/network_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

/// Places at most `spacing` m apart along a line of corners, which are among them to the last bit: a course
/// that ends beside a point of a channel crosses it there.
std::vector<Position> places_along(const std::vector<Position>& corners, double spacing) {
    std::vector<Position> places = {corners.front()};
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const double dx = corners[i].x - corners[i - 1].x;
        const double dy = corners[i].y - corners[i - 1].y;
        const double pieces = std::max(1.0, std::ceil(std::hypot(dx, dy) / spacing));
        for (double k = 1.0; k < pieces; ++k)
            places.push_back(
                {.x = corners[i - 1].x + dx * k / pieces, .y = corners[i - 1].y + dy * k / pieces});
        places.push_back(corners[i]);
    }
    return places;
}

/// The course that follows the way in even steps, after the channel's point and up to the end of the way.
std::vector<Position> followed(const MeanderState& state, const ChannelPoint& from,
                               const FoundCourse& found) {
    constexpr double kAhead = 4.0;  // widths
    constexpr double kMost = 2.0;   // of the way, that the course is long
    const MeanderChannel& channel = state.channels[from.channel];
    const double spacing = length_of(channel.line) / static_cast<double>(channel.line.size() - 1);
    const double ahead = kAhead * channel.line.values.width[from.point];
    const std::vector<Position> way = places_along(found.corners, spacing);
    const auto most = static_cast<std::size_t>(kMost * static_cast<double>(way.size())) + 1;
    std::vector<Position> course;
    Position at = way.front();
    std::size_t aim = 0;
    const auto distance_to = [&](Position place) { return std::hypot(place.x - at.x, place.y - at.y); };
    while (distance_to(way.back()) > 1.5 * spacing && course.size() < most) {
        while (aim + 1 < way.size() && distance_to(way[aim]) < ahead) ++aim;
        const double turn = wobble_at(state, channel.reach, from.point, course.size());
        const double distance = distance_to(way[aim]);
        const double x = (way[aim].x - at.x) / distance;
        const double y = (way[aim].y - at.y) / distance;
        at.x += spacing * (x * std::cos(turn) - y * std::sin(turn));
        at.y += spacing * (x * std::sin(turn) + y * std::cos(turn));
        course.push_back(at);
    }
    course.push_back(way.back());
    return course;
}

/// The course as a line of the channel's width and water, its bed on the ground less the depth where that
/// falls; even without terrain.
ChannelLine course_line(const MeanderState& state, const ChannelPoint& from, const FoundCourse& found) {
    const ChannelLine& line = state.channels[from.channel].line;
    const double depth = line.values.depth[from.point];
    const std::vector<Position> places = followed(state, from, found);
    const double end = found.bed;
    ChannelLine course;
    double bed = line.z[from.point];
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double share = static_cast<double>(i + 1) / static_cast<double>(places.size());
        const double below = state.elevation ? sample_bilinear(*state.elevation, places[i]) - depth
                                             : line.z[from.point] + share * (end - line.z[from.point]);
        if (below < bed) bed = std::max(below, end);
        if (i + 1 == places.size()) bed = end;
        course.x.push_back(places[i].x);
        course.y.push_back(places[i].y);
        course.z.push_back(bed);
    }
    course.values.width.assign(places.size(), line.values.width[from.point]);
    course.values.depth.assign(places.size(), line.values.depth[from.point]);
    course.values.discharge.assign(places.size(), line.values.discharge[from.point]);
    return course;
}

void append_line(ChannelLine& line, const ChannelLine& more) {
    for_each_column(line, more,
                    [](auto& column, const auto& of) { column.insert(column.end(), of.begin(), of.end()); });
}

/// The channel with its new course.
ChannelLine turned_line(const ChannelLine& line, const ChannelPoint& from, const FoundCourse& found,
                        const ChannelLine& course) {
    ChannelLine turned = part_of(line, 0, from.point);
    append_line(turned, course);
    const bool rejoins = found.mouth && found.mouth->channel == from.channel;
    if (rejoins && found.mouth->point + 1 < line.size())
        append_line(turned, part_of(line, found.mouth->point + 1, line.size() - 1));
    return turned;
}

bool is_too_deep(const MeanderState& state, const ChannelLine& course) {
    if (!state.elevation) return false;
    // The end is at the bed of another channel, or on the rim.
    for (std::size_t i = 0; i + 1 < course.size(); ++i) {
        const double ground = sample_bilinear(*state.elevation, {.x = course.x[i], .y = course.y[i]});
        const double bank = course.z[i] + course.values.depth[i];
        if (!(ground - bank <= state.parameters.avulsion_depth)) return true;
    }
    return false;
}

/// Where the new course comes to a channel.
class CourseMouth {
  public:
    CourseMouth(const MeanderState& state, const FoundCourse& found, double width) : state_(state) {
        if (!found.mouth) return;
        const MeanderChannel& channel = state.channels[found.mouth->channel];
        const double widest = std::max<double>(width, channel.line.values.width[found.mouth->point]);
        limit_ = std::max(kNearNode, kJunctionShare * state.parameters.migration.end_damping) * widest;
        place_ = {.x = channel.line.x[found.mouth->point], .y = channel.line.y[found.mouth->point]};
        node_ = node_near_point(state, *found.mouth, 0.0);
        channel_ = static_cast<std::int32_t>(found.mouth->channel);
    }

    /// Whether a point of another channel, and one of the new course, both belong to the junction.
    [[nodiscard]] bool holds(const LinePlace& other, double x, double y) const {
        if (channel_ < 0) return false;
        const Reach& reach = state_.network.reaches[other.line];
        const bool joins =
            other.line == channel_ || (node_ && (reach.from_node == *node_ || reach.to_node == *node_));
        const ChannelLine& line = state_.channels[other.line].line;
        return joins && std::hypot(x - place_.x, y - place_.y) < limit_ &&
               std::hypot(line.x[other.point] - place_.x, line.y[other.point] - place_.y) < limit_;
    }

  private:
    const MeanderState& state_;
    std::int32_t channel_ = -1;
    double limit_ = 0.0;  // m
    Position place_ = {};
    std::optional<std::int64_t> node_ = {};
};

/// Whether the points after `from.point` of the turned line, `count` of them, come near to a channel
/// elsewhere than at their mouth, or cross one.
bool meets_channels(const MeanderState& state, const ChannelPoint& from, const FoundCourse& found,
                    const ChannelLine& turned, std::size_t count) {
    std::vector<const ChannelLine*> lines = lines_of(state.channels);
    lines[from.channel] = &turned;
    const auto is_own = [&](const LinePlace& place) {
        return static_cast<std::size_t>(place.line) == from.channel;
    };
    const auto is_new = [&](const LinePlace& place, std::size_t first) {
        const auto point = static_cast<std::size_t>(place.point);
        return is_own(place) && point >= first && point <= from.point + count;
    };
    const CourseMouth mouth(state, found, turned.values.width[from.point]);
    const auto is_near = [&](const ClosePair& pair) {
        const bool first_is_new = is_new(pair.first, from.point + 1);
        if (!first_is_new && !is_new(pair.second, from.point + 1)) return false;
        if (is_own(pair.first) && is_own(pair.second)) return true;
        const LinePlace& own = first_is_new ? pair.first : pair.second;
        return !mouth.holds(first_is_new ? pair.second : pair.first, turned.x[own.point],
                            turned.y[own.point]);
    };
    const auto crosses = [&](const LineCrossing& crossing) {
        return is_new(crossing.first, from.point) || is_new(crossing.second, from.point);
    };
    return std::ranges::any_of(close_pairs(lines), is_near) ||
           std::ranges::any_of(crossings_of(lines), crosses);
}

Reach& reach_of_id(MeanderState& state, std::int64_t id) {
    return *std::ranges::find(state.network.reaches, id, &Reach::id);
}

void set_course(MeanderState& state, std::int64_t id, const ChannelLine& turned, std::size_t first) {
    Reach& reach = reach_of_id(state, id);
    reach.points = points_of(turned);
    reach.values = turned.values;
    const auto node = std::ranges::find(state.network.nodes, reach.to_node, &RiverNode::id);
    if (std::ranges::count(state.network.reaches, reach.to_node, &Reach::to_node) == 1)
        node->point = reach.points.back();
    renew_channels(state, {id});
    for (MeanderChannel& channel : state.channels)
        if (channel.reach == id) soften(channel.line, first);
}

/// The river runs into another channel, at a node there.
void lead_into_channel(MeanderState& state, const ChannelPoint& from, const ChannelPoint& mouth,
                       const ChannelLine& turned) {
    ReachInflows inflows = inflows_of(state);
    const std::int64_t id = state.channels[from.channel].reach;
    std::vector<std::int64_t> edited = {id};
    for (std::size_t i = 0; i < state.channels.size(); ++i) write_back(state, i);
    const std::int64_t node = node_at_point(state, mouth, 0.0, inflows, edited);
    const Reach before = reach_of_id(state, id);
    ReachInflow sides = redirect(state, before, from.point, node, MeanderEventKind::Avulsion);
    add(sides,
        abandon_dry_reaches(state, before.to_node, node,
                            {.discharge = before.values.discharge.back(), .upland_area = before.upland_area},
                            MeanderEventKind::Avulsion));
    add_below(state.network, node, id, sides, inflows);
    renew_channels(state, edited);
    set_course(state, id, turned, from.point);
    carry_flow(state, inflows);
    shape_junction(state, node);
    let_beds_fall(state);
    for (const std::int64_t at : {before.to_node, node}) merge_at(state, at);
}

/// The river runs to an outlet of its own.
void lead_to_outlet(MeanderState& state, const ChannelPoint& from, const ChannelLine& turned) {
    ReachInflows inflows = inflows_of(state);
    const std::int64_t id = state.channels[from.channel].reach;
    for (std::size_t i = 0; i < state.channels.size(); ++i) write_back(state, i);
    const Reach before = reach_of_id(state, id);
    const std::int64_t lower = split_reach(state.network, id, from.point);
    Oxbow left{.id = lower, .reach = id, .points = {}, .values = reach_of_id(state, lower).values};
    left.points = reach_of_id(state, lower).points;
    ReachInflow sides = from_the_sides(before, left.values);
    remove_reach(state.network, lower);
    leave_course(state, std::move(left), MeanderEventKind::Avulsion);
    add(sides,
        abandon_dry_reaches(state, before.to_node, lower,
                            {.discharge = before.values.discharge.back(), .upland_area = before.upland_area},
                            MeanderEventKind::Avulsion));
    add_below(state.network, lower, id, sides, inflows);
    set_course(state, id, turned, from.point);
    carry_flow(state, inflows);
    let_beds_fall(state);
    merge_at(state, before.to_node);
}

/// The river comes back to its own course further down.
void rejoin(MeanderState& state, const ChannelPoint& from, std::size_t last, ChannelLine turned) {
    MeanderChannel& channel = state.channels[from.channel];
    leave_course(state, from.channel, from.point, last, MeanderEventKind::Avulsion);
    const std::size_t end = from.point + turned.size() - (channel.line.size() - (last - from.point));
    channel.line = std::move(turned);
    soften(channel.line, from.point);
    soften(channel.line, end);
    channel.mobility.clear();
}

}  // namespace

CourseOutcome avulse_to(MeanderState& state, const ChannelPoint& from, const CourseTarget& target) {
    const std::optional<FoundCourse> found = find_course(state, from, target);
    if (!found) return CourseOutcome::NoWay;
    const ChannelLine course = course_line(state, from, *found);
    if (is_too_deep(state, course)) return CourseOutcome::TooDeep;
    ChannelLine turned = turned_line(state.channels[from.channel].line, from, *found, course);
    if (meets_channels(state, from, *found, turned, course.size() - 1)) return CourseOutcome::Meets;
    if (state.elevation) cut_course(*state.elevation, course, 0, course.size() - 1);
    if (!found->mouth)
        lead_to_outlet(state, from, turned);
    else if (found->mouth->channel == from.channel)
        rejoin(state, from, found->mouth->point, std::move(turned));
    else
        lead_into_channel(state, from, *found->mouth, turned);
    return CourseOutcome::Taken;
}

}  // namespace thalweg
