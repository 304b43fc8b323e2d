#include "thalweg/meander/branches/deltas.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/branches/branch_lines.hpp"
#include "thalweg/meander/branches/branch_meetings.hpp"
#include "thalweg/meander/branches/delta_ground.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/river/hydraulics.hpp"
#include "thalweg/river/network_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

constexpr double kDeltaHeight = 0.3;  // m, of its ground above the water (empirical)
constexpr double kLandHeight = 0.5;   // m above the water from which on ground stops a mouth
constexpr double kLobe = 1.7;         // widths from a mouth, to which there is ground before it goes on, and
constexpr double kLobeOfRiver = 0.7;  // of the river's widths besides (empirical)
constexpr double kDeltaJunction = 3.0;  // widths from where a branch begins, within which others are near
constexpr double kClearance = 1.5;      // mean widths between a mouth and other channels

/// The delta of one river in one step.
class DeltaStep {
  public:
    DeltaStep(MeanderState& state, std::size_t place)
        : state_(state),
          place_(place),
          river_(state.channels[place]),
          delta_(river_.delta),
          reach_(state.network.reaches[place]),
          spacing_(branch_spacing(river_.line)),
          others_(other_lines(state, place)) {
        others_.push_back(&river_.line);
    }

    void run() {
        if (delta_.empty() && !begin()) return;
        shift_water();
        leave_small();
        // Branches that part come last, so that places stay.
        const std::size_t count = delta_.channels.size();
        const double load = state_.elevation ? receive_load() : 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            if (!is_mouth(i)) continue;
            if (state_.elevation)
                lay_down_load(i, delta_.channels[i].share * load);
            else
                come_forward(i, state_.parameters.delta_growth * delta_.channels[i].share *
                                    state_.parameters.migration.time_step);
        }
        leave_crossing();
        for (RiverBranch& branch : delta_.channels) set_delta_values(branch);
    }

  private:
    enum DeltaDraw : std::uint64_t { Water = 51, BarDistance = 52, WaterOfBranch = 53, Sides = 54 };

    [[nodiscard]] double delta_draw(std::int64_t branch, std::uint64_t time, DeltaDraw purpose) const {
        return unit_double(
            random_bits(state_.seed, Stream::Meander, static_cast<std::uint64_t>(branch), time, purpose));
    }

    std::int64_t new_id() { return child_id(reach_.id, ++reach_.children); }

    /// A first branch, straight on from the river's end.
    bool begin() {
        const ChannelLine& line = river_.line;
        const Position heading = heading_at_end(line);
        const Position end{.x = line.x.back(), .y = line.y.back()};
        const Position next = ahead(end, heading, line.values.width.back());
        if (!is_water(end) || !is_water(next)) return false;
        delta_.nodes = 3;
        delta_.channels.push_back({.id = new_id(), .from = kHeadNode, .to = 2, .line = line_to(end, next)});
        set_delta_values(delta_.channels.back());
        return true;
    }

    static ChannelLine line_to(Position from, Position to) {
        ChannelLine line;
        line.x = {from.x, to.x};
        line.y = {from.y, to.y};
        return line;
    }

    static Position heading_at_end(const ChannelLine& line) {
        const std::size_t last = line.size() - 1;
        const double x = line.x[last] - line.x[last - 1];
        const double y = line.y[last] - line.y[last - 1];
        const double length = std::hypot(x, y);
        return {.x = x / length, .y = y / length};
    }

    static Position ahead(Position from, Position heading, double way) {
        return {.x = from.x + way * heading.x, .y = from.y + way * heading.y};
    }

    static Position heading_turned(Position heading, double angle) {
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        return {.x = c * heading.x - s * heading.y, .y = s * heading.x + c * heading.y};
    }

    static double degrees_between(Position a, Position b) {
        return std::acos(std::clamp(a.x * b.x + a.y * b.y, -1.0, 1.0)) * 180.0 / std::numbers::pi;
    }

    [[nodiscard]] bool is_water(Position place) const {
        if (!state_.elevation) return true;
        return sample_bilinear(*state_.elevation, place) <= state_.parameters.water_level + kLandHeight;
    }

    [[nodiscard]] bool is_mouth(std::size_t at) const {
        return std::ranges::find(delta_.channels, delta_.channels[at].to, &RiverBranch::from) ==
               delta_.channels.end();
    }

    void set_delta_values(RiverBranch& branch) const {
        const PointValues& end = river_.line.values;
        const std::size_t n = branch.line.size();
        const double narrowing = std::sqrt(branch.share);
        const double shallowing = depth_of_width(narrowing) / depth_of_width(1.0);
        branch.line.z.assign(n, river_.line.z.back());
        branch.line.values.width.assign(n, static_cast<float>(end.width.back() * narrowing));
        branch.line.values.depth.assign(n, static_cast<float>(end.depth.back() * shallowing));
        branch.line.values.discharge.assign(n, static_cast<float>(end.discharge.back() * branch.share));
    }

    /// Length of the way from where a branch begins to its mouths, by their shares of water, m.
    [[nodiscard]] double way_to_mouths(const RiverBranch& branch) const {
        double way = length_of(branch.line);
        for (const RiverBranch& below : delta_.channels)
            if (below.from == branch.to) way += below.weight * way_to_mouths(below);
        return way;
    }

    /// Years in which the river would come forward by the distance of its first mouth bar.
    [[nodiscard]] double years_of_a_bar() const {
        return state_.parameters.mouth_bar_distance * river_.line.values.width.back() /
               std::max(1e-9, state_.parameters.delta_growth);
    }

    void shift_water() {
        constexpr double kWander = 0.3;   // of a weight in the years of a bar, at most (empirical)
        constexpr double kShorter = 0.2;  // of a weight in these, for a way that is twice as long (empirical)
        const double bars = state_.parameters.migration.time_step / years_of_a_bar();
        const auto period = static_cast<std::uint64_t>(state_.year() / years_of_a_bar());
        for (RiverBranch& branch : delta_.channels) {
            double mean = 0.0;
            for (const RiverBranch& beside : delta_.channels)
                if (beside.from == branch.from) mean += beside.weight * way_to_mouths(beside);
            const double draw = 2.0 * delta_draw(branch.id, period, Water) - 1.0;
            const double detour = way_to_mouths(branch) / mean - 1.0;
            branch.weight *= std::max(0.5, 1.0 + bars * (kWander * draw - kShorter * detour));
        }
        share_water(delta_);
    }

    void leave(std::size_t at) {
        record_left(state_, place_, leave_branch(delta_, at), MeanderEventKind::Closure);
        merge_branches(delta_);
        share_water(delta_);
    }

    void leave_small() {
        for (;;) {
            const auto is_small = [&](const RiverBranch& branch) {
                return branch.share < state_.parameters.least_branch_share &&
                       std::ranges::count(delta_.channels, branch.from, &RiverBranch::from) > 1;
            };
            const auto small = std::ranges::find_if(delta_.channels, is_small);
            if (small == delta_.channels.end()) return;
            leave(static_cast<std::size_t>(small - delta_.channels.begin()));
        }
    }

    /// How far a place is from all channels but the branch itself, in mean widths, at most `most`. Others
    /// near where it begins do not count while it is short.
    [[nodiscard]] double room_at(Position place, const RiverBranch& own, double most) const {
        const double width = own.line.values.width.back();
        const Position head{.x = own.line.x.front(), .y = own.line.y.front()};
        double squared = most * most;
        const auto squared_distance = [](const ChannelLine& line, std::size_t i, Position from) {
            const double x = line.x[i] - from.x;
            const double y = line.y[i] - from.y;
            return x * x + y * y;
        };
        const double junction = kDeltaJunction * width;
        const auto look = [&](const ChannelLine& line) {
            for (std::size_t i = 0; i < line.size(); ++i) {
                if (squared_distance(line, i, head) < junction * junction) continue;
                const double mean = 0.5 * (width + line.values.width[i]);
                squared = std::min(squared, squared_distance(line, i, place) / (mean * mean));
            }
        };
        for (const RiverBranch& branch : delta_.channels)
            if (branch.id != own.id) look(branch.line);
        for (const ChannelLine* const line : others_) look(*line);
        return std::sqrt(squared);
    }

    /// How far land is to either side of a place, and obliquely ahead, in `width` m; at most `most`.
    [[nodiscard]] double room_to_land(Position place, Position heading, double width, double most) const {
        for (double room = 1.0; room < most; ++room)
            for (const double degrees : {-90.0, -45.0, 45.0, 90.0})
                if (!is_water(ahead(place, heading_turned(heading, degrees * std::numbers::pi / 180.0),
                                    room * width)))
                    return room;
        return most;
    }

    /// The heading in which a mouth has most room ahead, among channels and off the land; nothing where
    /// others leave it none.
    [[nodiscard]] std::optional<Position> best_heading(const RiverBranch& branch) const {
        constexpr int kTurns = 5;                // to either side
        constexpr double kTurn = 8.0;            // degrees
        constexpr double kWander = 12.0;         // degrees at most, by draws (empirical)
        constexpr double kMostRoom = 8.0;        // mean widths: more is no better
        constexpr double kMostRoomToLand = 4.0;  // widths, likewise
        constexpr double kStraight = 0.03;       // mean widths of room that a degree is worth
        constexpr double kAbreast = 90.0;  // degrees from the river's heading, from which on (empirical)
        constexpr double kSeaward = 0.1;   // mean widths of room are worth a degree (empirical)
        const ChannelLine& line = branch.line;
        const Position mouth{.x = line.x.back(), .y = line.y.back()};
        const Position heading = heading_at_end(line);
        const Position river_heading = heading_at_end(river_.line);
        const double draw = 2.0 * delta_draw(branch.id, line.size(), Sides) - 1.0;
        const double side = draw < 0.0 ? -1.0 : 1.0;
        std::optional<Position> best;
        double best_worth = -std::numeric_limits<double>::infinity();
        for (int k = -kTurns; k <= kTurns; ++k) {
            const double degrees = side * kTurn * k + kWander * draw;
            const Position turned = heading_turned(heading, degrees * std::numbers::pi / 180.0);
            const Position next = ahead(mouth, turned, spacing_);
            const Position later = ahead(mouth, turned, 2.0 * line.values.width.back() + spacing_);
            const double room = std::min(room_at(next, branch, kMostRoom), room_at(later, branch, kMostRoom));
            if (!is_water(next) || !is_water(later) || room < kClearance) continue;
            const double off_land = room_to_land(later, turned, line.values.width.back(), kMostRoomToLand);
            const double back = std::max(0.0, degrees_between(turned, river_heading) - kAbreast);
            const double worth = room + off_land - kStraight * std::abs(degrees) - kSeaward * back;
            if (worth <= best_worth) continue;
            best_worth = worth;
            best = turned;
        }
        return best;
    }

    /// Lets a mouth come forward by a way, or to where it has no room. Returns whether it has.
    bool come_forward(std::size_t at, double way) {
        RiverBranch& branch = delta_.channels[at];
        ChannelLine& line = branch.line;
        bool has_moved = false;
        while (way > 0.0) {
            const std::size_t last = line.size() - 1;
            const double segment =
                std::hypot(line.x[last] - line.x[last - 1], line.y[last] - line.y[last - 1]);
            const Position mouth{.x = line.x[last], .y = line.y[last]};
            if (segment < spacing_) {
                const double step = std::min(way, spacing_ - segment + 1e-6);
                const Position next = ahead(mouth, heading_at_end(line), step);
                line.x[last] = next.x;
                line.y[last] = next.y;
                way -= step;
                has_moved = true;
                continue;
            }
            set_delta_values(branch);
            const std::optional<Position> heading = best_heading(branch);
            if (!heading) break;
            const double step = std::min(way, spacing_);
            const Position next = ahead(mouth, *heading, step);
            line.x.push_back(next.x);
            line.y.push_back(next.y);
            way -= step;
            has_moved = true;
        }
        set_delta_values(branch);
        if (has_bar(branch)) part(at);
        return has_moved;
    }

    /// Whether a branch is so long that a bar lies before its mouth.
    [[nodiscard]] bool has_bar(const RiverBranch& branch) const {
        const double bar = state_.parameters.mouth_bar_distance * branch.line.values.width.back() *
                           (0.8 + 0.4 * delta_draw(branch.id, 0, BarDistance));
        return length_of(branch.line) >= bar;
    }

    /// Parts the mouth of a branch around a bar, where both have room.
    void part(std::size_t at) {
        constexpr double kLeastTimes = 1.3;  // the share below which branches are left
        const RiverBranch parent = delta_.channels[at];
        const Position mouth{.x = parent.line.x.back(), .y = parent.line.y.back()};
        const Position heading = heading_at_end(parent.line);
        const double taken = 0.3 + 0.4 * delta_draw(parent.id, 0, WaterOfBranch);
        const double angle = state_.parameters.delta_angle * std::numbers::pi / 180.0;
        std::vector<RiverBranch> parts;
        for (const double share : {taken, 1.0 - taken}) {
            if (share * parent.share < kLeastTimes * state_.parameters.least_branch_share) return;
            const double side = parts.empty() ? 1.0 : -1.0;
            const Position leaving = heading_turned(heading, side * (1.0 - share) * angle);
            RiverBranch branch{.from = parent.to, .weight = share, .share = share * parent.share};
            branch.line = line_to(mouth, ahead(mouth, leaving, spacing_));
            set_delta_values(branch);
            const Position later = ahead(mouth, leaving, kDeltaJunction * branch.line.values.width.back());
            if (!is_water(later) || room_at(later, branch, 2.0 * kClearance) < kClearance) return;
            parts.push_back(std::move(branch));
        }
        state_.history.events.push_back({.year = state_.year(),
                                         .kind = MeanderEventKind::Bifurcation,
                                         .reach = reach_.id,
                                         .x = mouth.x,
                                         .y = mouth.y});
        for (RiverBranch& branch : parts) {
            branch.id = new_id();
            branch.to = delta_.nodes++;
            delta_.channels.push_back(std::move(branch));
        }
    }

    /// Leaves branches that cross others or other channels; all, where the first one does.
    void leave_crossing() {
        for (;;) {
            std::vector<const ChannelLine*> lines = lines_of(delta_);
            const auto own = static_cast<std::int32_t>(lines.size());
            lines.insert(lines.end(), others_.begin(), others_.end());
            const std::vector<LineCrossing> crossings = crossings_of(lines);
            const auto found = std::ranges::find_if(
                crossings, [&](const LineCrossing& crossing) { return crossing.first.line < own; });
            if (found == crossings.end()) return;
            const auto at = static_cast<std::size_t>(std::max(
                found->first.line, found->second.line < own ? found->second.line : found->first.line));
            if (!can_be_left(delta_, at)) {
                record_left(state_, place_, delta_.channels, MeanderEventKind::Closure);
                delta_ = {};
                return;
            }
            leave(at);
        }
    }

    /// What the river has brought and not yet laid down, m^3.
    double receive_load() {
        if (!state_.delta_deposit) state_.delta_deposit.emplace(state_.elevation->grid(), 0.0F);
        return river_.delta_load +=
               delta_load(river_.line.values.discharge.back(), state_.parameters.sediment_concentration,
                          state_.parameters.migration.time_step);
    }

    /// Lays down a volume (m^3) before a mouth, which comes forward where the ground around it is complete.
    void lay_down_load(std::size_t at, double volume) {
        const double river_width = river_.line.values.width.back();
        for (bool goes_on = true; goes_on;) {
            const RiverBranch& branch = delta_.channels[at];
            const LaidDown laid = lay_down(
                {.mouth = {.x = branch.line.x.back(), .y = branch.line.y.back()},
                 .radius = kLobe * river_width * std::sqrt(branch.share) + kLobeOfRiver * river_width,
                 .top = state_.parameters.water_level + kDeltaHeight},
                volume, *state_.elevation, *state_.delta_deposit);
            volume -= laid.volume;
            river_.delta_load -= laid.volume;
            // What is left when it parts waits for the new mouths.
            goes_on = laid.is_complete && volume > 0.0 && come_forward(at, spacing_) && is_mouth(at) &&
                      !has_bar(delta_.channels[at]);
        }
    }

    MeanderState& state_;
    std::size_t place_;
    MeanderChannel& river_;
    RiverBranches& delta_;
    Reach& reach_;
    double spacing_;
    std::vector<const ChannelLine*> others_;
};

/// Whether a delta begins elsewhere than where the river ends now.
bool is_elsewhere(const MeanderChannel& channel) {
    constexpr double kSamePlace = 1e-3;  // m
    if (channel.delta.empty()) return false;
    const ChannelLine& first = channel.delta.channels.front().line;
    return std::hypot(first.x.front() - channel.line.x.back(), first.y.front() - channel.line.y.back()) >
           kSamePlace;
}

}  // namespace

void step_deltas(MeanderState& state) {
    for (std::size_t place = 0; place < state.channels.size(); ++place) {
        MeanderChannel& channel = state.channels[place];
        const Reach& reach = state.network.reaches[place];
        const bool is_end = reach.next_down < 0 &&
                            std::ranges::count(state.network.reaches, reach.to_node, &Reach::to_node) == 1;
        if (!state.parameters.deltas || !is_end || is_elsewhere(channel)) channel.delta = {};
        if (state.parameters.deltas && is_end) DeltaStep(state, place).run();
    }
}

}  // namespace thalweg
