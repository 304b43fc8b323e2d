#include "thalweg/project/stages/strokes_stage.hpp"

#include "thalweg/project/parts/layer_modes.hpp"

#include <utility>

namespace thalweg {
namespace {

void run(const StrokesParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    context.progress.report(0.0, "painting " + parameters.layer);
    Layer layer = layer_to_change(landscape, parameters.layer);
    apply_strokes(layer.values, parameters.strokes);
    if (layer.source) layer.source = stroked_source(std::move(layer.source), parameters.strokes);
    landscape.put(parameters.layer, std::move(layer));
}

void check(const StrokesParameters& parameters) {
    check_layer_name(parameters.layer);
    for (const Stroke& stroke : parameters.strokes) check_stroke(stroke);
}

}  // namespace

void StrokesParameters::declare(Declaration<StrokesParameters>& d) {
    d.tables("strokes", &StrokesParameters::strokes,
             {.label = "Strokes",
              .group = "Brush",
              .unit = "",
              .sentence = "Strokes in the order in which they are drawn."});
    declare_layer(d);
}

Stage strokes_stage() {
    return make_stage<StrokesParameters>(
        {
            .name = "strokes",
            .summary = "Paints a layer with brush strokes.",
            .description = "Strokes raise, lower, smooth or set a layer along lines. They are kept in the "
                           "project in metres, "
                           "so that they fit any number of cells: paint `uplift` to say where mountains "
                           "grow. A layer that is "
                           "absent begins at 0.",
            .writes = {"elevation"},
            .primary = "elevation",
            .bytes_per_cell = 8.0,  // the values before smoothing, and their mean
        },
        run, check);
}

}  // namespace thalweg
