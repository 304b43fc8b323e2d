#include "thalweg/meander/branches/branch_meetings.hpp"

#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/branches/branch_lines.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/channel/line_edits.hpp"
#include "thalweg/river/network_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

constexpr double kNearBranchNode = 1.5;  // widths, within which a branch that is met ends at a node

/// Length along a line from its head to a point, or from there to its end, m.
double length_between(const ChannelLine& line, std::size_t first, std::size_t last) {
    double length = 0.0;
    for (std::size_t i = first; i < last; ++i)
        length += std::hypot(line.x[i + 1] - line.x[i], line.y[i + 1] - line.y[i]);
    return length;
}

double from_head(const ChannelLine& line, std::size_t point) {
    return length_between(line, 0, point);
}

double from_end(const ChannelLine& line, std::size_t point) {
    return length_between(line, point, line.size() - 1);
}

/// Where a branch meets another one.
struct BranchMeeting {
    std::size_t ending = 0;  // places of the branches
    std::size_t going_on = 0;
    std::size_t ending_point = 0;
    std::size_t met_point = 0;
    bool cross = false;
};

/// Meetings of the branches of one reach, one after another.
class BranchMeetings {
  public:
    BranchMeetings(MeanderState& state, std::size_t place, RiverBranches& branches)
        : state_(state), place_(place), branches_(branches) {}

    /// Deals with all crossings, or else with all thin islands, or else with all points that are too close:
    /// of those of one branch, with the first. Returns how many there were.
    int deal_with_all() {
        int contracted = 0;
        while (contract_short_branch(branches_)) ++contracted;
        if (contracted > 0) return contracted;
        begin_round();
        const std::vector<const ChannelLine*> lines = lines_of(branches_);
        for (const LineCrossing& crossing : crossings_of(lines))
            meet_untouched(crossing.first, crossing.second, true);
        if (dealt_with_ > 0) return dealt_with_;
        leave_thin_islands();
        if (dealt_with_ > 0) return dealt_with_;
        std::vector<ClosePair> pairs = close_pairs(lines);
        std::erase_if(pairs, [&](const ClosePair& pair) { return is_junction(pair); });
        for (const ClosePair& pair : pairs) meet_untouched(pair.first, pair.second, false);
        return dealt_with_;
    }

    /// Leaves branches that meet from now on: what has met again and again.
    void leave_what_meets() { leaves_ = true; }

  private:
    [[nodiscard]] RiverBranch& branch_at(std::size_t at) { return branches_.channels[at]; }

    void begin_round() {
        ids_.clear();
        along_.clear();
        touched_.clear();
        dealt_with_ = 0;
        for (const RiverBranch& branch : branches_.channels) {
            ids_.push_back(branch.id);
            std::vector<double>& along = along_.emplace_back(1, 0.0);
            const ChannelLine& line = branch.line;
            for (std::size_t i = 0; i + 1 < line.size(); ++i)
                along.push_back(along.back() +
                                std::hypot(line.x[i + 1] - line.x[i], line.y[i + 1] - line.y[i]));
        }
    }

    /// Where a branch of the beginning of this round is now, if it still is as it was then.
    [[nodiscard]] std::optional<std::size_t> untouched(std::size_t place) const {
        const std::int64_t id = ids_[place];
        const auto found = std::ranges::find(branches_.channels, id, &RiverBranch::id);
        if (found == branches_.channels.end() || touched_.contains(id)) return std::nullopt;
        return static_cast<std::size_t>(found - branches_.channels.begin());
    }

    /// What is dealt with changes these branches: other meetings of theirs are found anew.
    void touch(std::size_t a, std::size_t b) {
        touched_.insert({ids_[a], ids_[b]});
        ++dealt_with_;
    }

    void meet_untouched(LinePlace first, LinePlace second, bool cross) {
        const auto a = static_cast<std::size_t>(first.line);
        const auto b = static_cast<std::size_t>(second.line);
        const std::optional<std::size_t> one = untouched(a);
        const std::optional<std::size_t> other = untouched(b);
        if (!one || !other) return;
        touch(a, b);
        first.line = static_cast<std::int32_t>(*one);
        second.line = static_cast<std::int32_t>(*other);
        meet(first, second, cross);
        share_water(branches_);
    }

    void meet(const LinePlace& first, const LinePlace& second, bool cross) {
        const auto a = static_cast<std::size_t>(first.line);
        const auto b = static_cast<std::size_t>(second.line);
        const auto i = static_cast<std::size_t>(first.point);
        const auto j = static_cast<std::size_t>(second.point);
        if (a == b) return cut_off(a, i, cross ? j + 1 : j);
        if (leaves_ && leave_smaller(a, b)) return;
        join({.ending = b, .going_on = a, .ending_point = j, .met_point = i, .cross = cross});
    }

    void cut_off(std::size_t at, std::size_t first, std::size_t last) {
        ChannelLine& line = branch_at(at).line;
        record_left(state_, place_, {{.line = part_of(line, first, last)}}, MeanderEventKind::Cutoff);
        leave_out(line, first, last);
    }

    /// Whether both points of a pair lie near ends of their branches that are at one node, or at two that
    /// are close to each other.
    [[nodiscard]] bool is_junction(const ClosePair& pair) const {
        if (pair.first.line == pair.second.line) return false;
        const ChannelLine& a = branches_.channels[pair.first.line].line;
        const ChannelLine& b = branches_.channels[pair.second.line].line;
        const auto i = static_cast<std::size_t>(pair.first.point);
        const auto j = static_cast<std::size_t>(pair.second.point);
        const double width = std::max(a.values.width[i], b.values.width[j]);
        const auto is_near = [&](std::int32_t line, std::size_t point, bool head) {
            const std::vector<double>& along = along_[line];
            return (head ? along[point] : along.back() - along[point]) <= kBranchJunction * width;
        };
        for (const bool a_head : {false, true})
            for (const bool b_head : {false, true}) {
                const std::size_t at = a_head ? 0 : a.size() - 1;
                const std::size_t beside = b_head ? 0 : b.size() - 1;
                if (std::hypot(a.x[at] - b.x[beside], a.y[at] - b.y[beside]) <= kNearBranchNode * width &&
                    is_near(pair.first.line, i, a_head) && is_near(pair.second.line, j, b_head))
                    return true;
            }
        return false;
    }

    /// Whether two branches are nowhere further apart than their mean width.
    static bool is_thin_between(const RiverBranch& larger, const RiverBranch& smaller) {
        double furthest = 0.0;
        const AxisLine axis = larger.line;
        for (std::size_t j = 0; j < smaller.line.size(); ++j) {
            const std::size_t i = nearest_point_of(axis, smaller.line.x[j], smaller.line.y[j]);
            furthest = std::max(furthest, std::hypot(larger.line.x[i] - smaller.line.x[j],
                                                     larger.line.y[i] - smaller.line.y[j]));
        }
        return furthest <= 0.5 * (smaller.line.values.width[smaller.line.size() / 2] +
                                  larger.line.values.width[larger.line.size() / 2]);
    }

    /// Leaves the smaller of two branches that begin and end together with a thin island between them.
    void leave_thin_islands() {
        const auto ends_of = [](const RiverBranch& branch) { return std::pair(branch.from, branch.to); };
        std::vector<std::size_t> order(branches_.channels.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        // Side by side those that begin and end together, the larger first.
        const auto comes_before = [&](std::size_t a, std::size_t b) {
            const RiverBranch& one = branches_.channels[a];
            const RiverBranch& other = branches_.channels[b];
            return std::tuple(ends_of(one), -one.share, a) < std::tuple(ends_of(other), -other.share, b);
        };
        std::ranges::sort(order, comes_before);
        std::vector<std::pair<std::size_t, std::size_t>> thin;  // places, the larger first
        for (std::size_t i = 1; i < order.size(); ++i) {
            const RiverBranch& larger = branch_at(order[i - 1]);
            const RiverBranch& smaller = branch_at(order[i]);
            if (ends_of(larger) == ends_of(smaller) && is_thin_between(larger, smaller))
                thin.emplace_back(order[i - 1], order[i]);
        }
        for (const auto& [larger, smaller] : thin) {
            const std::optional<std::size_t> place = untouched(smaller);
            if (!place || !untouched(larger)) continue;
            touch(larger, smaller);
            leave(*place, MeanderEventKind::Closure);
        }
    }

    /// Leaves the smaller one of two that can be left, if any can.
    bool leave_smaller(std::size_t a, std::size_t b) {
        if (branch_at(a).share < branch_at(b).share || !can_be_left(branches_, b)) std::swap(a, b);
        if (!can_be_left(branches_, b)) return false;
        leave(b, MeanderEventKind::Closure);
        return true;
    }

    void leave(std::size_t at, MeanderEventKind cause) {
        record_left(state_, place_, leave_branch(branches_, at), cause);
    }

    /// The node of a branch at a point: one of its ends that is near, where water of it does not come to
    /// `forbidden`, or a new one.
    std::int32_t node_at(std::size_t at, std::size_t point, std::int32_t forbidden, double near_widths) {
        const RiverBranch& branch = branch_at(at);
        const double near = near_widths * branch.line.values.width[point];
        const double to_head = from_head(branch.line, point);
        const double to_end = from_end(branch.line, point);
        const auto is_allowed = [&](std::int32_t node) { return !flows_to(branches_, node, forbidden); };
        if (to_head <= near && to_head <= to_end && is_allowed(branch.from)) return branch.from;
        if (to_end <= near && is_allowed(branch.to)) return branch.to;
        Reach& reach = state_.network.reaches[place_];
        return split_branch(branches_, at, point, child_id(reach.id, ++reach.children));
    }

    void join(BranchMeeting meeting) {
        // Who ends: the one upstream of the other, or the one of less water.
        const RiverBranch& a = branch_at(meeting.going_on);
        const RiverBranch& b = branch_at(meeting.ending);
        const bool a_is_above = flows_to(branches_, a.to, b.from);
        const bool b_is_above = flows_to(branches_, b.to, a.from);
        if (a_is_above || (!b_is_above && a.share < b.share))
            meeting = {.ending = meeting.going_on,
                       .going_on = meeting.ending,
                       .ending_point = meeting.met_point,
                       .met_point = meeting.ending_point,
                       .cross = meeting.cross};
        if (part_together(meeting)) return part_later(meeting);
        end_at(meeting);
    }

    /// Whether both part at one node and have met not far below it.
    bool part_together(const BranchMeeting& meeting) {
        constexpr double kNotFar = 8.0;  // widths
        const RiverBranch& a = branch_at(meeting.going_on);
        const RiverBranch& b = branch_at(meeting.ending);
        const double limit = kNotFar * std::max(a.line.values.width[meeting.met_point],
                                                b.line.values.width[meeting.ending_point]);
        return a.from == b.from && from_head(a.line, meeting.met_point) <= limit &&
               from_head(b.line, meeting.ending_point) <= limit;
    }

    /// Lets the smaller branch part where it has met the larger one, and not before.
    void part_later(const BranchMeeting& meeting) {
        const std::size_t from = meeting.ending_point + 1;
        if (from >= branch_at(meeting.ending).line.size())
            return leave(meeting.ending, MeanderEventKind::Closure);
        const double taken = branch_at(meeting.ending).share;
        const double stays = branch_at(meeting.going_on).share;
        Reach& reach = state_.network.reaches[place_];
        const std::int32_t node = split_branch(branches_, meeting.going_on, meeting.met_point,
                                               child_id(reach.id, ++reach.children));
        RiverBranch& upper = branch_at(meeting.going_on);
        RiverBranch& lower = branches_.channels.back();
        RiverBranch& later = branch_at(meeting.ending);
        upper.weight += later.weight;
        lower.weight = stays;
        later.weight = taken;
        if (later.to == node) return;
        ChannelLine line = part_of(upper.line, upper.line.size() - 1, upper.line.size() - 1);
        const ChannelLine rest = part_of(later.line, from, later.line.size() - 1);
        for_each_column(line, rest, [](auto& column, const auto& of) {
            column.insert(column.end(), of.begin(), of.end());
        });
        later.line = std::move(line);
        later.from = node;
    }

    void end_at(const BranchMeeting& meeting) {
        const std::int32_t head = branch_at(meeting.ending).from;
        const std::int32_t node =
            node_at(meeting.going_on, meeting.met_point, head, meeting.cross ? 0.0 : kNearBranchNode);
        RiverBranch& ending = branch_at(meeting.ending);
        const auto on_node = [&](const RiverBranch& branch) {
            return branch.from == node || branch.to == node;
        };
        const auto& at = *std::ranges::find_if(branches_.channels, on_node);
        const bool begins = at.from == node;
        const double x = begins ? at.line.x.front() : at.line.x.back();
        const double y = begins ? at.line.y.front() : at.line.y.back();
        std::vector<RiverBranch> left = {
            {.line = part_of(ending.line, meeting.ending_point, ending.line.size() - 1)}};
        ending.line = part_of(ending.line, 0, meeting.ending_point);
        ending.to = node;
        if (ending.line.size() > 1 && std::hypot(ending.line.x.back() - x, ending.line.y.back() - y) < 1e-6) {
            ending.line.x.back() = x;
            ending.line.y.back() = y;
        } else {
            for_each_column(ending.line, ending.line,
                            [](auto& column, const auto&) { column.push_back(column.back()); });
            ending.line.x.back() = x;
            ending.line.y.back() = y;
        }
        for (RiverBranch& dry : leave_dry_branches(branches_)) left.push_back(std::move(dry));
        record_left(state_, place_, left, MeanderEventKind::Confluence);
    }

    MeanderState& state_;
    std::size_t place_;
    RiverBranches& branches_;
    bool leaves_ = false;
    // Of the branches as they were when the round began.
    std::vector<std::int64_t> ids_;
    std::vector<std::vector<double>> along_;  // m, from their heads to their points
    std::set<std::int64_t> touched_;
    int dealt_with_ = 0;
};

}  // namespace

void record_left(MeanderState& state, std::size_t place, const std::vector<RiverBranch>& left,
                 MeanderEventKind cause) {
    constexpr double kShortest = 6.0;  // widths of a course that is kept
    Reach& reach = state.network.reaches[place];
    std::int64_t course = -1;
    for (const RiverBranch& branch : left) {
        const ChannelLine& line = branch.line;
        if (line.size() < 3 || length_of(line) < kShortest * line.values.width[line.size() / 2]) continue;
        AbandonedCourse abandoned{.id = child_id(reach.id, ++reach.children),
                                  .reach = reach.id,
                                  .year = state.year(),
                                  .cause = cause,
                                  .line = line};
        if (course < 0) course = abandoned.id;
        state.history.courses.push_back(std::move(abandoned));
    }
    state.history.events.push_back({.year = state.year(),
                                    .kind = cause,
                                    .reach = reach.id,
                                    .x = left.front().line.x.front(),
                                    .y = left.front().line.y.front(),
                                    .course = course});
}

bool join_branches(MeanderState& state, std::size_t place, RiverBranches& branches) {
    // Meetings far from each other are dealt with in one round.
    constexpr int kRounds = 48;
    constexpr int kJoiningRounds = 16;
    BranchMeetings meetings(state, place, branches);
    for (int round = 0; round < kRounds && meetings.deal_with_all() > 0; ++round) {
        if (round == kJoiningRounds) meetings.leave_what_meets();
        share_water(branches);
        merge_branches(branches);
    }
    return crossings_of(lines_of(branches)).empty();
}

}  // namespace thalweg
