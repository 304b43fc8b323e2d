#include "thalweg/project/particles/particle_edit.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/parts/layer_edit.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::array kOfDropletStart = {"cycles",
                                        "lakes_full_at_first",
                                        "history_every",
                                        "metrics_every",
                                        "sediment_depth",
                                        "soil_depth",
                                        "rock",
                                        "pigment",
                                        "pigment_formation",
                                        "ground_colours",
                                        "edits",
                                        "plant_cover"};

bool is_stroke(const ParticleEdit& edit) {
    return edit.stage == "strokes";
}

}  // namespace

void ParticleEdit::declare(Declaration<ParticleEdit>& d) {
    d.integer("cycle", &ParticleEdit::cycle,
              {.label = "Cycle",
               .unit = "1",
               .sentence = "Before which cycle it is done; 0: before the first one.",
               .minimum = 0.0,
               .maximum = 1e7,
               .usual = {0.0, 1000.0}});
    d.text("stage", &ParticleEdit::stage,
           {.label = "Stage",
            .unit = "",
            .sentence = "strokes for a stroke with the values of this row; particles for its parameters, or "
                        "another stage that changes a layer, with those of set."});
    d.text("layer", &ParticleEdit::layer,
           {.label = "Layer",
            .unit = "",
            .sentence = "Layer of the stroke: elevation, sediment, soil, vegetation, pigment, or one that a "
                        "parameter takes, such as rain.",
            .enabled_when = {equals("stage", {"strokes"})}});
    d.include(&ParticleEdit::stroke);
    d.texts("set", &ParticleEdit::set, {},
            {.label = "Parameters",
             .unit = "",
             .sentence = "Parameters of the stage, as \"parameter=value\".",
             .enabled_when = {differs("stage", {"strokes"})}});
}

void check_edit(const ParticleEdit& edit) {
    if (is_stroke(edit)) {
        if (!edit.set.empty())
            throw Error::input("set is not allowed with stage = \"strokes\": give the stroke's own values");
        return check_stroke(edit.stroke);
    }
    if (!edit.stroke.points.empty())
        throw Error::input(fmt::format("points are not allowed with stage = \"{}\": give set", edit.stage));
    const ValueTable values = values_of(edit);
    if (edit.stage == kParticles) return check_particle_change(values);
    const Stage& stage = find_stage(edit.stage);
    const StageEdit made = stage_edit(stage, values);
    if (stage.grid_after || !names_cells(primary_layer(stage, made.parameters.get())))
        throw Error::input(
            fmt::format("stage = \"{}\" is not allowed: give strokes, particles, or a stage that "
                        "changes a layer",
                        edit.stage));
    if (stage.check) stage.check(made.parameters.get());
}

bool sets(const ParticleEdit& edit, const std::string& parameter) {
    return edit.stage == kParticles && values_of(edit).find(parameter) != nullptr;
}

bool changes_layer(const ParticleEdit& edit, const std::string& layer) {
    if (edit.stage == kParticles) return false;
    const StageEdit made = stage_edit(find_stage(edit.stage), values_of(edit));
    return primary_layer(*made.stage, made.parameters.get()) == layer;
}

void check_particle_change(const ValueTable& values) {
    for (const auto& [name, value] : values.entries)
        if (std::ranges::find(kOfDropletStart, name) != kOfDropletStart.end())
            throw Error::input(name + " can't change once droplets run: it belongs to the start");
}

ValueTable values_of(const ParticleEdit& edit) {
    if (!is_stroke(edit)) return values_of_settings(find_stage(edit.stage), edit.set);
    return {{{"layer", edit.layer},
             {"strokes", std::vector<ValueTable>{parameters_of<Stroke>().values(&edit.stroke)}}}};
}

}  // namespace thalweg
