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

struct FansParameters {
    FanParameters fans;
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

/// The surface of the sea; empty where there is none.
Field<float> standing_water(const Field<float>& ground, double sea_level) {
    if (!std::isfinite(sea_level)) return {};
    Field<float> water(ground.grid(), kNoData);
    for_each_polled(0, ground.size(), [&](std::int64_t cell) {
        if (static_cast<double>(ground[cell]) <= sea_level) water[cell] = static_cast<float>(sea_level);
    });
    return water;
}

void run(const FansParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    ProgressPart routing(context.progress, 0.0, kRoutingShare);
    const FlowBoundary boundary = flow_boundary(parameters.drainage, context);
    const SharedFlow shared = take_or_drain(parameters.drainage, boundary, context, routing);
    ProgressPart laying(context.progress, kRoutingShare, 1.0);
    Fans laid = fans({.elevation = shared.flow->elevation,
                      .tree = shared.flow->tree,
                      .boundary = boundary,
                      .water = standing_water(shared.flow->elevation, landscape.boundary().sea_level),
                      .seed = landscape.seed},
                     parameters.fans, laying);
    describe(laid, context.diagnostics);
    if (context.wanted.has(kDeposit))
        landscape.set(kDeposit, depth_between(laid.elevation, landscape.layer(kElevation)));
    landscape.set(kElevation, std::move(laid.elevation));
}

void FansParameters::declare(Declaration<FansParameters>& d) {
    d.include(&FansParameters::fans);
    d.include(&FansParameters::drainage,
              {"depressions", "breach_depth", "breach_length", "fill_gradient", "routing", "freeman_exponent",
               "runoff", "lake_sources", "rivers_file", "burn_depth"});
}

}  // namespace

Stage fans_stage() {
    return make_stage<FansParameters>(
        {
            .name = "fans",
            .summary = "Lays fans before steep valleys, and deltas in the sea.",
            .description =
                "Where a river leaves a steep valley for gentle ground it lays down a fan, lobe by lobe, "
                "which "
                "fills the mouth of the valley and grows together with its neighbours; where it comes to the "
                "sea, a delta. Rivers cross them in channels. Depressions are breached first, as by flow.",
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
