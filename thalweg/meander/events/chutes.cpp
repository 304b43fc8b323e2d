#include "thalweg/meander/events/chutes.hpp"

#include "thalweg/meander/channel/channel_geometry.hpp"
#include "thalweg/meander/events/avulsion_draws.hpp"
#include "thalweg/meander/events/new_courses.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace thalweg {
namespace {

constexpr double kKilometre = 1000.0;     // m
constexpr double kEndOfBend = 1.0 / 3.0;  // share of a bend within which a chute leaves it, and comes back
constexpr double kSwing = 0.6;            // of a chute, in the directions of its ends (empirical)
constexpr double kLeastGain = 1.2;        // of the bend's length to the chute's
constexpr double kLeastDistance = 2.0;    // widths between both, somewhere

/// Curvature of each point, averaged over so many points to both sides.
std::vector<double> averaged(const std::vector<float>& curvature, std::size_t beside) {
    std::vector<double> sums = {0.0};
    for (const float value : curvature) sums.push_back(sums.back() + value);
    std::vector<double> means(curvature.size());
    for (std::size_t i = 0; i < means.size(); ++i) {
        const std::size_t first = i > beside ? i - beside : 0;
        const std::size_t end = std::min(i + beside + 1, means.size());
        means[i] = (sums[end] - sums[first]) / static_cast<double>(end - first);
    }
    return means;
}

/// A bend between two inflections.
struct SharpBend {
    std::size_t first = 0;
    std::size_t last = 0;
    double sharp_length = 0.0;  // m, with w |kappa| of at least the threshold
};

/// The bends of a channel that are sharp somewhere, upstream first.
std::vector<SharpBend> sharp_bends(const MeanderChannel& channel, double threshold) {
    ChannelGeometry geometry;
    geometry.measure(channel.line.x, channel.line.y);
    const double spacing = geometry.length / static_cast<double>(channel.line.size() - 1);
    const auto width_in_points = static_cast<std::size_t>(std::lround(channel.width / spacing));
    const std::vector<double> curvature = averaged(geometry.curvature, width_in_points);
    std::vector<SharpBend> bends;
    SharpBend bend;
    for (std::size_t i = 1; i + 1 < curvature.size(); ++i) {
        if (curvature[i] * curvature[i - 1] < 0.0) {
            if (bend.sharp_length > 0.0) bends.push_back(bend);
            bend = {.first = i, .last = i, .sharp_length = 0.0};
        }
        bend.last = i;
        const bool is_sharp = channel.line.values.width[i] * std::abs(curvature[i]) >= threshold;
        if (is_sharp && channel.mobility[i] >= 0.5F) bend.sharp_length += spacing;
    }
    return bends;
}

double length_over(const ChannelLine& line, const std::vector<RiverPoint>& places, const Stretch& stretch) {
    double length = 0.0;
    RiverPoint at{.x = line.x[stretch.first], .y = line.y[stretch.first]};
    const auto go = [&](double x, double y) {
        length += std::hypot(x - at.x, y - at.y);
        at = {.x = x, .y = y};
    };
    for (const RiverPoint& place : places) go(place.x, place.y);
    go(line.x[stretch.last], line.y[stretch.last]);
    return length;
}

/// How far a bend gets away from the chute that cuts it off, m.
double greatest_distance(const ChannelLine& line, const Stretch& stretch,
                         const std::vector<RiverPoint>& places) {
    double greatest = 0.0;
    for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
        double nearest = std::hypot(line.x[stretch.first] - line.x[i], line.y[stretch.first] - line.y[i]);
        for (const RiverPoint& place : places)
            nearest = std::min(nearest, std::hypot(place.x - line.x[i], place.y - line.y[i]));
        greatest = std::max(greatest, nearest);
    }
    return greatest;
}

bool cut_chute(MeanderState& state, std::size_t place, const SharpBend& bend) {
    const MeanderChannel& channel = state.channels[place];
    const ChannelLine& line = channel.line;
    const auto end_of_bend = kEndOfBend * static_cast<double>(bend.last - bend.first);
    const auto drawn = [&](CourseDraw purpose) {
        return static_cast<std::size_t>(end_of_bend * draw_at(state, channel.reach, bend.first, purpose));
    };
    const Stretch stretch{.channel = place,
                          .first = bend.first + drawn(CourseDraw::ChuteBegins),
                          .last = bend.last - drawn(CourseDraw::ChuteEnds)};
    const double spacing = length_of(line) / static_cast<double>(line.size() - 1);
    const std::vector<RiverPoint> places = cubic_between(line, stretch.first, stretch.last, kSwing, spacing);
    const double bend_length = spacing * static_cast<double>(stretch.last - stretch.first);
    if (bend_length < kLeastGain * length_over(line, places, stretch)) return false;
    if (greatest_distance(line, stretch, places) < kLeastDistance * channel.width) return false;
    return take_course(state, stretch, places, state.parameters.avulsion_depth, MeanderEventKind::Chute);
}

}  // namespace

bool cut_chutes(MeanderState& state, double years) {
    const MeanderParameters& law = state.parameters;
    if (law.chute_rate <= 0.0) return false;
    bool is_changed = false;
    for (std::size_t place = 0; place < state.channels.size(); ++place) {
        const MeanderChannel& channel = state.channels[place];
        if (channel.width < law.minimum_width) continue;
        std::vector<SharpBend> bends = sharp_bends(channel, law.chute_curvature);
        // From the end, so that points further up stay what they are.
        std::ranges::reverse(bends);
        for (const SharpBend& bend : bends) {
            const double share = 1.0 - std::exp(-law.chute_rate * years * bend.sharp_length / kKilometre);
            if (draw_at(state, channel.reach, bend.first, CourseDraw::ChuteHappens) < share)
                is_changed = cut_chute(state, place, bend) || is_changed;
        }
    }
    return is_changed;
}

}  // namespace thalweg
