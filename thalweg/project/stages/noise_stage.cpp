#include "thalweg/project/stages/noise_stage.hpp"

#include "thalweg/project/parts/layer_modes.hpp"

namespace thalweg {
namespace {

void run(const NoiseStageParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    context.progress.report(0.0, "making noise");
    join_layer(
        landscape, parameters.layer,
        noise_source(parameters.noise, variant_seed(landscape.seed, parameters.variant), landscape.grid),
        parameters.mode, context.progress);
}

void check(const NoiseStageParameters& parameters) {
    check_layer_name(parameters.layer);
}

}  // namespace

void NoiseStageParameters::declare(Declaration<NoiseStageParameters>& d) {
    d.include(&NoiseStageParameters::noise);
    declare_variant(d);
    declare_layer(d);
    declare_mode(d);
}

Stage noise_stage() {
    return make_stage<NoiseStageParameters>(
        {
            .name = "noise",
            .summary = "Makes fractal noise.",
            .description = "Noise is evaluated at world positions, so that a finer grid holds the same "
                           "terrain with more "
                           "detail. By default it is added to the layer; a layer that is absent begins at 0.",
            .writes = {"elevation"},
            .primary = "elevation",
            .needs_input = false,
            .bytes_per_cell = 4.0,  // the values before they join the layer
        },
        run, check);
}

}  // namespace thalweg
