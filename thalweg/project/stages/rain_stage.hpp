// Stage `rain`: single units of rain carve a river network (Leheny 1995), and its rivers are counted.
#pragma once

#include "thalweg/erosion/rain_events.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/river/extract.hpp"

#include <cstdint>

namespace thalweg {

/// Terrain that rain begins with. Auto: the layer elevation where there is one, else a tilted plane.
enum class RainStart { Auto, Plane, Peak, Terrain };

/// What lies beyond the edges. Auto: columns wrap on a plane, water leaves at every edge of other starts.
enum class RainEdges { Auto, Wrapped, Open, South, Closed };

struct RainStageParameters {
    RainParameters rain;
    RainStart start = RainStart::Auto;
    double tilt = 1.0;         // units a cell, of a plane or peak
    double base = 0.0;         // m, height of the south row of the plane, or of the foot of the peak
    double height_unit = 0.0;  // m of one unit; 0: so that 2000 units are the side of a cell
    RainEdges edges = RainEdges::Auto;
    std::int64_t history_every = 0;                // events from snapshot to snapshot, 1; 0: no history
    int river_visits = 100;                        // R, cells that drain through a cell of a river, 1
    NetworkParameters network = {.smoothing = 0};  // without min_area, which river_visits gives

    static void declare(Declaration<RainStageParameters>& declaration);
};

Stage rain_stage();

}  // namespace thalweg
