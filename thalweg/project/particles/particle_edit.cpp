#include "thalweg/project/particles/particle_edit.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/parts/layer_edit.hpp"
#include "thalweg/project/stage.hpp"

#include <fmt/format.h>

namespace thalweg {
namespace {

bool is_stroke(const ParticleEdit& edit) {
    return edit.stage == "strokes";
}

}  // namespace

void ParticleEdit::declare(Declaration<ParticleEdit>& d) {
    d.number("cycle", &ParticleEdit::cycle,
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
    (void)values_of(edit);
}

ValueTable values_of(const ParticleEdit& edit) {
    if (!is_stroke(edit)) return values_of_settings(find_stage(edit.stage), edit.set);
    return {{{"layer", edit.layer},
             {"strokes", std::vector<ValueTable>{parameters_of<Stroke>().values(&edit.stroke)}}}};
}

}  // namespace thalweg
