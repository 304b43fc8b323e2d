#include "thalweg/meander/simulation/course_cuts.hpp"

#include "thalweg/meander/channel/line_cells.hpp"
#include "thalweg/meander/network/bank_cuts.hpp"
#include "thalweg/meander/simulation/mobility.hpp"
#include "thalweg/meander/simulation/settling.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

void lower_cell(Field<float>& elevation, int column, int row, float bank) {
    float& ground = elevation(column, row);
    if (ground > bank) ground = bank;
}

/// Lowers the cells that the segment after a point passes to its bank there.
void lower_under_segment(Field<float>& elevation, const ChannelLine& line, std::size_t i) {
    const auto bank_at = [&](double share) {
        const auto mix = [&](const auto& v) { return v[i] + share * (v[i + 1] - v[i]); };
        return static_cast<float>(mix(line.z) + mix(line.values.depth));
    };
    for_each_passed_cell(elevation.grid(), {line.x[i], line.y[i]}, {line.x[i + 1], line.y[i + 1]},
                         [&](const PassedCell& cell) {
                             if (elevation.grid().contains(cell.column, cell.row))
                                 lower_cell(elevation, cell.column, cell.row, bank_at(cell.last));
                         });
}

/// The course of an avulsion or a chute, on the channel of its reach: from where it left to where the old
/// course came back, or to the end of the channel where it did not.
void cut_course(MeanderState& state, const MeanderEvent& event, const AbandonedCourse& left) {
    const auto channel = std::ranges::find(state.channels, event.reach, &MeanderChannel::reach);
    if (channel == state.channels.end()) return;
    const ChannelLine& line = channel->line;
    const std::size_t first = nearest_point(line, {.x = event.x, .y = event.y}).point;
    const NearestPoint back = nearest_point(line, {.x = left.line.x.back(), .y = left.line.y.back()});
    const bool comes_back = back.point > first && back.distance <= line.values.width[back.point];
    const std::size_t last = comes_back ? back.point : line.size() - 1;
    for (std::size_t i = first; i <= last; ++i) {
        lower_to_bank(*state.elevation, line, i);
        if (i < last) lower_under_segment(*state.elevation, line, i);
    }
    find_mobility(state, *channel);
}

}  // namespace

void cut_new_courses(MeanderState& state, std::size_t first_event) {
    if (!state.elevation) return;
    for (std::size_t i = first_event; i < state.history.events.size(); ++i) {
        const MeanderEvent& event = state.history.events[i];
        if (event.kind != MeanderEventKind::Avulsion && event.kind != MeanderEventKind::Chute) continue;
        const auto left = std::ranges::find(state.history.courses, event.course, &AbandonedCourse::id);
        if (left != state.history.courses.end()) cut_course(state, event, *left);
    }
}

}  // namespace thalweg
