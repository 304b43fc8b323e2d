#include "thalweg/project/stages/rain_stage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/erosion/rain_start.hpp"
#include "thalweg/flow/descent.hpp"
#include "thalweg/flow/drainage_exponents.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/project/stages/network_told.hpp"
#include "thalweg/project/stages/stages.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kUnitsOfCell =
    2000.0;  // M of Leheny 1995: as high as a cell is wide, mudslides begin at 45 degrees
constexpr double kRainShare = 0.9;  // of the stage's progress

RainStart start_of(const RainStageParameters& parameters, const Landscape& landscape) {
    if (parameters.start != RainStart::Auto) return parameters.start;
    return landscape.has("elevation") ? RainStart::Terrain : RainStart::Plane;
}

Edges edges_of(const RainStageParameters& parameters, RainStart start) {
    switch (parameters.edges) {
        case RainEdges::Wrapped:
            return Edges::Wrapped;
        case RainEdges::Open:
            return Edges::Open;
        case RainEdges::South:
            return Edges::South;
        case RainEdges::Closed:
            return Edges::Closed;
        case RainEdges::Auto:
            break;
    }
    return start == RainStart::Plane ? Edges::Wrapped : Edges::Open;
}

Field<float> scaled(Field<float> field, double factor, double base = 0.0) {
    for (float& value : field) value = static_cast<float>(value * factor + base);
    return field;
}

/// The terrain that rain begins with, in units.
Field<float> start_terrain(RainStart start, const RainStageParameters& parameters, double unit,
                           const Landscape& landscape) {
    if (start == RainStart::Plane) return tilted_plane(landscape.grid, parameters.tilt);
    if (start == RainStart::Peak) return central_peak(landscape.grid, parameters.tilt);
    return scaled(landscape.layer("elevation"), 1.0 / unit);
}

/// The rivers of the layer elevation, and what drains through each cell.
FlowTree count_rivers(const RainStageParameters& parameters, Edges edges, StageContext& context) {
    Landscape& landscape = context.landscape;
    const Field<float>& elevation = landscape.layer("elevation");
    FlowTree tree =
        descend(elevation, edges, links_of(parameters.rain.neighbours), landscape.seed, context.progress);
    const Field<double> area = drainage_area(tree);
    NetworkParameters network = parameters.network;
    network.min_area = parameters.river_visits * landscape.grid.cell_area();
    landscape.put(kRivers, extract_network(tree, area, elevation, network, context.progress));
    Field<float> drained(landscape.grid, kNoData);
    for (const std::int32_t cell : tree.order) drained[cell] = static_cast<float>(area[cell]);
    landscape.set("drainage_area", std::move(drained));
    return tree;
}

void describe_rain(const RainReport& report, double unit, double cell_area, Diagnostics& diagnostics) {
    diagnostics.values = {{"events", report.events},       {"trapped", report.trapped},
                          {"visits", report.visits},       {"eroded_visits", report.eroded},
                          {"mudslides", report.mudslides}, {"removed_m3", report.removed * unit * cell_area},
                          {"height_unit_m", unit}};
    if (report.trapped > 0)
        diagnostics.notes.push_back(
            fmt::format("{} of {} units of rain ended in sinks, where no neighbour is lower", report.trapped,
                        report.events));
}

void describe_rivers(const FlowTree& tree, StageContext& context) {
    const DrainageExponents exponents = drainage_exponents(tree, context.progress);
    const auto sinks = std::count(tree.direction.begin(), tree.direction.end(), kPit);
    const auto& rivers = context.landscape.get<RiverNetwork>(kRivers);
    auto& values = context.diagnostics.values;
    values.emplace_back("sinks", std::int64_t{sinks});
    describe_network(rivers, summary_of(rivers), context.diagnostics);
    values.emplace_back("area_exponent", exponents.area);
    values.emplace_back("hack_exponent", exponents.hack);
    if (rivers.reaches.empty())
        context.diagnostics.notes.emplace_back(
            "no cell drains as many cells as river_visits: the river network is empty");
}

void run(const RainStageParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    const RainStart start = start_of(parameters, landscape);
    const Edges edges = edges_of(parameters, start);
    const double unit =
        parameters.height_unit > 0.0 ? parameters.height_unit : landscape.grid.cell_size / kUnitsOfCell;
    const Stopwatch raining;
    ProgressPart part(context.progress, 0.0, kRainShare);
    RainResult result = rain_events(start_terrain(start, parameters, unit, landscape), edges, parameters.rain,
                                    landscape.seed, part);
    const bool is_start = start == RainStart::Terrain && result.report.eroded + result.report.mudslides == 0;
    const double base = start == RainStart::Terrain ? 0.0 : parameters.base;
    // Terrain that nothing changed keeps its bits, which a change of units and back would not.
    if (!is_start) landscape.set("elevation", scaled(std::move(result.elevation), unit, base));
    context.diagnostics.phases_ms.emplace_back("rain", raining.milliseconds());
    describe_rain(result.report, unit, landscape.grid.cell_area(), context.diagnostics);

    context.progress.report(kRainShare, "counting rivers");
    const Stopwatch counting;
    const FlowTree tree = count_rivers(parameters, edges, context);
    context.diagnostics.phases_ms.emplace_back("rivers", counting.milliseconds());
    describe_rivers(tree, context);
    context.diagnostics.values.emplace_back(
        "cells_per_second", static_cast<double>(landscape.grid.cells()) * 1000.0 / raining.milliseconds());
}

}  // namespace

void RainStageParameters::declare(Declaration<RainStageParameters>& d) {
    d.include(&RainStageParameters::rain);
    d.choice(
        "start", &RainStageParameters::start,
        {{"auto", RainStart::Auto, "The layer elevation where there is one, else the plane."},
         {"plane", RainStart::Plane, "A plane that falls to the south."},
         {"peak", RainStart::Peak, "A cone with its top in the middle."},
         {"terrain", RainStart::Terrain, "The layer elevation."}},
        {.label = "Initial terrain",
         .group = "Start",
         .unit = "",
         .sentence =
             "What rain begins with: a plane that falls to the south, a peak in the middle, or the layer "
             "elevation; auto takes elevation where it is there, else the plane.",
         .source = "Leheny 1995: the plane"});
    d.number("tilt", &RainStageParameters::tilt,
             {.label = "Tilt",
              .group = "Start",
              .unit = "unit/cell",
              .sentence = "How far plane or peak fall from cell to cell.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {0.1, 100.0, SliderScale::Logarithmic},
              .source = "Leheny 1995",
              .enabled_when = {differs("start", {"terrain"})}});
    d.number(
        "base", &RainStageParameters::base,
        {.label = "Base height",
         .group = "Start",
         .unit = "m",
         .sentence = "Height of the south row of the plane, or of the foot of the peak, before rain falls.",
         .minimum = -1e5,
         .maximum = 1e5,
         .usual = {-1000.0, 3000.0},
         .enabled_when = {differs("start", {"terrain"})}});
    d.number(
        "height_unit", &RainStageParameters::height_unit,
        {.label = "Height of one unit",
         .group = "Start",
         .unit = "m",
         .sentence =
             "Height of one unit of the model; 0 takes a 2000th of a cell's side, so that mudslides begin "
             "at 45 degrees.",
         .minimum = 0.0,
         .maximum = 1e6,
         .usual = {1e-3, 1.0, SliderScale::Logarithmic},
         .automatic = 0.0,
         .is_advanced = true});
    d.choice("edges", &RainStageParameters::edges,
             {{"auto", RainEdges::Auto, "Wrapped on a plane, open on other terrain."},
              {"wrapped", RainEdges::Wrapped, "Water leaves over the south edge; west and east are joined."},
              {"open", RainEdges::Open, "Water leaves at every edge of the data."},
              {"south", RainEdges::South, "Water leaves over the south edge; west and east are walls."},
              {"closed", RainEdges::Closed, "Water leaves nowhere."}},
             {.label = "Edges of the grid",
              .group = "Boundary",
              .unit = "",
              .sentence =
                  "Where water leaves: over the south edge, with west and east joined (wrapped) or walls "
                  "(south); at every edge of the data (open); nowhere (closed); auto is wrapped on a plane, "
                  "else open.",
              .source = "Leheny 1995: wrapped"});
    d.integer("river_visits", &RainStageParameters::river_visits,
              {.label = "River threshold",
               .group = "Network",
               .unit = "cells",
               .sentence = "How many cells drain through a cell that belongs to a river, R.",
               .minimum = 1.0,
               .usual = {10.0, 1000.0, SliderScale::Logarithmic},
               .source = "Leheny 1995: 10 to 1000"});
    d.include(&RainStageParameters::network, {"headwaters", "min_area", "slope_area_threshold",
                                              "slope_area_exponent", "springs", "reference_area"});
}

Stage rain_stage() {
    return make_stage<RainStageParameters>(
        {
            .name = "rain",
            .summary = "Carves a river network by single units of rain and mudslides.",
            .description = "Leheny's model (1995): a unit of rain falls on a random cell, walks downhill at "
                           "random, the steeper "
                           "the likelier, and lowers every cell of its way; where neighbours then differ too "
                           "much in height, "
                           "the taller one slides. After many events a river network has grown. Its rivers "
                           "are counted by a "
                           "unit of water from every cell that follows the steepest descent, and drawn as "
                           "connected lines "
                           "where enough pass. Heights are in units of the model, which `height_unit` turns "
                           "into metres.",
            .reads_if_present = {"elevation"},
            .writes = {"elevation", "drainage_area", kRivers, kRiverPoints},
            .on_request = {kRiverPoints},
            .primary = "elevation",
            .needs_input = false,
            .accepts_input = true,
            .bytes_per_cell = 48.0,  // heights and flags of the rain, then the tree, its order and areas
        },
        run);
}

}  // namespace thalweg
