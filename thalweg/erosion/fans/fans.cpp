#include "thalweg/erosion/fans.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/erosion/fans/fan_balance.hpp"
#include "thalweg/erosion/fans/fan_lobes.hpp"
#include "thalweg/erosion/fans/fan_plan.hpp"
#include "thalweg/erosion/floors/bankfull.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

constexpr double kPlanShare = 0.1;     // of the progress, until fans are planned
constexpr double kLobesShare = 0.5;    // until lobes are laid
constexpr double kBreachDepth = 10.0;  // m: dams that are higher are filled behind (by eye)

/// Cuts the beds of rivers that cross the fans, no deeper than the deposit.
void cut_channels(const FlowTree& tree, const FanParameters& parameters, const Field<float>& before,
                  Field<float>& after) {
    const Field<double> area = drainage_area(tree);
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0 || area[cell] < parameters.fan_area || !(after[cell] > before[cell])) return;
        const float bed =
            std::max(before[cell], after[cell] - static_cast<float>(bankfull_depth(area[cell])));
        after[cell] = std::min(after[cell], std::max(bed, after[receiver]));
    });
}

/// Where water leaves once there are fans: where it left or ended before, but where these have risen out of
/// the sea.
FlowBoundary boundary_of(const FanInputs& inputs, const Field<float>& laid) {
    FlowBoundary boundary = inputs.boundary;
    const Field<std::uint8_t> edges = edge_roots(laid);
    for_each_polled(0, laid.size(), [&](std::int64_t cell) {
        if (inputs.tree.direction[at(cell)] == kRoot)
            boundary.roots[cell] =
                edges[cell] != 0 || !(inputs.is_water(cell) && laid[cell] > inputs.water[cell]);
    });
    return boundary;
}

/// Lets water cross the fans: dams are breached where they are low, else the ground behind them is filled.
Field<float> drained(const FanInputs& inputs, const FanParameters& parameters, const LobeLayer& lobes,
                     std::size_t fans, Progress& progress) {
    const Field<float> laid = lobes.ground();
    Field<float> surface = laid;
    const auto is_wet = [&](std::int64_t cell) { return laid[cell] < inputs.water_at(cell); };
    for_each_polled(0, laid.size(), [&](std::int64_t cell) {
        if (is_wet(cell)) surface[cell] = inputs.water_at(cell);
    });
    FlowResult flow = route(surface, eight_neighbours(inputs.tree.grid), boundary_of(inputs, laid),
                            {.conditioning = {.breach_depth = kBreachDepth}, .sums_area = false}, progress);
    cut_channels(flow.tree, parameters, inputs.elevation, flow.elevation);
    for_each_polled(0, laid.size(), [&](std::int64_t cell) {
        if (is_wet(cell)) flow.elevation[cell] = laid[cell];
    });
    return balanced_fans(inputs, {.laid = laid,
                                  .drained = flow.elevation,
                                  .tree = flow.tree,
                                  .lobes = lobes.deposits(),
                                  .fans = fans});
}

/// Lays the lobes of all fans, the first of each before the second of any.
void lay_lobes(const std::vector<double>& demanded, int lobes, const std::vector<FanApex>& apexes,
               LobeLayer& layer, Progress& progress) {
    for (int lobe = 0; lobe < lobes; ++lobe) {
        progress.report(static_cast<double>(lobe) / lobes, "laying fans");
        for (std::int32_t fan = 0; fan < std::ssize(apexes); ++fan)
            if (demanded[at(fan)] > 0.0)
                layer.lay(apexes[at(fan)], fan, lobe,
                          apexes[at(fan)].resting_share * demanded[at(fan)] / lobes, progress);
    }
}

/// Tells what lies above the ground as it was, and what of this was cut away.
void tell_change(const Field<float>& before, Fans& fans) {
    const double cell_area = before.grid().cell_area();
    for_each_polled(0, before.size(), [&](std::int64_t cell) {
        if (is_no_data(before[cell])) return;
        const double change = static_cast<double>(fans.elevation[cell]) - static_cast<double>(before[cell]);
        (change > 0.0 ? fans.report.laid_volume : fans.report.cut_volume) += std::abs(change) * cell_area;
    });
}

/// Tells how much each fan holds of what it might, m^3.
void tell_volumes(const std::vector<double>& demanded, const LobeLayer& layer, Fans& fans) {
    const double cell_area = fans.elevation.grid().cell_area();
    for (const LobeDeposit& deposit : layer.deposits())
        fans.apexes[at(deposit.fan)].volume += static_cast<double>(deposit.thickness) * cell_area;
    for (std::size_t i = 0; i < demanded.size(); ++i) {
        fans.apexes[i].left = demanded[i] - fans.apexes[i].volume;
        fans.report.demanded_volume += demanded[i];
        fans.report.left_volume += fans.apexes[i].left;
    }
}

}  // namespace

void FanParameters::declare(Declaration<FanParameters>& d) {
    d.number("fan_area", &FanParameters::fan_area,
             {.label = "Area where fans begin",
              .group = "Fans",
              .unit = "m^2",
              .sentence = "Drainage area from which a river leaves a fan.",
              .minimum = 0.0,
              .maximum = 1e12,
              .usual = {1e5, 1e8, SliderScale::Logarithmic},
              .source = "by eye",
              .minimum_excluded = true});
    d.number("fan_thickness", &FanParameters::fan_thickness,
             {.label = "Thickness of catchment",
              .group = "Fans",
              .unit = "m",
              .sentence = "Rock taken all over the catchment that comes to rest in its fan.",
              .minimum = 0.0,
              .maximum = 1e4,
              .usual = {0.1, 20.0, SliderScale::Logarithmic},
              .source = "by eye"});
    d.number("fan_slope", &FanParameters::fan_slope,
             {.label = "Slope of fans",
              .group = "Fans",
              .unit = "m/m",
              .sentence = "Slope at the apex of a fan whose river drains 1 km2.",
              .minimum = 0.0,
              .maximum = 2.0,
              .usual = {0.02, 0.3},
              .source = "by eye",
              .minimum_excluded = true});
    d.number("fan_exponent", &FanParameters::fan_exponent,
             {.label = "Exponent of fan slope",
              .group = "Fans",
              .unit = "1",
              .sentence = "How fans flatten with drainage area: the power by which their slope falls.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.1, 0.5},
              .source = "by eye"});
    d.integer("lobes", &FanParameters::lobes,
              {.label = "Lobes",
               .group = "Fans",
               .unit = "1",
               .sentence = "Parts in which each fan is laid down, which turn about its apex.",
               .minimum = 1,
               .maximum = 100,
               .usual = {1, 12},
               .source = "by eye"});
}

Fans fans(const FanInputs& inputs, const FanParameters& parameters, Progress& progress) {
    Fans laid;
    ProgressPart planning(progress, 0.0, kPlanShare);
    FanPlan plan = plan_fans(inputs, parameters, planning);
    laid.apexes = std::move(plan.apexes);
    const std::vector<double>& demanded = plan.demanded;
    SilentPart silent(progress);
    LobeLayer layer(inputs, silent);
    ProgressPart laying(progress, kPlanShare, kLobesShare), draining(progress, kLobesShare, 1.0);
    lay_lobes(demanded, parameters.lobes, laid.apexes, layer, laying);
    laid.elevation = drained(inputs, parameters, layer, laid.apexes.size(), draining);
    tell_volumes(demanded, layer, laid);
    tell_change(inputs.elevation, laid);
    return laid;
}

}  // namespace thalweg
