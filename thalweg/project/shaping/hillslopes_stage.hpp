// Stage `hillslopes`: ground between channels is made uneven, slides, and soil creeps down it.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/erosion/landslides.hpp"
#include "thalweg/project/stage.hpp"

namespace thalweg {

/// What the rims of the data do: keep their elevation, or let nothing pass.
enum class HillslopeEdges { Held, Closed };

/// Leaves the time to the size of the cells.
inline constexpr double kTimeByCells = -1.0;

/// Roughens where the landscape has rock, which ground that was surveyed has not.
inline constexpr double kRoughnessByRock = -1.0;

/// Cuts gullies where the landscape has rock.
inline constexpr double kGulliesByRock = -1.0;

/// Adds grain, and takes means of cells, where the landscape has rock.
inline constexpr double kGrainByRock = -1.0;
inline constexpr double kMeansByRock = -1.0;

struct HillslopesStageParameters {
    double time = kTimeByCells;                                   // yr
    NumberOrLayer diffusivity = {.number = 0.01, .layer = ""};    // m^2/yr
    NumberOrLayer critical_slope = {.number = 0.0, .layer = ""};  // m/m; 0: the rock's, or kSoilSlope
    double channel_area = 1e6;                                    // m^2; infinite: no channels
    double roughness = kRoughnessByRock;                          // m
    double gully_time = kGulliesByRock;                           // yr
    double gully_area = 5e3;                                      // m^2
    double grain = kGrainByRock;                                  // m
    double cell_means = kMeansByRock;                             // 1
    LandslideParameters landslides;
    HillslopeEdges edges = HillslopeEdges::Held;
    int steps = 0;  // of time; 0: as many as cells show

    static void declare(Declaration<HillslopesStageParameters>& declaration);
};

Stage hillslopes_stage();

}  // namespace thalweg
