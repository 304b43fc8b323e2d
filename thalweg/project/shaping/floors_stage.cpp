#include "thalweg/project/shaping/floors_stage.hpp"

#include "thalweg/erosion/valley_fill.hpp"
#include "thalweg/erosion/valley_floors.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/model/parameter_layers.hpp"
#include "thalweg/project/parts/drainage.hpp"
#include "thalweg/project/parts/layer_depths.hpp"

#include <utility>

namespace thalweg {
namespace {

constexpr double kRoutingShare = 0.4;      // of the stage's progress
constexpr double kCutShare = 0.7;          // of it, until valleys are filled
constexpr double kRoutedShare = 0.6;       // of that of filling
constexpr float kThicknessOfFloor = 0.5F;  // m, of alluvium whose ground is floor (by eye)

struct FloorsParameters {
    ValleyFloorParameters floors;
    ValleyFillParameters fill;
    NumberOrLayer incision_rate = {0.0, ""};  // m/yr; 0: what the stream power law says
    NumberOrLayer erodibility = {2e-5, ""};   // m^(1-2m)/yr
    NumberOrLayer rock_strength = {1.0, ""};
    DrainageParameters drainage;

    static void declare(Declaration<FloorsParameters>& declaration);
};

void describe(const ValleyFloorReport& report, Diagnostics& diagnostics) {
    diagnostics.values.insert(diagnostics.values.end(), {{"river_cells", report.river_cells},
                                                         {"cut_cells", report.cut_cells},
                                                         {"removed_m3", report.removed_volume}});
    if (report.river_cells == 0)
        diagnostics.notes.emplace_back("no river drains a fiftieth of floor_area: there are no floors");
}

/// Fills the valleys of `floors`, whose ground has new lowest neighbours since it was cut.
void fill(const FloorsParameters& parameters, const FlowBoundary& boundary, ValleyFloors& floors,
          StageContext& context, Progress& progress) {
    ProgressPart routing(progress, 0.0, kRoutedShare);
    const FlowResult flow = route(floors.elevation, eight_neighbours(floors.elevation.grid()), boundary,
                                  {.conditioning = parameters.drainage.flow.conditioning}, routing);
    ProgressPart filling(progress, kRoutedShare, 1.0);
    ValleyFill filled = fill_valleys(flow, parameters.fill, parameters.floors, filling);
    for (std::int64_t cell = 0; cell < floors.floor.size(); ++cell)
        if (filled.thickness[cell] >= kThicknessOfFloor) floors.floor[cell] = 1.0F;
    floors.elevation = std::move(filled.elevation);
    if (context.wanted.has(kDeposit)) context.landscape.set(kDeposit, std::move(filled.thickness));
    context.diagnostics.values.insert(context.diagnostics.values.end(),
                                      {{"filled_cells", filled.filled_cells}, {"filled_m3", filled.volume}});
}

void run(const FloorsParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    const ParameterTable& declared = parameters_of<FloorsParameters>();
    ProgressPart routing(context.progress, 0.0, kRoutingShare);
    const FlowBoundary boundary = flow_boundary(parameters.drainage, context);
    const SharedFlow shared = take_or_drain(parameters.drainage, boundary, context, routing);
    const bool is_filled = parameters.fill.fill > 0.0;
    ProgressPart cutting(context.progress, kRoutingShare, is_filled ? kCutShare : 1.0);
    ValleyFloorParameters how = parameters.floors;
    how.incision_rate = parameters.incision_rate.number;
    how.erodibility = parameters.erodibility.number;
    how.rock_strength = parameters.rock_strength.number;
    ValleyFloors floors = valley_floors(
        {.elevation = shared.flow->elevation,
         .tree = shared.flow->tree,
         .incision_rate = parameter_field(parameters.incision_rate, declared.at("incision_rate"), context),
         .erodibility = parameter_field(parameters.erodibility, declared.at(kErodibility), context),
         .rock_strength = parameter_field(parameters.rock_strength, declared.at("rock_strength"), context)},
        how, cutting);
    if (context.wanted.has(kWear))
        landscape.set(kWear, depth_between(landscape.layer(kElevation), floors.elevation));
    describe(floors.report, context.diagnostics);
    if (is_filled) {
        ProgressPart filling(context.progress, kCutShare, 1.0);
        fill(parameters, boundary, floors, context, filling);
    } else if (context.wanted.has(kDeposit)) {
        landscape.set(kDeposit, Field<float>(floors.elevation.grid(), 0.0F));
    }
    if (context.wanted.has(kFloor)) landscape.set(kFloor, std::move(floors.floor));
    landscape.set(kElevation, std::move(floors.elevation));
}

void declare_rock(Declaration<FloorsParameters>& d) {
    d.number_or_layer(
        "incision_rate", &FloorsParameters::incision_rate,
        {.label = "Incision rate",
         .group = "Valley floors",
         .unit = "m/yr",
         .sentence =
             "How fast rivers cut down, which narrows their floors: a number, a layer (that of uplift, "
             "say) or a raster; 0 takes what the stream power law says of their slope.",
         .minimum = 0.0,
         .maximum = 1.0,
         .usual = {0.0, 5e-3},
         .automatic = 0.0,
         .source = "Turowski et al. 2024"});
    d.number_or_layer(
        "erodibility", &FloorsParameters::erodibility,
        {.label = "Erodibility",
         .group = "Valley floors",
         .unit = "m^(1-2m)/yr",
         .sentence = "How fast rivers cut into the rock, k, where incision_rate is 0: a number, "
                     "a layer or a raster.",
         .minimum = 0.0,
         .maximum = 1.0,
         .usual = {1e-7, 1e-3, SliderScale::Logarithmic},
         .source = "Tzathas et al. 2024, table 1",
         .minimum_excluded = true});
    d.number_or_layer(
        "rock_strength", &FloorsParameters::rock_strength,
        {.label = "Rock strength",
         .group = "Valley floors",
         .unit = "1",
         .sentence = "How well walls hold; floors are narrower by it: a number, a layer or a raster.",
         .minimum = 0.0,
         .maximum = 1e3,
         .usual = {0.2, 5.0, SliderScale::Logarithmic},
         .minimum_excluded = true});
}

void FloorsParameters::declare(Declaration<FloorsParameters>& d) {
    d.include(&FloorsParameters::floors);
    declare_rock(d);
    d.include(&FloorsParameters::fill);
    d.include(&FloorsParameters::drainage,
              {"depressions", "breach_depth", "breach_length", "fill_gradient", "routing", "freeman_exponent",
               "runoff", "lake_sources", "rivers_file", "burn_depth"});
}

}  // namespace

Stage floors_stage() {
    return make_stage<FloorsParameters>(
        {
            .name = "floors",
            .summary = "Cuts flat floors along the rivers, with walls beside them.",
            .description =
                "Rivers that drain enough get a floor, as wide as their drainage area, the rate at which "
                "they "
                "cut down and the height of their walls let it be; floors that are there already count. "
                "Tributaries are cut back to the new mouths, and no bed rises downstream. With fill, "
                "alluvium "
                "then makes the valleys of gentle rivers flat, and rivers keep their way. Depressions are "
                "breached first, as by flow.",
            .reads = {kElevation},
            .reads_if_present = {kWaterBoundary, kDrainage},
            .writes = {kElevation, kFloor, kWear, kDeposit},
            .settings = {kWaterBoundary},
            .gives_settings =
                [](const void* parameters) {
                    return gives_boundary(static_cast<const FloorsParameters*>(parameters)->drainage);
                },
            .on_request = {kFloor, kWear, kDeposit},
            .primary = kElevation,
            .bytes_per_cell = 60.0,
        },
        run);
}

}  // namespace thalweg
