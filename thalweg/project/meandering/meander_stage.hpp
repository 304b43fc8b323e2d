// Stage `meander`: rivers that wander (Paris et al. 2023).
#pragma once

#include "thalweg/meander/meander_ground.hpp"
#include "thalweg/meander/meander_maps.hpp"
#include "thalweg/meander/meander_metrics.hpp"
#include "thalweg/meander/meander_parameters.hpp"
#include "thalweg/project/meandering/river_edit.hpp"
#include "thalweg/project/stage.hpp"

#include <string>
#include <vector>

namespace thalweg {

struct MeanderStageParameters {
    MeanderParameters meander;
    MeanderMapParameters maps;
    bool shape_ground = false;  // whether the ground has the rivers in it
    MeanderGroundParameters ground;
    MeanderMetricsParameters metrics;
    double years = 400.0;
    std::string network = {};      // file of rivers; empty: the network that the landscape has
    double channel_width = 100.0;  // m, of lines that have none
    double record_every = 5.0;     // yr, of the history of courses
    std::vector<ScriptedEdit> edits = {};
    double reference_erodibility = 2e-5;  // m^(1-2m)/yr, of rock to which wall_erodibility belongs
    double history_every = 0.0;           // yr, between snapshots; 0: none

    static void declare(Declaration<MeanderStageParameters>& declaration);
};

Stage meander_stage();

}  // namespace thalweg
