#include "thalweg/project/stages/rain_stage.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/parts/simulated_stage.hpp"
#include "thalweg/project/stages/rain_simulation.hpp"

namespace thalweg {

namespace {

std::string why_rain_leaves_out(const void* parameters, const std::string& dataset) {
    const bool has_history = static_cast<const RainStageParameters*>(parameters)->history_every > 0;
    return dataset == kHistory && !has_history ? "it takes history_every, the events between its snapshots"
                                               : "";
}

/// The most that snapshots of elevation and drainage area take.
double history_bytes(const void* parameters, const StageWork& work) {
    const auto& rain = *static_cast<const RainStageParameters*>(parameters);
    if (rain.history_every == 0 || !work.wanted.has(kHistory)) return 0.0;
    const std::int64_t snapshots = 1 + rain.rain.events / rain.history_every;
    return 2.0 * sizeof(float) * static_cast<double>(snapshots * work.grid.cells());
}

/// The terrain that rain begins with.
void declare_start(Declaration<RainStageParameters>& d) {
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
}

}  // namespace

void RainStageParameters::declare(Declaration<RainStageParameters>& d) {
    d.include(&RainStageParameters::rain);
    declare_start(d);
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
    d.integer("history_every", &RainStageParameters::history_every,
              {.label = "Events between snapshots",
               .group = "Rain",
               .unit = "1",
               .sentence = "Units of rain from snapshot to snapshot of the history, where that is asked for; "
                           "0: no history.",
               .minimum = 0.0,
               .maximum = 1e12,
               .usual = {100.0, 1e5, SliderScale::Logarithmic},
               .automatic = 0.0});
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
    return make_simulated_stage<RainStageParameters>(
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
            .writes = {"elevation", "drainage_area", kRivers, kRiverPoints, kHistory},
            .on_request = {kRiverPoints, kHistory},
            .primary = "elevation",
            .needs_input = false,
            .accepts_input = true,
            .bytes_per_cell = 48.0,  // heights and flags of the rain, then the tree, its order and areas
            .working_bytes = history_bytes,
            .time = {.parameter = "events", .unit = "events"},
            .why_left_out = why_rain_leaves_out,
        },
        simulate_rain);
}

}  // namespace thalweg
