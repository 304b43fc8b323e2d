#include "thalweg/meander/control_strokes.hpp"

#include "thalweg/grid/strokes.hpp"

namespace thalweg {

void ControlStroke::declare(Declaration<ControlStroke>& d) {
    d.choice("kind", &ControlStroke::kind,
             {{"attract", ControlKind::Attract, "Channels come to the line."},
              {"repel", ControlKind::Repel, "Channels go away from the line."},
              {"damp", ControlKind::Damp, "Channels migrate less; at strength 1 they stay."}},
             {.label = "Kind", .unit = "", .sentence = "What the stroke does to channels under it."});
    declare_stroke_path(d);
    d.number("strength", &ControlStroke::strength,
             {.label = "Strength",
              .unit = "1",
              .sentence = "How fast channels are drawn or driven, as a multiple of the rate at which they "
                          "migrate; of damping, the share by which they do so less.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.0, 3.0}});
}

void check_control(const ControlStroke& stroke) {
    check_stroke({.points = stroke.points});
}

}  // namespace thalweg
