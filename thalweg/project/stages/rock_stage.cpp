#include "thalweg/project/stages/rock_stage.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/parts/layer_modes.hpp"
#include "thalweg/project/rock.hpp"
#include "thalweg/project/stages/stages.hpp"
#include "thalweg/rock/rock_body.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace thalweg {
namespace {

constexpr const char* kErodibility = "erodibility";
constexpr const char* kCriticalSlope = "critical_slope";
constexpr const char* kFormation = "formation";

/// Heights at which the rock is asked for: the ground, or 0 where there is none yet.
LayerSource ground_of(StageContext& context) {
    return context.landscape.has("elevation") ? input_source({.number = 0.0, .layer = "elevation"}, context)
                                              : constant_source(0.0F);
}

/// The erodibility at the ground, on any grid.
LayerSource erodibility_source(std::shared_ptr<const RockBody> body, double erodibility, LayerSource ground) {
    return [body = std::move(body), erodibility, ground = std::move(ground)](const Grid& grid,
                                                                             Progress& progress) {
        Field<float> factor =
            body->at(body->columns(grid, progress), ground(grid, progress), progress).erodibility_factor;
        for (float& value : factor) value = static_cast<float>(erodibility * value);
        return factor;
    };
}

/// Numbers of formations from 1 on, as maps count them; no data where there is no ground.
Field<float> numbered(const RockSurface& surface) {
    Field<float> numbers(surface.formation.grid());
    for (std::int64_t cell = 0; cell < numbers.size(); ++cell)
        numbers[cell] = is_no_data(surface.critical_slope[cell])
                            ? kNoData
                            : static_cast<float>(surface.formation[cell] + 1);
    return numbers;
}

/// Names and shares of the ground, the largest first.
void describe(const RockBody& body, const RockSurface& surface, Diagnostics& diagnostics) {
    std::vector<std::int64_t> cells(body.formations().size());
    for (const std::uint8_t formation : surface.formation) ++cells[formation];
    const auto all = static_cast<double>(surface.formation.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i] > 0)
            diagnostics.values.emplace_back(fmt::format("share of {}", body.formations()[i].name),
                                            static_cast<double>(cells[i]) / all);
    diagnostics.values.emplace_back("strike_degrees", body.parameters().strike);
}

void run(const RockStageParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    context.progress.report(0.0, "laying out the rock");
    const std::uint64_t seed = variant_seed(landscape.seed, parameters.variant);
    const auto body = std::make_shared<const RockBody>(parameters.rock, seed);
    const LayerSource ground = ground_of(context);
    RockSurface surface = body->at(body->columns(landscape.grid, context.progress),
                                   ground(landscape.grid, context.progress), context.progress);
    describe(*body, surface, context.diagnostics);
    if (context.wanted.has(kFormation)) landscape.set(kFormation, numbered(surface));
    if (context.wanted.has(kCriticalSlope)) landscape.set(kCriticalSlope, std::move(surface.critical_slope));
    Field<float> erodibility = std::move(surface.erodibility_factor);
    for (float& value : erodibility) value = static_cast<float>(parameters.erodibility * value);
    landscape.set(kErodibility, std::move(erodibility),
                  erodibility_source(body, parameters.erodibility, ground));
    landscape.put(kRock, Rock{parameters.rock, seed, parameters.erodibility});
}

void check(const RockStageParameters& parameters) {
    check_formations(parameters.rock.formations);
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
