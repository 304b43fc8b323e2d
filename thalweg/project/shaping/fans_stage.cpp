#include "thalweg/project/shaping/fans_stage.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/erosion/fans.hpp"
#include "thalweg/erosion/playas.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/model/parameter_layers.hpp"
#include "thalweg/project/parts/drainage.hpp"
#include "thalweg/project/parts/layer_depths.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kRoutingShare = 0.3;    // of the stage's progress
constexpr double kFansShare = 0.8;       // of it, until the fans lie
constexpr double kWorthNoting = 1e-3;    // of the volume, that is missing or too much
constexpr double kLeastLakeDepth = 2.0;  // m, of lakes that get deltas; others are filled (by eye)
constexpr double kLeastLakeArea = 5e4;   // m^2, the same

struct FansParameters {
    FanParameters fans;
    NumberOrLayer thickness = {.number = FanParameters().fan_thickness, .layer = ""};  // m, of rock
    double share = 1.0;                                                                // 1, of that
    double playa_thickness = 0.0;                                                      // m, of rock
    DrainageParameters drainage;

    static void declare(Declaration<FansParameters>& declaration);
};

void describe(const Fans& laid, Diagnostics& diagnostics) {
    const FanReport& report = laid.report;
    const std::int64_t deltas = std::ranges::count_if(laid.apexes, &FanApex::is_delta);
    diagnostics.values.insert(diagnostics.values.end(), {{"fans", std::ssize(laid.apexes) - deltas},
                                                         {"deltas", deltas},
                                                         {"demanded_m3", report.demanded_volume},
                                                         {"laid_m3", report.laid_volume},
                                                         {"cut_m3", report.cut_volume},
                                                         {"left_m3", report.left_volume}});
    const double given = report.demanded_volume - report.left_volume + report.cut_volume;
    const double missing = given - report.laid_volume;
    if (std::abs(missing) > kWorthNoting * report.demanded_volume)
        diagnostics.notes.push_back(
            fmt::format("fans hold {:.3g} m3 in place of {:.3g} m3: the terrain leaves them no other place",
                        report.laid_volume, given));
    if (laid.apexes.empty())
        diagnostics.notes.emplace_back("no river of fan_area leaves a steep valley: there are no fans");
}

/// Ground, and the water that stands on it.
struct WetGround {
    Field<float> elevation;  // m
    Field<float> water;      // m; no data, or empty, where it is dry
};

bool is_lake(const Lake& lake) {
    return lake.depth > kLeastLakeDepth && lake.area > kLeastLakeArea;
}

/// The ground below the sea and below lakes, and else the one on which water was routed: smaller depressions
/// are filled there.
WetGround wet_ground(const FlowResult& flow, const Field<float>& bed, double sea_level) {
    WetGround wet = {.elevation = flow.elevation, .water = {}};
    if (!flow.lakes && !std::isfinite(sea_level)) return wet;
    wet.water = Field<float>(bed.grid(), kNoData);
    for_each_polled(0, bed.size(), [&](std::int64_t cell) {
        const std::int32_t id = flow.lakes ? flow.lakes->lake[cell] : 0;
        if (static_cast<double>(bed[cell]) <= sea_level) {
            wet.water[cell] = static_cast<float>(sea_level);
        } else if (id > 0 && is_lake(*std::ranges::lower_bound(flow.lakes->lakes, id, {}, &Lake::id))) {
            wet.water[cell] = flow.lakes->water_elevation[cell];
            wet.elevation[cell] = bed[cell];
        }
    });
    return wet;
}

/// What each cell gives, m; empty: the same everywhere.
Field<float> sediment(const FansParameters& parameters, StageContext& context) {
    const Parameter& declared = parameters_of<FansParameters>().at("fan_thickness");
    Field<float> given = parameter_field(parameters.thickness, declared, context);
    for_each_polled(0, given.size(),
                    [&](std::int64_t cell) { given[cell] *= static_cast<float>(parameters.share); });
    return given;
}

/// Lets what is finer than fans come to rest on the floors of lakes.
void fill_floors(double thickness, const FlowBoundary& boundary, Field<float>& elevation,
                 StageContext& context) {
    ProgressPart filling(context.progress, kFansShare, 1.0);
    PlayaGround filled = fill_playas(elevation, boundary, thickness, filling);
    context.diagnostics.values.insert(
        context.diagnostics.values.end(),
        {{"playas", filled.playas}, {"playa_m3", filled.volume}, {"playa_left_m3", filled.left}});
    if (filled.playas == 0)
        context.diagnostics.notes.emplace_back(
            "no depression holds sediment: give depressions = \"lakes\" for those over 2 m deep and 0.05 km2 "
            "large to stay, and get playas");
    elevation = std::move(filled.elevation);
}

void run(const FansParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    ProgressPart routing(context.progress, 0.0, kRoutingShare);
    const FlowBoundary boundary = flow_boundary(parameters.drainage, context);
    const SharedFlow shared = take_or_drain(parameters.drainage, boundary, context, routing);
    ProgressPart laying(context.progress, kRoutingShare, kFansShare);
    const Field<float>& before = landscape.layer(kElevation);
    FanParameters even = parameters.fans;
    even.fan_thickness = parameters.share * parameters.thickness.number;
    WetGround wet = wet_ground(*shared.flow, before, landscape.boundary().sea_level);
    Fans laid = fans({.elevation = wet.elevation,
                      .tree = shared.flow->tree,
                      .boundary = boundary,
                      .water = std::move(wet.water),
                      .sediment = sediment(parameters, context),
                      .seed = landscape.seed},
                     even, laying);
    describe(laid, context.diagnostics);
    if (parameters.playa_thickness > 0.0)
        fill_floors(parameters.playa_thickness, boundary, laid.elevation, context);
    if (context.wanted.has(kDeposit)) landscape.set(kDeposit, depth_between(laid.elevation, wet.elevation));
    landscape.set(kElevation, std::move(laid.elevation));
}

void FansParameters::declare(Declaration<FansParameters>& d) {
    d.include(&FansParameters::fans, {"fan_thickness"});
    d.number_or_layer(
        "fan_thickness", &FansParameters::thickness,
        {.label = "Thickness of catchment",
         .group = "Fans",
         .unit = "m",
         .sentence = "Rock that the catchment gives to its fan: a thickness all over it, a layer "
                     "(wear: what an earlier stage took) or a raster.",
         .minimum = 0.0,
         .maximum = 1e4,
         .usual = {0.1, 20.0, SliderScale::Logarithmic},
         .source = "by eye"});
    d.number("fan_share", &FansParameters::share,
             {.label = "Share of sediment",
              .group = "Fans",
              .unit = "1",
              .sentence = "How much of that comes to the fan; the rest goes on with the river.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.01, 1.0, SliderScale::Logarithmic},
              .source = "by eye"});
    d.number("playa_thickness", &FansParameters::playa_thickness,
             {.label = "Fine sediment",
              .group = "Fans",
              .unit = "m",
              .sentence =
                  "Rock from all over the ground, finer than fans, that comes to rest level on the floors of "
                  "lakes and closed basins, as in playas; it needs depressions = \"lakes\". 0: none.",
              .minimum = 0.0,
              .maximum = 1e4,
              .usual = {0.0, 10.0}});
    d.include(&FansParameters::drainage,
              {"breach_depth", "breach_length", "fill_gradient", "routing", "freeman_exponent", "runoff",
               "lake_sources", "rivers_file", "burn_depth"});
}

}  // namespace

Stage fans_stage() {
    return make_stage<FansParameters>(
        {
            .name = "fans",
            .summary = "Lays fans before steep valleys, and deltas in the sea and in lakes.",
            .description =
                "Where a river leaves a steep valley for gentle ground it lays down a fan, lobe by lobe, "
                "which "
                "fills the mouth of the valley and grows together with its neighbours; where it comes to the "
                "sea, a delta. Rivers cross them in channels. Depressions are breached first, as by flow; "
                "with "
                "depressions = \"lakes\" those over 2 m deep and 0.05 km2 large stay, and get deltas too, "
                "and with playa_thickness level floors.",
            .reads = {kElevation},
            .reads_if_present = {kWaterBoundary, kDrainage},
            .writes = {kElevation, kDeposit},
            .settings = {kWaterBoundary},
            .gives_settings =
                [](const void* parameters) {
                    return gives_boundary(static_cast<const FansParameters*>(parameters)->drainage);
                },
            .on_request = {kDeposit},
            .primary = kElevation,
            .bytes_per_cell = 120.0,
        },
        run);
}

}  // namespace thalweg
