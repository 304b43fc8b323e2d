#include "thalweg/core/error.hpp"
#include "thalweg/grid/strokes.hpp"
#include "thalweg/meander/meander_edits.hpp"
#include "thalweg/project/meandering/river_edit.hpp"

#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

std::vector<Position> places_of(const RiverEdit& edit) {
    std::vector<Position> places;
    for (std::size_t i = 0; i + 1 < edit.points.size(); i += 2)
        places.push_back({.x = edit.points[i], .y = edit.points[i + 1]});
    return places;
}

void control(const RiverEdit& edit, ControlKind kind, double strength, MeanderState& state) {
    MeanderParameters parameters = state.parameters;
    parameters.controls.push_back({.kind = kind,
                                   .points = edit.points,
                                   .radius = edit.radius,
                                   .falloff = edit.falloff,
                                   .strength = strength});
    change_parameters(state, parameters);
}

void release(Position place, MeanderState& state) {
    MeanderParameters parameters = state.parameters;
    const auto reaches = [&](const ControlStroke& stroke) {
        return nearest_on_stroke(stroke.points, place).distance <= stroke.radius + stroke.falloff;
    };
    if (std::erase_if(parameters.controls, reaches) == 0)
        throw Error::input(
            fmt::format("there is nothing to release at ({}, {}): give a place within a region "
                        "of control",
                        place.x, place.y));
    change_parameters(state, parameters);
}

}  // namespace

void apply_edit(const RiverEdit& edit, double width, MeanderState& state) {
    const std::vector<Position> places = places_of(edit);
    const auto reach = [&] { return edit.reach >= 0 ? edit.reach : nearest_reach(state, places.front()); };
    switch (edit.command) {
        case RiverCommand::Attract:
            return control(edit, ControlKind::Attract, edit.strength, state);
        case RiverCommand::Repel:
            return control(edit, ControlKind::Repel, edit.strength, state);
        case RiverCommand::Damp:
            return control(edit, ControlKind::Damp, edit.strength, state);
        case RiverCommand::Lock:
            return control(edit, ControlKind::Damp, 1.0, state);
        case RiverCommand::Release:
            return release(places.front(), state);
        case RiverCommand::Move:
            return move_point(state, reach(), places[0], places[1], edit.radius);
        case RiverCommand::Split:
            split_channel(state, reach(), places.front());
            return;
        case RiverCommand::Add:
            add_channel(state, {.points = places,
                                .width = edit.width > 0.0 ? edit.width : width,
                                .discharge = edit.discharge});
            return;
        case RiverCommand::Remove:
            return remove_channel(state, reach());
        case RiverCommand::Redraw:
            return redraw_channel(state, reach(), places);
        case RiverCommand::Channel:
            return adjust_channel(state, reach(), edit.width, edit.rate_factor);
        case RiverCommand::Cutoff:
            return cut_off_channel(state, reach(), places[0], places[1]);
        case RiverCommand::Avulse:
            return avulse_channel(state, reach(), places[0], places[1]);
        case RiverCommand::Meander:
        case RiverCommand::Raise:
        case RiverCommand::Stage:
            break;
    }
}

}  // namespace thalweg
