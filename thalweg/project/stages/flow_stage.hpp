// Stage `flow`: where water goes.
#pragma once

#include "thalweg/flow/river_profile.hpp"
#include "thalweg/flow/terrain_analyses.hpp"
#include "thalweg/project/parts/basin_tracing.hpp"
#include "thalweg/project/parts/drainage.hpp"
#include "thalweg/project/parts/landforms.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/river/hydraulics.hpp"

namespace thalweg {

struct FlowStageParameters {
    DrainageParameters drainage;
    bool condition = false;
    ChiParameters chi = {};
    AnalysisParameters analysis = {};
    CatchmentParameters catchments = {};
    LandformParameters landforms = {};
    NumberOrLayer precipitation_factor = {.number = 1.0, .layer = ""};  // 1
    double runoff_rate = kMeanRunoff;                                   // m/yr

    static void declare(Declaration<FlowStageParameters>& declaration);
};

Stage flow_stage();

}  // namespace thalweg
