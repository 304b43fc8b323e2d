#include "thalweg/project/shaping/fans_stage.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/erosion/fans.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/parts/drainage.hpp"
#include "thalweg/project/parts/layer_depths.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kRoutingShare = 0.3;  // of the stage's progress
constexpr double kWorthNoting = 1e-3;  // of the volume, that is missing or too much
constexpr double kLakeArea = 5e4;      // m^2: smaller water is a pit of the survey (by eye)
constexpr double kLakeDepth = 2.0;     // m, the same

struct FansParameters {
    FanParameters fans;
    bool lakes = false;  // whether depressions are lakes
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
                                                         {"left_m3", report.left_volume}});
    const double missing = report.demanded_volume - report.left_volume - report.laid_volume;
    if (std::abs(missing) > kWorthNoting * report.demanded_volume)
        diagnostics.notes.push_back(
            fmt::format("fans hold {:.3g} m3 in place of {:.3g} m3: the terrain leaves them no other place",
                        report.laid_volume, report.demanded_volume - report.left_volume));
    if (laid.apexes.empty())
        diagnostics.notes.emplace_back("no river of fan_area leaves a steep valley: there are no fans");
}

/// Where water leaves and stands.
struct Water {
    DrainageParameters drainage;
    FlowBoundary boundary;
    SharedFlow flow;
};

Water route_water(const FansParameters& parameters, StageContext& context) {
    Water water{.drainage = parameters.drainage, .boundary = {}, .flow = {}};
    if (parameters.lakes) water.drainage.flow.conditioning.depressions = Depressions::Lakes;
    ProgressPart routing(context.progress, 0.0, kRoutingShare);
    water.boundary = flow_boundary(water.drainage, context);
    water.flow = take_or_drain(water.drainage, water.boundary, context, routing);
    return water;
}

/// The surface of the sea and of lakes; empty where there is none.
Field<float> standing_water(const FlowResult& flow, double sea_level) {
    if (!std::isfinite(sea_level) && !flow.lakes) return {};
    const Field<float>& surface = flow.elevation;
    Field<float> water(surface.grid(), kNoData);
    for_each_polled(0, surface.size(), [&](std::int64_t cell) {
        if (static_cast<double>(surface[cell]) <= sea_level) water[cell] = static_cast<float>(sea_level);
    });
    if (!flow.lakes) return water;
    std::vector<std::int32_t> large;  // ids, ascending
    for (const Lake& lake : flow.lakes->lakes)
        if (lake.area >= kLakeArea && lake.depth >= kLakeDepth) large.push_back(lake.id);
    std::ranges::sort(large);
    for_each_polled(0, surface.size(), [&](std::int64_t cell) {
        if (std::ranges::binary_search(large, flow.lakes->lake[cell])) water[cell] = surface[cell];
    });
    return water;
}

/// The ground, on the bed of lakes too, with depressions that hold none drained.
Field<float> drained_ground(const FlowResult& flow, const Field<float>& water, const Field<float>& before) {
    Field<float> ground = flow.elevation;
    if (flow.lakes)
        for_each_polled(0, ground.size(), [&](std::int64_t cell) {
            if (!is_no_data(water[cell])) ground[cell] = std::min(ground[cell], before[cell]);
        });
    return ground;
}

void run(const FansParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    const Water routed = route_water(parameters, context);
    const FlowResult& flow = *routed.flow.flow;
    ProgressPart laying(context.progress, kRoutingShare, 1.0);
    const Field<float> water = standing_water(flow, landscape.boundary().sea_level);
    const Field<float> ground = drained_ground(flow, water, landscape.layer(kElevation));
    Fans laid = fans({.elevation = ground,
                      .tree = flow.tree,
                      .boundary = routed.boundary,
                      .water = water,
                      .seed = landscape.seed},
                     parameters.fans, laying);
    describe(laid, context.diagnostics);
    if (context.wanted.has(kDeposit))
        landscape.set(kDeposit, depth_between(laid.elevation, landscape.layer(kElevation)));
    landscape.set(kElevation, std::move(laid.elevation));
}

void FansParameters::declare(Declaration<FansParameters>& d) {
    d.include(&FansParameters::fans);
    d.boolean("lakes", &FansParameters::lakes,
              {.label = "Lakes",
               .group = "Fans",
               .unit = "",
               .sentence =
                   "Whether depressions of 0.05 km2 and 2 m of depth or more are lakes, which stay and into "
                   "which rivers build deltas; otherwise all are breached."});
    d.include(&FansParameters::drainage,
              {"depressions", "breach_depth", "breach_length", "fill_gradient", "routing", "freeman_exponent",
               "runoff", "lake_sources", "rivers_file", "burn_depth"});
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
                "sea or to a lake, a delta. Rivers cross them in channels. Depressions are breached first, "
                "as by flow, or "
                "with `lakes` filled with water where they are large.",
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
