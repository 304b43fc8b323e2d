#include "thalweg/meander/events/avulsions.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/meander/channel/channel_geometry.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/events/avulsion_draws.hpp"
#include "thalweg/meander/events/new_courses.hpp"
#include "thalweg/meander/events/regional_avulsions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

namespace thalweg {
namespace {

constexpr double kMetresInKilometre = 1000.0;

struct Direction {
    double x = 1.0, y = 0.0;

    [[nodiscard]] Direction turned(double angle) const {
        return {x * std::cos(angle) - y * std::sin(angle), x * std::sin(angle) + y * std::cos(angle)};
    }
};

Direction unit(double x, double y) {
    const double length = std::hypot(x, y);
    return {x / length, y / length};
}

/// A walk from one point of a line to another, in steps of `spacing` m.
class AvulsionWalk {
  public:
    AvulsionWalk(const MeanderState& state, const MeanderChannel& channel, std::size_t first,
                 std::size_t last)
        : state_(state),
          channel_(channel),
          line_(channel.line),
          first_(first),
          last_(last),
          spacing_(length_of(channel.line) / static_cast<double>(channel.line.size() - 1)),
          between_(static_cast<std::size_t>(least_points_between(line_.values.width[first], spacing_))) {}

    /// Places between both points, or nothing where it does not come to its end. `last` is where it ends
    /// then.
    std::optional<std::vector<RiverPoint>> places() {
        const Direction begin = first_direction();
        std::vector<RiverPoint> walked;
        RiverPoint at = place(first_);
        const double whole = std::hypot(line_.x[last_] - at.x, line_.y[last_] - at.y);
        constexpr double kMostOfChord = 4.0;  // of the chord, that a walk is long
        const auto most = static_cast<std::size_t>(kMostOfChord * whole / spacing_) + 1;
        find_nearby(at, static_cast<double>(most) * spacing_);
        while (walked.size() < most) {
            const double left = std::hypot(line_.x[last_] - at.x, line_.y[last_] - at.y);
            if (left < 1.5 * spacing_) return walked;
            const double gone = spacing_ * static_cast<double>(walked.size());
            const double share = std::max(1.0 - left / whole, std::min(1.0, gone / (2.0 * whole)));
            const Direction ahead = unit(line_.x[last_] - at.x, line_.y[last_] - at.y);
            const Direction blended =
                unit(share * ahead.x + (1.0 - share) * begin.x, share * ahead.y + (1.0 - share) * begin.y);
            const Direction step = blended.turned(wobble_at(state_, channel_.reach, first_, walked.size()));
            at.x += spacing_ * step.x;
            at.y += spacing_ * step.y;
            if (const auto met = meets_itself(at, walked.size()); met) {
                if (*met <= first_ + between_) return std::nullopt;
                last_ = *met;
                return walked;
            }
            walked.push_back(at);
        }
        return std::nullopt;
    }

    [[nodiscard]] std::size_t last() const { return last_; }

  private:
    [[nodiscard]] RiverPoint place(std::size_t i) const { return {line_.x[i], line_.y[i], line_.z[i]}; }
    /// To the outer side of the bend.
    [[nodiscard]] Direction first_direction() const {
        const double before_x = line_.x[first_] - line_.x[first_ - 1];
        const double before_y = line_.y[first_] - line_.y[first_ - 1];
        const double chord_x = line_.x[first_ + 1] - line_.x[first_ - 1];
        const double chord_y = line_.y[first_ + 1] - line_.y[first_ - 1];
        const bool turns_left = before_x * chord_y - before_y * chord_x > 0.0;
        const double angle = state_.parameters.avulsion_angle * std::numbers::pi / 180.0 *
                             draw_at(state_, channel_.reach, first_, CourseDraw::Angle);
        return unit(chord_x, chord_y).turned(turns_left ? -angle : angle);
    }

    /// The points of the channel within a width of where a walk of `reach` m can come to.
    void find_nearby(const RiverPoint& start, double reach) {
        for (std::size_t i = 0; i < line_.size(); ++i) {
            const double most = reach + line_.values.width[i];
            if (std::abs(line_.x[i] - start.x) <= most && std::abs(line_.y[i] - start.y) <= most)
                nearby_.push_back(i);
        }
    }

    /// The point of the channel that is nearest, where one is within a width, but for those that the walk has
    /// just left or is about to come to.
    [[nodiscard]] std::optional<std::size_t> meets_itself(const RiverPoint& at, std::size_t steps) const {
        std::optional<std::size_t> nearest;
        double least = 1.0;  // of the squared distance to the squared width
        for (const std::size_t i : nearby_) {
            const std::size_t from_first = i > first_ ? i - first_ : first_ - i;
            if (from_first <= std::max(between_, steps + 4)) continue;
            const double dx = line_.x[i] - at.x;
            const double dy = line_.y[i] - at.y;
            const double width = line_.values.width[i];
            const double closeness = (dx * dx + dy * dy) / (width * width);
            if (closeness >= least) continue;
            least = closeness;
            nearest = i;
        }
        return nearest;
    }

    const MeanderState& state_;
    const MeanderChannel& channel_;
    const ChannelLine& line_;
    std::size_t first_;
    std::size_t last_;
    double spacing_;       // m
    std::size_t between_;  // least_points_between
    std::vector<std::size_t> nearby_;
};

/// A point downstream, 15 to 60 widths away along the line, before where the channel rests at its end.
std::optional<std::size_t> drawn_end(const MeanderState& state, const MeanderChannel& channel,
                                     std::size_t first) {
    constexpr double kShortest = 15.0;  // widths (empirical)
    constexpr double kLongest = 60.0;   // widths (empirical)
    const ChannelLine& line = channel.line;
    const double spacing = length_of(line) / static_cast<double>(line.size() - 1);
    const double widths =
        kShortest + (kLongest - kShortest) * draw_at(state, channel.reach, first, CourseDraw::Length);
    const auto points = static_cast<std::size_t>(widths * line.values.width[first] / spacing);
    const auto rest = static_cast<std::size_t>(channel.end_rest / spacing) + 1;
    if (first + points + rest >= line.size()) return std::nullopt;
    return first + points;
}

/// A bank that has burst, through which the river is to leave for another one.
struct RegionalBurst {
    std::int64_t reach = 0;  // id
    std::size_t point = 0;
};

/// The points of a channel at which a bank bursts, upstream first.
std::vector<std::size_t> bursts_of(const MeanderState& state, const MeanderChannel& channel, double years) {
    const MeanderParameters& law = state.parameters;
    if (channel.width < law.minimum_width) return {};
    ChannelGeometry geometry;
    geometry.measure(channel.line.x, channel.line.y);
    const double spacing = geometry.length / static_cast<double>(channel.line.size() - 1);
    const double share = 1.0 - std::exp(-law.crevasse_rate * years * spacing / kMetresInKilometre);
    std::vector<std::size_t> points;
    for (std::size_t i = 1; i + 1 < channel.line.size(); ++i) {
        const double bend = channel.line.values.width[i] * std::abs(geometry.curvature[i]);
        if (bend < law.crevasse_curvature || channel.mobility[i] < 0.5F) continue;
        if (draw_at(state, channel.reach, i, CourseDraw::Bursts) < share) points.push_back(i);
    }
    return points;
}

/// Lets the first of these rivers that can take a new course do so: others are other rivers then.
bool avulse_regionally(MeanderState& state, const std::vector<RegionalBurst>& bursts) {
    return std::ranges::any_of(bursts, [&](const RegionalBurst& burst) {
        const auto channel = std::ranges::find(state.channels, burst.reach, &MeanderChannel::reach);
        const ChannelPoint from{.channel = static_cast<std::size_t>(channel - state.channels.begin()),
                                .point = burst.point};
        return avulse_to(state, from) == CourseOutcome::Taken;
    });
}

}  // namespace

bool avulse(MeanderState& state, std::size_t channel, std::size_t first, std::size_t last) {
    AvulsionWalk walk(state, state.channels[channel], first, last);
    const std::optional<std::vector<RiverPoint>> places = walk.places();
    if (!places || places->size() < 2) return false;
    return take_course(state, {.channel = channel, .first = first, .last = walk.last()}, *places,
                       state.parameters.avulsion_depth, MeanderEventKind::Avulsion);
}

bool burst_banks(MeanderState& state, double years) {
    const MeanderParameters& law = state.parameters;
    if (law.crevasse_rate <= 0.0) return false;
    std::vector<std::vector<std::size_t>> bursts(state.channels.size());
    parallel_for(0, std::ssize(bursts), 1, [&](std::int64_t c, std::int64_t) {
        bursts[c] = bursts_of(state, state.channels[c], years);
    });
    bool is_changed = false;
    std::vector<RegionalBurst> regional;
    for (std::size_t c = 0; c < bursts.size(); ++c)
        for (const std::size_t i : bursts[c]) {
            const MeanderChannel& channel = state.channels[c];
            state.history.events.push_back({.year = state.year(),
                                            .kind = MeanderEventKind::Crevasse,
                                            .reach = channel.reach,
                                            .x = channel.line.x[i],
                                            .y = channel.line.y[i]});
            if (draw_at(state, channel.reach, i, CourseDraw::Avulses) >= law.avulsion_share) continue;
            if (draw_at(state, channel.reach, i, CourseDraw::IsRegional) < law.regional_share) {
                regional.push_back({.reach = channel.reach, .point = i});
                break;  // its points are looked at no more, so that this one stays what it is
            }
            const std::optional<std::size_t> last = drawn_end(state, channel, i);
            if (last && avulse(state, c, i, *last)) {
                is_changed = true;
                break;  // its points are other ones now
            }
        }
    return avulse_regionally(state, regional) || is_changed;
}

}  // namespace thalweg
