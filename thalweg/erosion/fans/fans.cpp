#include "thalweg/erosion/fans.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/erosion/fans/fan_apexes.hpp"
#include "thalweg/erosion/fans/fan_lobes.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace thalweg {
namespace {

constexpr double kSquareKilometre = 1e6;  // m^2
constexpr double kBankAt1km2 = 0.30;      // m, Bieger et al. 2015: bankfull depth, all of the US
constexpr double kBankExponent = 0.213;   // the same
constexpr double kLayingShare = 0.5;      // of the progress
constexpr double kBreachDepth = 3.0;      // m: dams that are higher are filled behind (by eye)
constexpr double kLaidError = 5e-4;       // of the volume that is laid down
constexpr int kMostAttempts = 8;

/// How much of a half cone of the fan's volume lies beyond the map: sectors of 1/16 of its turn and radius.
double share_beyond(const FanApex& apex, double volume, const Field<float>& elevation) {
    constexpr int kParts = 16;
    const Grid& grid = elevation.grid();
    const double radius = std::cbrt(6.0 * volume / (std::numbers::pi * apex.slope));
    const Position head = grid.centre(grid.column_of(apex.cell), grid.row_of(apex.cell));
    double beyond = 0.0, all = 0.0;
    for (int turn = 0; turn < kParts; ++turn)
        for (int ring = 0; ring < kParts; ++ring) {
            const double bearing = apex.heading + std::numbers::pi * ((turn + 0.5) / kParts - 0.5);
            const double distance = (ring + 0.5) / kParts;
            const double weight = distance * (1.0 - distance);
            const int column =
                static_cast<int>(std::lround(grid.column_at(head.x + radius * distance * std::cos(bearing))));
            const int row =
                static_cast<int>(std::lround(grid.row_at(head.y + radius * distance * std::sin(bearing))));
            all += weight;
            if (!grid.contains(column, row) || is_no_data(elevation(column, row))) beyond += weight;
        }
    return beyond / all;
}

void share_out(const FanInputs& inputs, const FanParameters& parameters, Fans& fans) {
    for (FanApex& apex : fans.apexes) {
        const double demanded = parameters.fan_thickness * apex.area;
        apex.left = demanded * share_beyond(apex, demanded, inputs.elevation);
        apex.volume = demanded - apex.left;
        fans.report.demanded_volume += demanded;
        fans.report.left_volume += apex.left;
    }
}

/// Raises cells at the edge of the grid with the ground inside.
void raise_edges(const Field<float>& before, Field<float>& after) {
    const Grid& grid = before.grid();
    if (grid.columns < 3 || grid.rows < 3) return;
    const auto raise = [&](int column, int row) {
        const std::int64_t cell = grid.index(column, row);
        const std::int64_t inside =
            grid.index(std::clamp(column, 1, grid.columns - 2), std::clamp(row, 1, grid.rows - 2));
        if (after[inside] > before[inside])
            after[cell] = std::max(after[cell],
                                   std::min(after[inside], before[cell] + (after[inside] - before[inside])));
    };
    for (int row = 0; row < grid.rows; ++row)
        for (const int column : {0, grid.columns - 1}) raise(column, row);
    for (int column = 1; column < grid.columns - 1; ++column)
        for (const int row : {0, grid.rows - 1}) raise(column, row);
}

/// Cuts the beds of rivers that cross the fans, no deeper than the deposit.
void cut_channels(const FlowTree& tree, const FanParameters& parameters, const Field<float>& before,
                  Field<float>& after) {
    const Field<double> area = drainage_area(tree);
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0 || area[cell] < parameters.fan_area || !(after[cell] > before[cell])) return;
        const double depth = kBankAt1km2 * std::pow(area[cell] / kSquareKilometre, kBankExponent);
        const float bed = std::max(before[cell], after[cell] - static_cast<float>(depth));
        after[cell] = std::min(after[cell], std::max(bed, after[receiver]));
    });
}

double volume_between(const Field<float>& before, const Field<float>& after) {
    double sum = 0.0;
    for_each_polled(0, before.size(), [&](std::int64_t cell) {
        if (!is_no_data(before[cell]))
            sum += static_cast<double>(after[cell]) - static_cast<double>(before[cell]);
    });
    return sum * before.grid().cell_area();
}

/// Lets water cross the fans: ground behind them is filled, but for what low dams hold.
void drain_fans(const FanInputs& inputs, const FanParameters& parameters, Fans& fans, Progress& progress) {
    raise_edges(inputs.elevation, fans.elevation);
    const Lattice lattice = eight_neighbours(inputs.tree.grid);
    FlowResult flow = route(fans.elevation, lattice, inputs.boundary, {.sums_area = false}, progress);
    fans.elevation = std::move(flow.elevation);
    cut_channels(flow.tree, parameters, inputs.elevation, fans.elevation);
}

/// Lays `share` of the volumes, and lets water cross. Returns what lies on the terrain then, m^3.
double lay(const FanInputs& inputs, const FanParameters& parameters, double share, LobeLayer& layer,
           Fans& fans, Progress& progress) {
    fans.elevation = inputs.elevation;
    for (int lobe = 0; lobe < parameters.lobes; ++lobe) {
        progress.report(kLayingShare * lobe / parameters.lobes, "laying fans");
        for (const FanApex& apex : fans.apexes)
            if (const double volume = share * apex.volume / parameters.lobes; volume > 0.0)
                layer.lay(apex, lobe, volume, fans.elevation, progress);
    }
    ProgressPart draining(progress, kLayingShare, 1.0);
    drain_fans(inputs, parameters, fans, draining);
    return volume_between(inputs.elevation, fans.elevation);
}

/// Changes the share of the volumes in lobes until what lies there in the end is what was demanded.
void lay_all(const FanInputs& inputs, const FanParameters& parameters, Fans& fans, Progress& progress) {
    const double demanded = fans.report.demanded_volume - fans.report.left_volume;
    LobeLayer layer(inputs);
    double share = 1.0;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
        ProgressPart part(progress, 1.0 - std::pow(0.5, attempt), 1.0 - std::pow(0.5, attempt + 1));
        fans.report.laid_volume = lay(inputs, parameters, share, layer, fans, part);
        if (std::abs(fans.report.laid_volume - demanded) <= kLaidError * demanded) return;
        share *= std::clamp(demanded / std::max(fans.report.laid_volume, 1e-9 * demanded), 0.3, 3.0);
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
    laid.apexes = fan_apexes(inputs, parameters, progress);
    share_out(inputs, parameters, laid);
    lay_all(inputs, parameters, laid, progress);
    return laid;
}

}  // namespace thalweg
