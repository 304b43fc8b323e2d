#include "thalweg/meander/branches/bifurcations.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/branches/branch_lines.hpp"
#include "thalweg/meander/branches/branch_meetings.hpp"
#include "thalweg/meander/channel/crossings.hpp"
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
          axis_(channel_.line),
          others_(other_lines(state, place)) {
        find_stations();
    }

    /// Tries some ways for a branch to part beside a point of the axis.
    bool part_beside(std::size_t station) {
        constexpr std::uint64_t kTries = 4;
        for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
            attempt_ = mix64(station) + attempt;
            const std::optional<BranchPoint> from = start_beside(station);
            if (!from) continue;
            if (draw(Way) < kAroundBar ? part_around_bar(*from) : part_across(*from)) return true;
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
    enum Purpose : std::uint64_t { Branch = 1, Length = 2, End = 3, Angle = 4, Side = 5, Share = 6, Way = 7 };

    void find_stations() {
        stations_.clear();
        for (const RiverBranch& branch : braid_.channels)
            stations_.push_back(stations_of(branch.line, axis_));
    }

    /// The point of one of the branches there that is nearest, drawn by their shares.
    [[nodiscard]] std::optional<BranchPoint> start_beside(std::size_t station) const {
        double at = draw(Branch);
        for (std::size_t k = 0; k < braid_.channels.size(); ++k) {
            const RiverBranch& branch = braid_.channels[k];
            const std::vector<std::size_t>& stations = stations_[k];
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
        // No water of the other branch may come to where one parts.
        const std::vector<bool> is_above = nodes_above(braid_, braid_.channels[from.branch].from);
        std::vector<BranchPoint> ends;
        for (std::size_t k = 0; k < braid_.channels.size(); ++k) {
            const ChannelLine& other = braid_.channels[k].line;
            if (k != from.branch && is_above[braid_.channels[k].to]) continue;
            for (std::size_t i = k == from.branch ? from.point + 1 : 1; i + 1 < other.size(); ++i) {
                const double dx = other.x[i] - line.x[from.point];
                const double dy = other.y[i] - line.y[from.point];
                const double distance = std::hypot(dx, dy);
                const bool is_ahead = dx * heading.x + dy * heading.y > 0.7 * distance;
                if (is_ahead && std::abs(distance - length) < 0.15 * length)
                    ends.push_back({.branch = k, .point = i});
            }
        }
        if (ends.empty()) return std::nullopt;
        return ends[static_cast<std::size_t>(draw(End) * static_cast<double>(ends.size()))];
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

    /// The way of the water below a point, along the largest branches, and where it ends.
    struct WaterWay {
        ChannelLine line;
        BranchPoint end;
    };
    [[nodiscard]] std::optional<WaterWay> way_below(const BranchPoint& from, double length) const {
        WaterWay way{.line = {}, .end = from};
        double left = length;
        for (;;) {
            const ChannelLine& line = braid_.channels[way.end.branch].line;
            way.line.x.push_back(line.x[way.end.point]);
            way.line.y.push_back(line.y[way.end.point]);
            if (left <= 0.0 && way.end.point > 0 && way.end.point + 1 < line.size()) return way;
            if (way.end.point + 1 == line.size()) {
                const std::ptrdiff_t next = largest_below(braid_.channels[way.end.branch].to);
                if (next < 0) return std::nullopt;
                way.end = {.branch = static_cast<std::size_t>(next), .point = 0};
                way.line.x.pop_back();
                way.line.y.pop_back();
                continue;
            }
            left -= std::hypot(line.x[way.end.point + 1] - line.x[way.end.point],
                               line.y[way.end.point + 1] - line.y[way.end.point]);
            ++way.end.point;
        }
    }

    [[nodiscard]] std::ptrdiff_t largest_below(std::int32_t node) const {
        std::ptrdiff_t largest = -1;
        for (std::size_t k = 0; k < braid_.channels.size(); ++k)
            if (braid_.channels[k].from == node &&
                (largest < 0 || braid_.channels[k].share > braid_.channels[largest].share))
                largest = static_cast<std::ptrdiff_t>(k);
        return largest;
    }

    /// Mean width of both branches below a point where one parts that takes a share of the water, m.
    [[nodiscard]] double mean_width_below(const BranchPoint& from, double taken) const {
        return 0.5 * braid_.channels[from.branch].line.values.width[from.point] *
               (std::sqrt(1.0 - taken) + std::sqrt(taken));
    }

    /// A branch that runs beside the channel that it leaves, around a bar, and comes to it again.
    bool part_around_bar(const BranchPoint& from) {
        const double taken = share_taken();
        const double width = mean_width_below(from, taken);
        const double bow = (kLeastBow + (kMostBow - kLeastBow) * draw(Angle)) * width;
        const double length = (kShortest + (kLongest - kShortest) * draw(Length)) *
                              braid_.channels[from.branch].line.values.width[from.point];
        const std::optional<WaterWay> way = way_below(from, length);
        if (!way) return false;
        const double side = draw(Side) < 0.5 ? 1.0 : -1.0;
        ChannelLine line = way->line;
        const std::size_t last = line.size() - 1;
        for (std::size_t i = 1; i < last; ++i) {
            constexpr double kRise = 0.35;  // of the length, at either end
            const double share = static_cast<double>(i) / static_cast<double>(last);
            const double t = std::min(1.0, std::min(share, 1.0 - share) / kRise);
            const Position heading = heading_at_point(way->line, i);
            line.x[i] -= side * bow * t * t * (3.0 - 2.0 * t) * heading.y;
            line.y[i] += side * bow * t * t * (3.0 - 2.0 * t) * heading.x;
        }
        return part(from, way->end, std::move(line), taken);
    }

    /// A branch that crosses the bar beside the channel that it leaves, to another one.
    bool part_across(const BranchPoint& from) {
        const std::optional<BranchPoint> to = end_below(from);
        if (!to) return false;
        const ChannelLine& upper = braid_.channels[from.branch].line;
        const ChannelLine& lower = braid_.channels[to->branch].line;
        const double dx = lower.x[to->point] - upper.x[from.point];
        const double dy = lower.y[to->point] - upper.y[from.point];
        const double chord = std::hypot(dx, dy);
        const Position heading = heading_at_point(upper, from.point);
        const double side = heading.x * dy - heading.y * dx > 0.0 ? 1.0 : -1.0;
        const double angle = side * (kLeastAngle + (kMostAngle - kLeastAngle) * draw(Angle));
        const Position first = turned(heading, angle);
        const Position last = turned(heading_at_point(lower, to->point), 0.5 * angle);
        const auto pieces = std::max(3, static_cast<int>(std::lround(chord / branch_spacing(channel_.line))));
        ChannelLine line;
        for (int i = 0; i <= pieces; ++i) {
            // Hermite's cubic, with tangents as long as the chord.
            const double t = static_cast<double>(i) / pieces;
            const double end = t * t * (3.0 - 2.0 * t);
            const double leaving = chord * t * (1.0 - t) * (1.0 - t);
            const double arriving = -chord * t * t * (1.0 - t);
            line.x.push_back(upper.x[from.point] + end * dx + leaving * first.x + arriving * last.x);
            line.y.push_back(upper.y[from.point] + end * dy + leaving * first.y + arriving * last.y);
        }
        line.x.back() = lower.x[to->point];
        line.y.back() = lower.y[to->point];
        return part(from, *to, std::move(line), share_taken());
    }

    [[nodiscard]] double share_taken() const {
        constexpr double kLeastTaken = 0.25;
        return kLeastTaken + kLeastTaken * draw(Share);
    }

    /// Whether a line lies within the plain and, but for both its ends, comes near to no other channel.
    [[nodiscard]] bool has_room(const RiverBranch& branch, const BranchPoint& from,
                                const BranchPoint& to) const {
        const ChannelLine& axis = channel_.line;
        const ChannelLine& line = branch.line;
        const std::vector<std::size_t> stations = stations_of(line, axis_);
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::size_t at = stations[i];
            const double half =
                0.5 * (state_.parameters.braid_plain * axis.values.width[at] - line.values.width[i]);
            if (std::hypot(axis.x[at] - line.x[i], axis.y[at] - line.y[i]) > half) return false;
        }
        for (std::size_t i = 0; i + 1 < line.size(); ++i)
            for (std::size_t k = i + 2; k + 1 < line.size(); ++k)
                if (segments_cross(line, i, line, k)) return false;
        const double zone = kBranchJunction * braid_.channels[from.branch].line.values.width[from.point];
        const auto touches = [&](const ChannelLine* other) {
            return touches_beyond(line, *other, place_of(from), place_of(to), zone);
        };
        return std::ranges::none_of(lines_of(braid_), touches) && std::ranges::none_of(others_, touches);
    }

    [[nodiscard]] Position place_of(const BranchPoint& at) const {
        const ChannelLine& line = braid_.channels[at.branch].line;
        return {.x = line.x[at.point], .y = line.y[at.point]};
    }

    /// Whether a segment of a line begins or ends at a place.
    static bool has_point(const ChannelLine& line, std::size_t segment, Position place) {
        return (line.x[segment] == place.x && line.y[segment] == place.y) ||
               (line.x[segment + 1] == place.x && line.y[segment + 1] == place.y);
    }

    /// Whether a line crosses another, or comes within their mean width of it further than `zone` from the
    /// places where it begins and ends.
    static bool touches_beyond(const ChannelLine& line, const ChannelLine& other, Position begin,
                               Position end, double zone) {
        const auto apart = [](double dx, double dy) { return std::sqrt(dx * dx + dy * dy); };
        const auto is_near = [&](double x, double y, Position place) {
            return apart(x - place.x, y - place.y) <= zone;
        };
        const auto segment = [&](const ChannelLine& of, std::size_t i) {
            return apart(of.x[i + 1] - of.x[i], of.y[i + 1] - of.y[i]);
        };
        const auto [west, east] = std::ranges::minmax_element(line.x);
        const auto [south, north] = std::ranges::minmax_element(line.y);
        const double margin = 2.0 * zone;
        for (std::size_t k = 0; k + 1 < other.size(); ++k) {
            if (other.x[k] < *west - margin || other.x[k] > *east + margin || other.y[k] < *south - margin ||
                other.y[k] > *north + margin)
                continue;
            const double other_segment = segment(other, k);
            for (std::size_t i = 0; i + 1 < line.size(); ++i) {
                const double distance = apart(line.x[i] - other.x[k], line.y[i] - other.y[k]);
                const double width =
                    0.5 * (static_cast<double>(line.values.width[i]) + other.values.width[k]);
                if (distance > 1.1 * width && distance > segment(line, i) + other_segment) continue;
                // It begins and ends at points of other lines.
                const bool is_joint = (i == 0 && has_point(other, k, begin)) ||
                                      (i + 2 == line.size() && has_point(other, k, end));
                if (!is_joint && segments_cross(line, i, other, k)) return true;
                if (distance <= 1.1 * width && !is_near(line.x[i], line.y[i], begin) &&
                    !is_near(line.x[i], line.y[i], end))
                    return true;
            }
        }
        return false;
    }

    bool part(const BranchPoint& from, const BranchPoint& to, ChannelLine line, double taken) {
        const double share = taken * braid_.channels[from.branch].share;
        // A branch that would soon be left is none.
        if (share < kLeastTimes * state_.parameters.least_branch_share) return false;
        RiverBranch added{
            .id = child_id(reach_.id, reach_.children + 1), .share = share, .line = std::move(line)};
        set_values(added, axis_);
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
        for (RiverBranch& branch : braid_.channels) set_values(branch, axis_);
        find_stations();
        return true;
    }

    static constexpr double kShortest = 4.0;  // widths of the branch from which it parts
    static constexpr double kLongest = 10.0;
    static constexpr double kLeastTimes = 1.5;  // the share below which branches are left
    static constexpr double kLeastBow = 1.2;    // mean widths of both
    static constexpr double kMostBow = 2.2;
    static constexpr double kAroundBar = 0.7;  // of bifurcations; others cross bars (empirical)
    static constexpr double kLeastAngle = 20.0 * std::numbers::pi / 180.0;
    static constexpr double kMostAngle = 45.0 * std::numbers::pi / 180.0;

    MeanderState& state_;
    MeanderChannel& channel_;
    RiverBranches& braid_;
    Reach& reach_;
    AxisLine axis_;
    std::vector<const ChannelLine*> others_;
    std::vector<std::vector<std::size_t>> stations_;  // of the points of each branch
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
