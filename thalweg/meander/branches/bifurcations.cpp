#include "thalweg/meander/branches/bifurcations.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/branches/branch_lines.hpp"
#include "thalweg/meander/branches/branch_meetings.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/channel/line_edits.hpp"
#include "thalweg/river/network_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

/// A point of a branch, by its place.
struct BranchPoint {
    std::size_t branch = 0;
    std::size_t point = 0;
};

/// Bifurcations of the braid of one reach in one step.
class Bifurcations {
  public:
    Bifurcations(MeanderState& state, std::size_t place)
        : state_(state),
          channel_(state.channels[place]),
          braid_(channel_.braid),
          reach_(state.network.reaches[place]),
          others_(other_lines(state, place)) {}

    /// Tries some ways for a branch to part beside a point of the axis.
    bool part_beside(std::size_t station) {
        constexpr std::uint64_t kTries = 6;
        for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
            attempt_ = mix64(station) + attempt;
            const std::optional<BranchPoint> from = start_beside(station);
            if (!from) continue;
            const std::optional<BranchPoint> to = end_below(*from);
            if (to && part(*from, *to)) return true;
        }
        return false;
    }

    /// A number in [0, 1) of this attempt.
    [[nodiscard]] double draw(std::uint64_t purpose) const {
        constexpr std::uint64_t kBraids = 31;
        const auto step = static_cast<std::uint64_t>(state_.steps);
        return unit_double(random_bits(state_.seed, Stream::Meander,
                                       static_cast<std::uint64_t>(channel_.reach), mix64(step) ^ attempt_,
                                       kBraids + (purpose << 8)));
    }

    void set_attempt(std::uint64_t attempt) { attempt_ = attempt; }

  private:
    enum Purpose : std::uint64_t { Branch = 1, Length = 2, End = 3, Angle = 4, Side = 5, Share = 6 };

    /// The point of one of the branches there that is nearest, drawn by their shares.
    [[nodiscard]] std::optional<BranchPoint> start_beside(std::size_t station) const {
        double at = draw(Branch);
        const ChannelLine& axis = channel_.line;
        for (std::size_t k = 0; k < braid_.channels.size(); ++k) {
            const RiverBranch& branch = braid_.channels[k];
            const std::vector<std::size_t> stations = stations_of(branch.line, axis);
            const auto found = std::ranges::find(stations, station);
            if (found == stations.end()) continue;
            at -= branch.share;
            if (at >= 0.0) continue;
            const auto point = static_cast<std::size_t>(found - stations.begin());
            if (point == 0 || point + 1 >= branch.line.size()) return std::nullopt;
            return BranchPoint{.branch = k, .point = point};
        }
        return std::nullopt;
    }

    /// A point of any branch further down, where water from there may come to.
    [[nodiscard]] std::optional<BranchPoint> end_below(const BranchPoint& from) const {
        const ChannelLine& line = braid_.channels[from.branch].line;
        const double length =
            (kShortest + (kLongest - kShortest) * draw(Length)) * line.values.width[from.point];
        const Position heading = heading_at_point(line, from.point);
        std::vector<BranchPoint> ends;
        for (std::size_t k = 0; k < braid_.channels.size(); ++k) {
            const ChannelLine& other = braid_.channels[k].line;
            for (std::size_t i = 1; i + 1 < other.size(); ++i) {
                const double dx = other.x[i] - line.x[from.point];
                const double dy = other.y[i] - line.y[from.point];
                const double distance = std::hypot(dx, dy);
                const bool is_ahead = dx * heading.x + dy * heading.y > 0.7 * distance;
                if (is_ahead && std::abs(distance - length) < 0.15 * length && may_flow(from, {k, i}))
                    ends.push_back({.branch = k, .point = i});
            }
        }
        if (ends.empty()) return std::nullopt;
        return ends[static_cast<std::size_t>(draw(End) * static_cast<double>(ends.size()))];
    }

    [[nodiscard]] bool may_flow(const BranchPoint& from, const BranchPoint& to) const {
        if (from.branch == to.branch) return to.point > from.point;
        return !flows_to(braid_, braid_.channels[to.branch].to, braid_.channels[from.branch].from);
    }

    static Position heading_at_point(const ChannelLine& line, std::size_t i) {
        const double x = line.x[i + 1] - line.x[i - 1];
        const double y = line.y[i + 1] - line.y[i - 1];
        const double length = std::hypot(x, y);
        return {.x = x / length, .y = y / length};
    }

    static Position turned(Position heading, double angle) {
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        return {.x = c * heading.x - s * heading.y, .y = s * heading.x + c * heading.y};
    }

    /// A line from one point to another, which leaves and comes to them at an angle.
    [[nodiscard]] ChannelLine line_between(const BranchPoint& from, const BranchPoint& to) const {
        const ChannelLine& upper = braid_.channels[from.branch].line;
        const ChannelLine& lower = braid_.channels[to.branch].line;
        const double dx = lower.x[to.point] - upper.x[from.point];
        const double dy = lower.y[to.point] - upper.y[from.point];
        const double chord = std::hypot(dx, dy);
        const Position heading = heading_at_point(upper, from.point);
        const Position coming = heading_at_point(lower, to.point);
        const bool is_own = from.branch == to.branch;
        const double across = heading.x * dy - heading.y * dx;
        const double side = is_own ? (draw(Side) < 0.5 ? 1.0 : -1.0) : (across > 0.0 ? 1.0 : -1.0);
        const double angle = side * (kLeastAngle + (kMostAngle - kLeastAngle) * draw(Angle));
        const Position first = turned(heading, angle);
        const Position last = turned(coming, is_own ? -angle : 0.5 * angle);
        constexpr double kTangent = 1.1;  // of the chord
        const auto pieces =
            std::max(3, static_cast<int>(std::lround(1.1 * chord / branch_spacing(channel_.line))));
        ChannelLine line;
        for (int i = 0; i <= pieces; ++i) {
            const double t = static_cast<double>(i) / pieces;
            const double end = t * t * (3.0 - 2.0 * t);
            const double leaving = kTangent * chord * t * (1.0 - t) * (1.0 - t);
            const double arriving = -kTangent * chord * t * t * (1.0 - t);
            line.x.push_back(upper.x[from.point] + end * dx + leaving * first.x + arriving * last.x);
            line.y.push_back(upper.y[from.point] + end * dy + leaving * first.y + arriving * last.y);
        }
        line.x.back() = lower.x[to.point];
        line.y.back() = lower.y[to.point];
        return line;
    }

    /// Whether a line has room between the other channels, and lies within the plain.
    [[nodiscard]] bool has_room(const RiverBranch& branch, const BranchPoint& from,
                                const BranchPoint& to) const {
        const ChannelLine& axis = channel_.line;
        for (std::size_t i = 0; i < branch.line.size(); ++i) {
            const std::size_t at = nearest_point_of(axis, branch.line.x[i], branch.line.y[i]);
            const double half =
                0.5 * (state_.parameters.braid_plain * axis.values.width[at] - branch.line.values.width[i]);
            if (std::hypot(axis.x[at] - branch.line.x[i], axis.y[at] - branch.line.y[i]) > half) return false;
        }
        std::vector<const ChannelLine*> lines = lines_of(braid_);
        lines.insert(lines.end(), others_.begin(), others_.end());
        lines.push_back(&branch.line);
        const auto own = static_cast<std::int32_t>(lines.size() - 1);
        const double limit = kBranchJunction * braid_.channels[from.branch].line.values.width[from.point];
        const auto is_near = [&](const LinePlace& place, const BranchPoint& junction) {
            if (place.line >= static_cast<std::int32_t>(braid_.channels.size())) return false;
            const ChannelLine& line = *lines[place.line];
            const ChannelLine& met = braid_.channels[junction.branch].line;
            return std::hypot(line.x[place.point] - met.x[junction.point],
                              line.y[place.point] - met.y[junction.point]) <= limit;
        };
        const auto touches = [&](const ClosePair& pair) {
            if (pair.second.line != own) return false;
            if (pair.first.line == own) return true;
            const auto is_at = [&](const BranchPoint& junction) {
                return is_near(pair.first, junction) &&
                       std::hypot(branch.line.x[pair.second.point] -
                                      braid_.channels[junction.branch].line.x[junction.point],
                                  branch.line.y[pair.second.point] -
                                      braid_.channels[junction.branch].line.y[junction.point]) <= limit;
            };
            return !is_at(from) && !is_at(to);
        };
        if (std::ranges::any_of(close_pairs(lines), touches)) return false;
        return std::ranges::none_of(crossings_of(lines), [&](const LineCrossing& crossing) {
            if (crossing.second.line != own) return false;
            // Where it begins and ends it touches the line of another branch.
            const auto last = static_cast<std::int32_t>(branch.line.size()) - 2;
            return crossing.second.point != 0 && crossing.second.point != last;
        });
    }

    bool part(const BranchPoint& from, const BranchPoint& to) {
        const RiverBranch& parent = braid_.channels[from.branch];
        constexpr double kLeastTaken = 0.25;
        const double taken = kLeastTaken + kLeastTaken * draw(Share);
        RiverBranch added{.id = child_id(reach_.id, reach_.children + 1), .share = taken * parent.share};
        added.line = line_between(from, to);
        set_values(added, channel_.line);
        if (!has_room(added, from, to)) return false;
        ++reach_.children;
        added.weight = taken;
        // The end first, so that the point of the beginning stays what it is.
        const std::int32_t end =
            split_branch(braid_, to.branch, to.point, child_id(reach_.id, ++reach_.children));
        const std::int32_t begin =
            split_branch(braid_, from.branch, from.point, child_id(reach_.id, ++reach_.children));
        braid_.channels.back().weight = 1.0 - taken;
        added.from = begin;
        added.to = end;
        state_.history.events.push_back({.year = state_.year(),
                                         .kind = MeanderEventKind::Bifurcation,
                                         .reach = reach_.id,
                                         .x = added.line.x.front(),
                                         .y = added.line.y.front()});
        braid_.channels.push_back(std::move(added));
        share_water(braid_);
        for (RiverBranch& branch : braid_.channels) set_values(branch, channel_.line);
        return true;
    }

    static constexpr double kShortest = 6.0;  // widths of the branch that parts
    static constexpr double kLongest = 14.0;
    static constexpr double kLeastAngle = 20.0 * std::numbers::pi / 180.0;
    static constexpr double kMostAngle = 45.0 * std::numbers::pi / 180.0;

    MeanderState& state_;
    MeanderChannel& channel_;
    RiverBranches& braid_;
    Reach& reach_;
    std::vector<const ChannelLine*> others_;
    std::uint64_t attempt_ = 0;
};

}  // namespace

void part_branches(MeanderState& state, std::size_t place, double channels, double years) {
    constexpr double kInKilometre = 1e-3;
    const ChannelLine& axis = state.channels[place].line;
    const double spacing = length_of(axis) / static_cast<double>(axis.size() - 1);
    const auto stride =
        static_cast<std::size_t>(std::max(1.0, std::round(axis.values.width[axis.size() / 2] / spacing)));
    std::vector<int> beside = channels_beside(state.channels[place].braid, axis);
    Bifurcations bifurcations(state, place);
    for (std::size_t station = stride; station + stride < axis.size(); station += stride) {
        const double missing = channels - beside[station];
        if (missing <= 0.0) continue;
        const double length = spacing * static_cast<double>(stride) * kInKilometre;
        const double chance = 1.0 - std::exp(-state.parameters.bifurcation_rate * missing * length * years);
        bifurcations.set_attempt(mix64(station) ^ 1U);
        if (bifurcations.draw(0) >= chance) continue;
        if (bifurcations.part_beside(station)) beside = channels_beside(state.channels[place].braid, axis);
    }
}

}  // namespace thalweg
