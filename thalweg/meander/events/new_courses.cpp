#include "thalweg/meander/events/new_courses.hpp"

#include "thalweg/grid/sampling.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/events/abandonment.hpp"
#include "thalweg/meander/network/bank_cuts.hpp"
#include "thalweg/meander/network/channels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

/// Unit vector along a line at a point.
Position heading_at(const ChannelLine& line, std::size_t i) {
    const std::size_t before = i > 0 ? i - 1 : i;
    const std::size_t after = std::min(i + 1, line.size() - 1);
    const double x = line.x[after] - line.x[before];
    const double y = line.y[after] - line.y[before];
    const double length = std::hypot(x, y);
    return {.x = x / length, .y = y / length};
}

/// A line that runs over places from one of its points to another; `last` is then at `end`.
struct Rerouted {
    ChannelLine line;
    std::size_t end = 0;
};

Rerouted rerouted(const ChannelLine& line, const Stretch& stretch, const std::vector<RiverPoint>& places) {
    Rerouted course{.line = part_of(line, 0, stretch.first), .end = stretch.first + places.size() + 1};
    const double pieces = static_cast<double>(places.size()) + 1.0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double share = static_cast<double>(i + 1) / pieces;
        for_each_column(course.line, line, [&](auto& column, const auto& of) {
            const auto from = of[stretch.first];
            const auto to = of[stretch.last];
            column.push_back(static_cast<std::remove_cvref_t<decltype(from)>>(from + share * (to - from)));
        });
        course.line.x.back() = places[i].x;
        course.line.y.back() = places[i].y;
    }
    const ChannelLine below = part_of(line, stretch.last, line.size() - 1);
    for_each_column(course.line, below,
                    [](auto& column, const auto& of) { column.insert(column.end(), of.begin(), of.end()); });
    return course;
}

/// Whether the ground along a stretch of a line is low enough to be cut through.
bool is_low_enough(const MeanderState& state, const ChannelLine& line, std::size_t first, std::size_t end,
                   double depth) {
    if (!state.elevation) return true;
    for (std::size_t i = first; i < end; ++i) {
        const double ground = sample_bilinear(*state.elevation, {.x = line.x[i], .y = line.y[i]});
        if (!(ground - line.z[i] - line.values.depth[i] <= depth)) return false;
    }
    return true;
}

/// Whether a channel that runs on another line would touch a channel between two points of that.
bool would_touch(const MeanderState& state, const Stretch& stretch, const Rerouted& course) {
    std::vector<const ChannelLine*> lines = lines_of(state.channels);
    lines[stretch.channel] = &course.line;
    const auto is_new = [&](const LinePlace& place) {
        return static_cast<std::size_t>(place.line) == stretch.channel &&
               static_cast<std::size_t>(place.point) > stretch.first &&
               static_cast<std::size_t>(place.point) < course.end;
    };
    const auto touches = [&](const auto& pair) { return is_new(pair.first) || is_new(pair.second); };
    return std::ranges::any_of(close_pairs(lines), touches) ||
           std::ranges::any_of(crossings_of(lines), touches);
}

}  // namespace

std::vector<RiverPoint> cubic_between(const ChannelLine& line, std::size_t first, std::size_t last,
                                      double swing, double spacing) {
    const double dx = line.x[last] - line.x[first];
    const double dy = line.y[last] - line.y[first];
    const double chord = std::hypot(dx, dy);
    const Position from = heading_at(line, first);
    const Position to = heading_at(line, last);
    const auto pieces = std::max(2, static_cast<int>(std::lround(chord / spacing)));
    std::vector<RiverPoint> places;
    for (int i = 1; i < pieces; ++i) {
        // Hermite's cubic: what each end and its tangent add.
        const double t = static_cast<double>(i) / pieces;
        const double end = t * t * (3.0 - 2.0 * t);
        const double leaving = swing * chord * t * (1.0 - t) * (1.0 - t);
        const double coming = -swing * chord * t * t * (1.0 - t);
        places.push_back({.x = line.x[first] + end * dx + leaving * from.x + coming * to.x,
                          .y = line.y[first] + end * dy + leaving * from.y + coming * to.y});
    }
    return places;
}

bool take_course(MeanderState& state, const Stretch& stretch, const std::vector<RiverPoint>& places,
                 double depth, MeanderEventKind kind) {
    MeanderChannel& channel = state.channels[stretch.channel];
    Rerouted course = rerouted(channel.line, stretch, places);
    if (!is_low_enough(state, course.line, stretch.first, course.end, depth)) return false;
    soften(course.line, stretch.first);
    soften(course.line, course.end);
    if (would_touch(state, stretch, course)) return false;
    leave_course(state, stretch.channel, stretch.first, stretch.last, kind);
    channel.line = std::move(course.line);
    channel.mobility.clear();
    if (state.elevation) cut_course(*state.elevation, channel.line, stretch.first, course.end);
    return true;
}

}  // namespace thalweg
