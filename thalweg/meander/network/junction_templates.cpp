#include "thalweg/meander/network/junction_templates.hpp"

#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/network/node_edits.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace thalweg {
namespace {

/// The point of a line that is `distance` m and more, along it, above its end.
std::size_t point_above_end(const ChannelLine& line, double distance) {
    std::size_t point = line.size() - 1;
    for (double gone = 0.0; point > 0 && gone < distance; --point)
        gone += std::hypot(line.x[point] - line.x[point - 1], line.y[point] - line.y[point - 1]);
    return point;
}

/// From a line's end towards its point above.
Position upstream_of_end(const ChannelLine& line, std::size_t point) {
    const double dx = line.x[point] - line.x.back();
    const double dy = line.y[point] - line.y.back();
    const double length = std::hypot(dx, dy);
    return length > 0.0 ? Position{.x = dx / length, .y = dy / length} : Position{};
}

/// How a channel comes in.
struct JunctionTemplate {
    Position direction;   // upstream, of length 1
    double length = 0.0;  // m, straight
    double blend = 0.0;   // m, along the line from its end, up to which it is another
};

/// A template of a length (m), shorter for a short channel; nothing for one that is shorter still.
std::optional<JunctionTemplate> template_along(const ChannelLine& line, double length) {
    constexpr double kBlend = 3.0;       // lengths of the straight stretch
    constexpr double kMostOfLine = 0.6;  // of the channel's length
    const double blend = std::min(kBlend * length, kMostOfLine * length_of(line));
    if (blend < kBlend * line.values.width.back()) return std::nullopt;
    return JunctionTemplate{.direction = {}, .length = std::min(length, blend / kBlend), .blend = blend};
}

/// A unit vector turned by an angle, degrees.
Position turned_by(Position direction, double degrees) {
    const double angle = degrees * std::numbers::pi / 180.0;
    return {.x = direction.x * std::cos(angle) - direction.y * std::sin(angle),
            .y = direction.x * std::sin(angle) + direction.y * std::cos(angle)};
}

/// The channel with that stretch, from its point `first` on.
ChannelLine with_template(const ChannelLine& drawn, const JunctionTemplate& junction, std::size_t first) {
    ChannelLine line = drawn;
    double distance = 0.0;  // m, above the end
    for (std::size_t i = line.size() - 1; i-- > first;) {
        distance += std::hypot(drawn.x[i + 1] - drawn.x[i], drawn.y[i + 1] - drawn.y[i]);
        const double t =
            std::clamp((distance - junction.length) / (junction.blend - junction.length), 0.0, 1.0);
        const double weight = 1.0 - t * t * (3.0 - 2.0 * t);
        line.x[i] += weight * (line.x.back() + distance * junction.direction.x - line.x[i]);
        line.y[i] += weight * (line.y.back() + distance * junction.direction.y - line.y[i]);
    }
    return line;
}

/// A channel with another line, from a point on.
struct LaidChannel {
    std::size_t channel = 0;
    std::size_t first = 0;
    ChannelLine line;
};

/// The lines of channels that come within `reach` m of a place, those that are laid anew as they would be.
std::vector<LaidChannel> channels_near(const MeanderState& state, const std::vector<LaidChannel>& laid,
                                       Position place, double reach) {
    std::vector<LaidChannel> near = laid;
    for (std::size_t c = 0; c < state.channels.size(); ++c) {
        if (std::ranges::find(laid, c, &LaidChannel::channel) != laid.end()) continue;
        const ChannelLine& line = state.channels[c].line;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const double limit = reach + line.values.width[i];
            if (std::abs(line.x[i] - place.x) > limit || std::abs(line.y[i] - place.y) > limit) continue;
            near.push_back({.channel = c, .first = line.size(), .line = line});
            break;
        }
    }
    return near;
}

/// Whether channels that are laid anew would meet any elsewhere than within `limit` m of their end, or come
/// in side by side there, so that they would cross where points are spaced anew.
bool would_meet(const MeanderState& state, const std::vector<LaidChannel>& laid, double limit) {
    constexpr double kLeastApart = 0.25;  // of the distance from the node (empirical)
    const Position end{.x = laid.front().line.x.back(), .y = laid.front().line.y.back()};
    double reach = 0.0;
    for (const auto& [channel, first, line] : laid)
        for (std::size_t i = first; i < line.size(); ++i)
            reach = std::max(reach, std::hypot(line.x[i] - end.x, line.y[i] - end.y));
    const std::vector<LaidChannel> near = channels_near(state, laid, end, reach);
    std::vector<const ChannelLine*> lines;
    for (const LaidChannel& channel : near) lines.push_back(&channel.line);
    const auto is_new = [&](const LinePlace& at) {
        return static_cast<std::size_t>(at.point) >= near[at.line].first;
    };
    const auto place = [&](const LinePlace& at) {
        return Position{.x = lines[at.line]->x[at.point], .y = lines[at.line]->y[at.point]};
    };
    const auto apart = [](Position a, Position b) { return std::hypot(a.x - b.x, a.y - b.y); };
    const auto is_near = [&](const ClosePair& pair) {
        if (!is_new(pair.first) && !is_new(pair.second)) return false;
        const Position a = place(pair.first);
        const Position b = place(pair.second);
        const double furthest = std::max(apart(a, end), apart(b, end));
        return furthest >= limit || apart(a, b) < kLeastApart * furthest;
    };
    const auto crosses = [&](const LineCrossing& crossing) {
        return is_new(crossing.first) || is_new(crossing.second);
    };
    return std::ranges::any_of(close_pairs(lines), is_near) ||
           std::ranges::any_of(crossings_of(lines), crosses);
}

/// Lays channels anew, where they meet nothing then; returns whether it did.
bool lay(MeanderState& state, const std::vector<LaidChannel>& laid, double widest) {
    const double limit = kJunctionShare * state.parameters.migration.end_damping * widest;
    if (laid.empty() || would_meet(state, laid, limit)) return false;
    for (const LaidChannel& channel : laid) {
        state.channels[channel.channel].line = channel.line;
        state.channels[channel.channel].mobility.clear();
    }
    return true;
}

/// A channel with its last stretch along a template.
LaidChannel laid_along(const MeanderState& state, std::size_t channel, const JunctionTemplate& junction) {
    const ChannelLine& line = state.channels[channel].line;
    const std::size_t first = point_above_end(line, junction.blend);
    return {.channel = channel, .first = first, .line = with_template(line, junction, first)};
}

/// The channels that end at a node, the one with the most water first.
std::vector<std::size_t> channels_ending_at(const MeanderState& state, std::int64_t node) {
    std::vector<std::size_t> ending;
    for (std::size_t i = 0; i < state.network.reaches.size(); ++i)
        if (state.network.reaches[i].to_node == node) ending.push_back(i);
    const auto discharge = [&](std::size_t i) { return state.channels[i].line.values.discharge.back(); };
    std::ranges::stable_sort(ending,
                             [&](std::size_t a, std::size_t b) { return discharge(a) > discharge(b); });
    return ending;
}

}  // namespace

double junction_angle(const MeanderParameters& parameters, double q) {
    return parameters.junction_angle_unequal +
           std::clamp(q, 0.0, 1.0) * (parameters.junction_angle_equal - parameters.junction_angle_unequal);
}

void shape_junction(MeanderState& state, std::int64_t node) {
    if (state.parameters.junction_length <= 0.0) return;
    const std::vector<std::size_t> ending = channels_ending_at(state, node);
    if (ending.size() < 2) return;
    const ChannelLine& river = state.channels[ending.front()].line;
    const double widest = river.values.width.back();
    const double length = state.parameters.junction_length * widest;
    const Position up = upstream_of_end(river, point_above_end(river, length));
    std::vector<LaidChannel> laid;
    for (std::size_t k = 1; k < ending.size(); ++k) {
        const ChannelLine& tributary = state.channels[ending[k]].line;
        auto junction = template_along(tributary, length);
        if (!junction) continue;
        const Position now = upstream_of_end(tributary, point_above_end(tributary, junction->blend));
        const double side = up.x * now.y - up.y * now.x >= 0.0 ? 1.0 : -1.0;
        const double ratio =
            static_cast<double>(tributary.values.discharge.back()) / river.values.discharge.back();
        junction->direction = turned_by(up, side * junction_angle(state.parameters, ratio));
        laid.push_back(laid_along(state, ending[k], *junction));
    }
    // The river comes in straight too where it can, so that no tributary has it on both sides.
    std::vector<LaidChannel> with_river = laid;
    if (auto junction = template_along(river, length)) {
        junction->direction = up;
        with_river.push_back(laid_along(state, ending.front(), *junction));
    }
    if (lay(state, with_river, widest)) return;
    for (const LaidChannel& tributary : laid) lay(state, {tributary}, widest);
}

void shape_junctions(MeanderState& state) {
    for (const RiverNode& node : state.network.nodes)
        if (node.kind == NodeKind::Confluence) shape_junction(state, node.id);
}

}  // namespace thalweg
