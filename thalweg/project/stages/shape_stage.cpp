#include "thalweg/project/stages/shape_stage.hpp"

#include "thalweg/project/parts/layer_modes.hpp"

#include <utility>

namespace thalweg {
namespace {

bool gives_sea(const ShapeStageParameters& parameters) {
    return parameters.shape.kind == ShapeKind::Island && parameters.layer == "elevation";
}

void run(const ShapeStageParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    context.progress.report(0.0, "making a shape");
    join_layer(
        landscape, parameters.layer,
        shape_source(parameters.shape, variant_seed(landscape.seed, parameters.variant), landscape.grid),
        parameters.mode, context.progress);
    if (gives_sea(parameters)) {
        WaterBoundary boundary = landscape.boundary();
        boundary.sea_level = parameters.shape.base;
        landscape.set_boundary(std::move(boundary));
    }
}

void check(const ShapeStageParameters& parameters) {
    check_layer_name(parameters.layer);
}

}  // namespace

void ShapeStageParameters::declare(Declaration<ShapeStageParameters>& d) {
    d.include(&ShapeStageParameters::shape);
    declare_variant(d);
    declare_layer(d);
    declare_mode(d);
}

Stage shape_stage() {
    return make_stage<ShapeStageParameters>(
        {
            .name = "shape",
            .summary = "Makes a simple landform: plane, cone, dome, escarpment, crater or island.",
            .description = "Shapes are given in metres and evaluated at world positions. By default the "
                           "shape is added to the "
                           "layer; a layer that is absent begins at 0. Around an island of elevation lies "
                           "the sea, for all stages "
                           "after it and in pictures.",
            .reads_if_present = {kWaterBoundary},
            .writes = {"elevation"},
            .settings = {kWaterBoundary},
            .gives_settings =
                [](const void* parameters) {
                    return gives_sea(*static_cast<const ShapeStageParameters*>(parameters));
                },
            .primary = "elevation",
            .needs_input = false,
            .bytes_per_cell = 4.0,  // the values before they join the layer
        },
        run, check);
}

}  // namespace thalweg
