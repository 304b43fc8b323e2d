#include "thalweg/meander/events/cutoffs.hpp"

#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/events/abandonment.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace thalweg {
namespace {

/// The points of a line that a bend begins and ends with.
struct Neck {
    std::int32_t line = 0;
    std::int32_t first = 0;
    std::int32_t last = 0;
};

/// Bends whose limbs cross are cut off where these do furthest from its top, others where limbs are closest.
std::vector<Neck> necks_of(const MeanderState& state, std::span<const ClosePair> pairs) {
    std::vector<ClosePair> own;
    for (const ClosePair& pair : pairs) {
        if (pair.first.line != pair.second.line) continue;
        const ChannelLine& line = state.channels[pair.first.line].line;
        own.push_back(pair);
        if (cross_beside(line, pair.first.point, line, pair.second.point))
            own.back().closeness = pair.first.point - pair.second.point;  // less than 0: before all others
    }
    std::ranges::sort(own, [](const ClosePair& a, const ClosePair& b) {
        return std::tuple(a.closeness, a.first, a.second) < std::tuple(b.closeness, b.first, b.second);
    });
    std::vector<Neck> necks;
    for (const ClosePair& pair : own) {
        const auto overlaps = [&](const Neck& neck) {
            return neck.line == pair.first.line && pair.first.point <= neck.last &&
                   neck.first <= pair.second.point;
        };
        if (std::ranges::none_of(necks, overlaps))
            necks.push_back({.line = pair.first.line, .first = pair.first.point, .last = pair.second.point});
    }
    // From the end of each line, so that places further up stay what they are.
    std::ranges::sort(necks, [](const Neck& a, const Neck& b) {
        return std::tuple(a.line, -a.first) < std::tuple(b.line, -b.first);
    });
    return necks;
}

}  // namespace

int cut_off_bends(MeanderState& state, std::span<const ClosePair> pairs) {
    const std::vector<Neck> necks = necks_of(state, pairs);
    for (const auto& [line, first, last] : necks) {
        leave_course(state, line, first, last, MeanderEventKind::Cutoff);
        leave_out(state.channels[line].line, first, last);
    }
    return static_cast<int>(necks.size());
}

}  // namespace thalweg
