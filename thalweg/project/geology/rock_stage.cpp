#include "thalweg/project/geology/rock_stage.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/geology/rock_surface.hpp"
#include "thalweg/project/model/parameter_layers.hpp"
#include "thalweg/project/parts/layer_modes.hpp"
#include "thalweg/rock/rock_body.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace thalweg {
namespace {

/// Heights at which the rock is asked for: the ground, or 0 where there is none yet.
LayerSource ground_of(StageContext& context) {
    return context.landscape.has("elevation") ? input_source({.number = 0.0, .layer = "elevation"}, context)
                                              : constant_source(0.0F);
}

/// A map that overrides the body; empty where it is `nothing` everywhere, which overrides nothing.
Field<float> map_of(const char* name, const NumberOrLayer& map, double nothing, StageContext& context) {
    if (map.is_number() && map.number == nothing) return {};
    const Parameter& declared = parameters_of<RockStageParameters>().at(name);
    return parameter_source(map, declared, context)(context.landscape.grid, context.progress);
}

void run(const RockStageParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    context.progress.report(0.0, "laying out the rock");
    Rock rock{.parameters = parameters.rock,
              .seed = variant_seed(landscape.seed, parameters.variant),
              .maps = {map_of("erodibility_map", parameters.erodibility_map, 1.0, context),
                       map_of("formation_map", parameters.formation_map, 0.0, context)},
              .erodibility = parameters.erodibility};
    const auto body = std::make_shared<const RockBody>(rock.parameters, rock.seed, rock.maps);
    const LayerSource ground = ground_of(context);
    LayerSource erodibility = [body, rock, ground](const Grid& grid, Progress& progress) {
        return erodibility_of(rock,
                              body->at(body->columns(grid, progress), ground(grid, progress), progress));
    };
    set_rock_layers(rock, *body, ground(landscape.grid, context.progress), std::move(erodibility), context);
    context.diagnostics.values.emplace_back("strike_degrees", body->parameters().strike);
    landscape.put(kRock, std::move(rock));
}

void check(const RockStageParameters& parameters) {
    check_rock(parameters.rock);
}

}  // namespace

void RockStageParameters::declare(Declaration<RockStageParameters>& d) {
    d.include(&RockStageParameters::rock);
    d.number("erodibility", &RockStageParameters::erodibility,
             {.label = "Erodibility",
              .group = "Rock",
              .unit = "m^(1-2m)/yr",
              .sentence = "Of ordinary rock, whose erodibility factor is 1.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {1e-7, 1e-3, SliderScale::Logarithmic},
              .minimum_excluded = true});
    d.number_or_layer(
        "erodibility_map", &RockStageParameters::erodibility_map,
        {.label = "Map of weakness",
         .group = "Rock",
         .unit = "1",
         .sentence = "Factor on the erodibility of all rock at a place, at every depth: a number, a "
                     "layer that was painted, or a raster.",
         .minimum = 0.0,
         .maximum = 1e3,
         .usual = {0.1, 10.0, SliderScale::Logarithmic},
         .minimum_excluded = true});
    d.number_or_layer(
        "formation_map", &RockStageParameters::formation_map,
        {.label = "Map of formations",
         .group = "Rock",
         .unit = "1",
         .sentence = "Number of the formation that lies at a place, at every depth, in place of the "
                     "body's: a number, a layer that was painted, or a raster; 0 leaves the body's.",
         .minimum = 0.0,
         .maximum = 255.0,
         .usual = {0.0, 8.0}});
    declare_variant(d);
}

Stage rock_stage() {
    return make_stage<RockStageParameters>(
        {
            .name = "rock",
            .summary = "Lays out the rock under the ground: formations, folds, faults, joints, intrusions.",
            .description =
                "A body of rock in three dimensions, in metres, the same at any number of cells: a column of "
                "formations with beds in them, tilted, folded, broken by faults, cut by joints and dykes, "
                "intruded by plutons and covered by level sediment. Everything is taken from a preset unless "
                "it is given. What lies at the ground as it is now becomes layers: erodibility, "
                "for `erode` to take by `erodibility = \"erodibility\"`, and, where they are asked for by "
                "name, "
                "formation (numbers from the top of the column down; granite, dyke and cover follow) and "
                "critical_slope.",
            .reads_if_present = {"elevation"},
            .writes = {kErodibility, kFormation, kCriticalSlope},
            .settings = {kRock},
            .on_request = {kFormation, kCriticalSlope},
            .primary = kErodibility,
            .needs_input = false,
            .accepts_input = true,
            .bytes_per_cell = 30.0,  // columns and surface
        },
        run, check);
}

}  // namespace thalweg
