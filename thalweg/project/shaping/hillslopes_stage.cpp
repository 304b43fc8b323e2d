#include "thalweg/project/shaping/hillslopes_stage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/cell_means.hpp"
#include "thalweg/erosion/grain.hpp"
#include "thalweg/erosion/gullies.hpp"
#include "thalweg/erosion/hillslopes.hpp"
#include "thalweg/erosion/narrow_beds.hpp"
#include "thalweg/erosion/roughness.hpp"
#include "thalweg/grid/gradient.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/model/parameter_layers.hpp"
#include "thalweg/project/parts/drainage.hpp"
#include "thalweg/project/parts/layer_depths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kSoilSlope = 1.25;  // m/m, S_c where nothing is known of the rock
// How long soil creeps to give ground the hilltops and valleys of surveys (docs/theory/hillslopes.md): those
// from the air have cells up to 10 m, those from space, which are blurred besides, 15 m and more.
constexpr double kAirCells = 10.0;      // m
constexpr double kAirTime = 1.5e3;      // yr
constexpr double kSpaceCells = 15.0;    // m
constexpr double kSpaceTime = 3e4;      // yr
constexpr double kRockRoughness = 6.0;  // m, that of surveys (docs/theory/hillslopes.md)
constexpr double kRockGullies =
    6e4;  // yr, that give slopes the gullies of surveys (docs/theory/hillslopes.md)
constexpr double kLateRoughness = 0.25;      // of `roughness`, that comes after gullies (empirical)
constexpr double kLateWavelength = 200.0;    // m
constexpr double kRockGrain = 5.0;           // m, that of surveys (docs/theory/hillslopes.md)
constexpr double kRockCellMeans = 1.0;       // 1
constexpr std::int64_t kHeldAtOnce = 65536;  // grain of cell-by-cell work
constexpr double kSlidingShare = 0.3;        // of the stage's progress, where slopes slide
constexpr double kRoutingShare = 0.5;        // until channels are known
constexpr double kUnevenShare = 0.55;        // until slopes are uneven
constexpr double kGulliesShare = 0.6;        // until gullies are cut
constexpr double kCreepShare = 0.9;          // until soil has crept
constexpr double kRoughShare = 0.95;         // until slopes are rough

/// What keeps its elevation while soil creeps.
struct Channels {
    Field<std::uint8_t> held;                     // 1: channels, and where water leaves
    std::shared_ptr<const FlowResult> flow = {};  // that tells channels; none where there are none
};

Channels channels_of(const HillslopesStageParameters& parameters, const FlowBoundary& boundary,
                     StageContext& context) {
    Channels channels{.held = boundary.roots};
    Field<std::uint8_t>& held = channels.held;
    if (parameters.edges == HillslopeEdges::Closed) held = Field<std::uint8_t>(held.grid());
    if (std::isinf(parameters.channel_area)) return channels;
    ProgressPart routing(context.progress, kSlidingShare, kRoutingShare);
    channels.flow = take_or_drain(DrainageParameters(), boundary, context, routing).flow;
    parallel_for(0, held.size(), kHeldAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            if (channels.flow->drained_area(cell) >= parameters.channel_area) held[cell] = 1;
    });
    return channels;
}

/// Lets slopes slide, before soil creeps over what they leave.
void let_slide(const HillslopesStageParameters& parameters, StageContext& context) {
    if (parameters.landslides.landslides <= 0.0) return;
    Landscape& landscape = context.landscape;
    ProgressPart part(context.progress, 0.0, kSlidingShare);
    LandslideResult slid = slide(landscape.layer(kElevation), parameters.landslides, landscape.seed, part);
    const LandslideReport& report = slid.report;
    auto& values = context.diagnostics.values;
    values.emplace_back("landslides", report.slides);
    values.emplace_back("scar_area_m2", report.scar_area);
    values.emplace_back("slid_volume_m3", report.removed_volume);
    values.emplace_back("carried_off_volume_m3", report.carried_off_volume);
    if (report.slides == 0)
        context.diagnostics.notes.push_back(
            "no place slides: none is as steep as failure_slope over the length of a slide");
    landscape.set(kElevation, std::move(slid.elevation));
}

/// That which is given, or else what the rock holds, or soil.
NumberOrLayer critical_slope(const HillslopesStageParameters& parameters, const Landscape& landscape) {
    const NumberOrLayer& given = parameters.critical_slope;
    if (!given.is_number() || given.number > 0.0) return given;
    if (landscape.has(kCriticalSlope)) return {.number = kSoilSlope, .layer = kCriticalSlope};
    return {.number = kSoilSlope, .layer = ""};
}

/// What is given, or `with_rock` where stage `rock` has laid out rock, and 0 elsewhere.
double by_rock(double given, double with_rock, const Landscape& landscape) {
    if (given >= 0.0) return given;
    return landscape.has(kCriticalSlope) ? with_rock : 0.0;
}

/// yr
double gully_time(const HillslopesStageParameters& parameters, const Landscape& landscape) {
    return by_rock(parameters.gully_time, kRockGullies, landscape);
}

/// yr. Between the two kinds of surveys the length sqrt(2 D t) goes over evenly.
double creep_time(const HillslopesStageParameters& parameters, const Landscape& landscape) {
    if (parameters.time != kTimeByCells) return parameters.time;
    const double share =
        std::clamp((landscape.grid.cell_size - kAirCells) / (kSpaceCells - kAirCells), 0.0, 1.0);
    const double root = std::lerp(std::sqrt(kAirTime), std::sqrt(kSpaceTime), share);
    return share == 1.0 ? kSpaceTime : root * root;
}

/// m
double roughness_of(const HillslopesStageParameters& parameters, const Landscape& landscape) {
    return by_rock(parameters.roughness, kRockRoughness, landscape);
}

/// m/m
Field<float> slope_of(const Field<float>& elevation) {
    auto [east, north] = gradient(elevation);
    for (std::int64_t cell = 0; cell < east.size(); ++cell)
        east[cell] = std::sqrt(east[cell] * east[cell] + north[cell] * north[cell]);
    return std::move(east);
}

/// Roughens slopes and lets gullies join their hollows, before soil creeps over them.
void cut_slopes(const HillslopesStageParameters& parameters, const Field<std::uint8_t>& held,
                const FlowBoundary& boundary, StageContext& context) {
    Landscape& landscape = context.landscape;
    GullyParameters gullies{.time = gully_time(parameters, landscape),
                            .head_area = parameters.gully_area,
                            .river_area = parameters.channel_area};
    if (gullies.time == 0.0) return;
    ProgressPart roughening(context.progress, kRoutingShare, kUnevenShare);
    const RoughnessParameters roughness{.size = roughness_of(parameters, landscape)};
    const Field<float> rough =
        roughen(landscape.layer(kElevation), held, roughness, landscape.seed, roughening);
    ProgressPart part(context.progress, kUnevenShare, kGulliesShare);
    // Drawn ways join within some cells, where those of steepest descent run side by side along the grid.
    FlowParameters drawn;
    drawn.routing = {.routing = Routing::Random, .seed = random_bits(landscape.seed, Stream::Roughness, 1)};
    drawn.sums_area = false;
    const FlowResult flow =
        route(rough, eight_neighbours(landscape.grid), {.roots = boundary.roots}, drawn, part);
    const GullyFields fields{.slope = slope_of(landscape.layer(kElevation)), .held = held};
    landscape.set(kElevation, cut_gullies(rough, flow.tree, fields, gullies, part));
}

/// Roughens slopes, less where gullies have made them uneven, takes means of cells, adds grain, blends narrow
/// beds with their banks, and drains what pits that leaves.
void make_rough(const HillslopesStageParameters& parameters, const Channels& channels,
                const Field<std::uint8_t>& outlets, StageContext& context, Field<float>& elevation) {
    const bool has_gullies = gully_time(parameters, context.landscape) > 0.0;
    const double grain = by_rock(parameters.grain, kRockGrain, context.landscape);
    const double means = by_rock(parameters.cell_means, kRockCellMeans, context.landscape);
    RoughnessParameters roughness{.size = roughness_of(parameters, context.landscape)};
    if (has_gullies) roughness = {.size = kLateRoughness * roughness.size, .wavelength = kLateWavelength};
    if (roughness.size == 0.0 && !has_gullies && grain == 0.0 && means == 0.0) return;
    ProgressPart roughening(context.progress, kCreepShare, kRoughShare);
    const std::uint64_t seed = context.landscape.seed;
    elevation = roughen(elevation, channels.held, roughness, seed, roughening);
    ProgressPart part(context.progress, kRoughShare, 1.0);
    if (means > 0.0) elevation = cell_means(elevation, channels.held, means, part);
    elevation = add_grain(elevation, channels.held, {.size = grain}, seed, part);
    if (channels.flow && means > 0.0)
        elevation = blend_narrow_beds(elevation, *channels.flow,
                                      {.channel_area = parameters.channel_area, .share = means}, part);
    context.diagnostics.values.emplace_back("drained_pits", drain_pits(elevation, outlets, part));
}

void check(const HillslopesStageParameters& parameters) {
    if (parameters.roughness < 0.0 && parameters.roughness != kRoughnessByRock)
        throw Error::input(
            fmt::format("roughness = {} m is not allowed: give 0 m or more, or -1 for 6 m "
                        "where there is rock",
                        parameters.roughness));
    if (parameters.gully_time < 0.0 && parameters.gully_time != kGulliesByRock)
        throw Error::input(
            fmt::format("gully_time = {} yr is not allowed: give 0 yr or more, or -1 for 60 000 yr "
                        "where there is rock",
                        parameters.gully_time));
    if (parameters.grain < 0.0 && parameters.grain != kGrainByRock)
        throw Error::input(
            fmt::format("grain = {} m is not allowed: give 0 m or more, or -1 for 5 m where there is rock",
                        parameters.grain));
    if (parameters.cell_means < 0.0 && parameters.cell_means != kMeansByRock)
        throw Error::input(
            fmt::format("cell_means = {} is not allowed: give 0 to 1, or -1 for 1 where there is rock",
                        parameters.cell_means));
    if (parameters.time < 0.0 && parameters.time != kTimeByCells)
        throw Error::input(
            fmt::format("time = {} yr is not allowed: give 0 yr or more, or -1 for the time that "
                        "suits the cell size",
                        parameters.time));
    if (parameters.landslides.landslides > 0.0) check_landslides(parameters.landslides);
}

void run(const HillslopesStageParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    const bool tells_change = context.wanted.has(kWear) || context.wanted.has(kDeposit);
    const Field<float> before = tells_change ? landscape.layer(kElevation) : Field<float>();
    let_slide(parameters, context);
    const FlowBoundary boundary = flow_boundary(DrainageParameters(), context);
    const ParameterTable& declared = parameters_of<HillslopesStageParameters>();
    const NumberOrLayer steepest = critical_slope(parameters, landscape);
    const Channels channels = channels_of(parameters, boundary, context);
    const CreepFields fields{
        .diffusivity = parameter_field(parameters.diffusivity, declared.at("diffusivity"), context),
        .critical_slope = parameter_field(steepest, declared.at("critical_slope"), context),
        .held = channels.held};
    CreepParameters creeping{.time = creep_time(parameters, landscape), .steps = parameters.steps};
    if (parameters.diffusivity.is_number()) creeping.diffusivity = parameters.diffusivity.number;
    if (steepest.is_number()) creeping.critical_slope = steepest.number;
    cut_slopes(parameters, fields.held, boundary, context);
    ProgressPart part(context.progress, kGulliesShare, kCreepShare);
    CreepResult result = creep(landscape.layer(kElevation), fields, creeping, part);
    make_rough(parameters, channels, boundary.roots, context, result.elevation);
    if (context.wanted.has(kWear)) landscape.set(kWear, depth_between(before, result.elevation));
    if (context.wanted.has(kDeposit)) landscape.set(kDeposit, depth_between(result.elevation, before));
    const CreepReport& report = result.report;
    auto& values = context.diagnostics.values;
    values.emplace_back("creep_steps", std::int64_t{report.steps});
    values.emplace_back("newton_steps", std::int64_t{report.newton_steps});
    values.emplace_back("gradient_steps", std::int64_t{report.gradient_steps});
    values.emplace_back("creep_error_m", report.error);
    values.emplace_back("delivered_volume_m3", report.delivered_volume);
    landscape.set(kElevation, std::move(result.elevation));
}

/// Declares what makes slopes uneven: roughness and gullies.
void declare_unevenness(Declaration<HillslopesStageParameters>& d) {
    d.number(
        "roughness", &HillslopesStageParameters::roughness,
        {.label = "Roughness",
         .group = "Hillslopes",
         .unit = "m",
         .sentence = "How far spurs and hollows of 50 to 400 m move the ground between channels sideways, "
                     "root mean square: slopes become uneven by as much times their gradient. -1 takes "
                     "6 m where stage `rock` has laid out rock, and 0 elsewhere. Where there are gullies "
                     "slopes are roughened before these, and a quarter as far again after soil has crept.",
         .minimum = kRoughnessByRock,
         .maximum = 1e3,
         .usual = {0.0, 50.0},
         .automatic = kRoughnessByRock});
    d.number(
        "gully_time", &HillslopesStageParameters::gully_time,
        {.label = "Time of gullies",
         .group = "Hillslopes",
         .unit = "yr",
         .sentence = "How long gullies cut into slopes before soil creeps; -1 takes 60 000 yr where stage "
                     "`rock` has laid out rock, and 0 elsewhere.",
         .minimum = kGulliesByRock,
         .maximum = 1e9,
         .usual = {0.0, 2e5},
         .automatic = kGulliesByRock});
    d.number(
        "gully_area", &HillslopesStageParameters::gully_area,
        {.label = "Drainage area of gully heads",
         .group = "Hillslopes",
         .unit = "m^2",
         .sentence = "Gullies begin where this much drains: a larger area leaves wider slopes between them.",
         .minimum = 0.0,
         .maximum = 1e9,
         .usual = {1e3, 1e5, SliderScale::Logarithmic},
         .source = "Montgomery and Dietrich 1992"});
    d.number(
        "grain", &HillslopesStageParameters::grain,
        {.label = "Grain",
         .group = "Hillslopes",
         .unit = "m",
         .sentence =
             "Unevenness of slopes over 120 to 400 m, root mean square, mostly spurs and hollows that run "
             "down the slope, after soil has crept; -1 takes 5 m where stage `rock` has laid out rock, and "
             "0 elsewhere.",
         .minimum = kGrainByRock,
         .maximum = 100.0,
         .usual = {0.0, 5.0},
         .automatic = kGrainByRock});
    d.number("cell_means", &HillslopesStageParameters::cell_means,
             {.label = "Means of cells",
              .group = "Hillslopes",
              .unit = "1",
              .sentence = "How far elevation is the mean of a cell's ground, as surveys give it: crests are "
                          "rounder, and beds narrower than a cell as high as they are with their banks; -1 "
                          "takes 1 where stage `rock` has laid out rock, and 0 elsewhere.",
              .minimum = kMeansByRock,
              .maximum = 1.0,
              .usual = {0.0, 1.0},
              .automatic = kMeansByRock});
}

}  // namespace

void HillslopesStageParameters::declare(Declaration<HillslopesStageParameters>& d) {
    d.number("time", &HillslopesStageParameters::time,
             {.label = "Time",
              .group = "Time",
              .unit = "yr",
              .sentence = "How long soil creeps; -1 takes what gives ground the hilltops and valleys of "
                          "surveys with such cells: 30 000 yr from 15 m on, 1500 yr up to 10 m.",
              .minimum = kTimeByCells,
              .maximum = 1e9,
              .usual = {1e3, 1e6, SliderScale::Logarithmic},
              .automatic = kTimeByCells});
    d.number_or_layer("diffusivity", &HillslopesStageParameters::diffusivity,
                      {.label = "Diffusivity of soil",
                       .group = "Hillslopes",
                       .unit = "m^2/yr",
                       .sentence = "How fast soil creeps down gentle slopes: a number, a layer or a raster.",
                       .minimum = 0.0,
                       .maximum = 1e3,
                       .usual = {1e-3, 0.1, SliderScale::Logarithmic},
                       .source = "Roering et al. 1999: 0.0032 in the Oregon Coast Range"});
    d.number_or_layer(
        "critical_slope", &HillslopesStageParameters::critical_slope,
        {.label = "Critical slope",
         .group = "Hillslopes",
         .unit = "m/m",
         .sentence = "Slope towards which soil moves ever faster, S_c: a number, a layer (high where strong "
                     "rock holds cliffs) or a raster; inf is creep in proportion to slope. 0 takes that of "
                     "the rock at the ground, or 1.25 where stage `rock` has laid out none.",
         .minimum = 0.0,
         .maximum = 100.0,
         .usual = {0.5, 3.0},
         .automatic = 0.0,
         .source = "Roering et al. 1999: 1.25",
         .infinity_allowed = true});
    d.number("channel_area", &HillslopesStageParameters::channel_area,
             {.label = "Drainage area of channel heads",
              .group = "Hillslopes",
              .unit = "m^2",
              .sentence = "Cells that drain this much are channels, which keep their elevation and carry off "
                          "the soil that comes to them; inf is creep everywhere.",
              .minimum = 0.0,
              .maximum = 1e12,
              .usual = {1e3, 1e6, SliderScale::Logarithmic},
              .infinity_allowed = true});
    declare_unevenness(d);
    d.include(&HillslopesStageParameters::landslides);
    d.choice(
        "edges", &HillslopesStageParameters::edges,
        {{"held", HillslopeEdges::Held,
          "Cells where water leaves keep their elevation and carry off what comes to them."},
         {"closed", HillslopeEdges::Closed, "No soil passes the rims of the data; their cells creep too."}},
        {.label = "Edges of the grid",
         .group = "Boundary",
         .unit = "",
         .sentence = "What becomes of cells where water leaves: outlets, the sea, and the edges of the data "
                     "unless the landscape has outlets."});
    d.integer("steps", &HillslopesStageParameters::steps,
              {.label = "Steps of time",
               .group = "Solver",
               .unit = "1",
               .sentence = "Implicit steps of equal time; 0 takes as many as the cells can show, 2 to 4.",
               .minimum = 0.0,
               .maximum = 10000.0,
               .usual = {1.0, 16.0},
               .automatic = 0.0,
               .is_advanced = true});
}

Stage hillslopes_stage() {
    return make_stage<HillslopesStageParameters>(
        {
            .name = "hillslopes",
            .summary = "Lets soil creep down the slopes between channels.",
            .description =
                "Soil moves downhill in proportion to slope where that is gentle, and ever faster as slopes "
                "come near to "
                "the critical one (Roering et al. 1999): ridges become round, slopes straight, hollows fill. "
                "Before that, roughness gives grown slopes the spurs and hollows that rivers do not tell of, "
                "and "
                "gullies join the hollows. "
                "Channels, cells that drain channel_area and more, keep their elevation and carry off what "
                "comes to them. Steps of any length are stable and leave no terraces along contours. wear "
                "and deposit, where they are asked for by name, tell how far the ground lies below and "
                "above where it was.",
            .reads = {kElevation},
            .reads_if_present = {kWaterBoundary, kDrainage, kCriticalSlope, kErodibility},
            .writes = {kElevation, kWear, kDeposit},
            .on_request = {kWear, kDeposit},
            .primary = kElevation,
            .bytes_per_cell = 130.0,  // hillslopes.hpp, and the routing that tells channels
        },
        run, check);
}

}  // namespace thalweg
