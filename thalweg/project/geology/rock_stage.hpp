// Stage `rock`: the rock under a landscape, and what of it lies at the surface.
#pragma once

#include "thalweg/project/stage.hpp"
#include "thalweg/rock/rock_parameters.hpp"

namespace thalweg {

struct RockStageParameters {
    RockParameters rock;
    double erodibility = 2e-5;  // m^(1-2m)/yr
    NumberOrLayer erodibility_map = {.number = 1.0, .layer = ""};
    NumberOrLayer formation_map = {.number = 0.0, .layer = ""};
    int variant = 0;

    static void declare(Declaration<RockStageParameters>& declaration);
};

Stage rock_stage();

}  // namespace thalweg
