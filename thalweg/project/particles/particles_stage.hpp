// Stage `particles`: droplets carry water, momentum and sediment over terrain.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/particles/particle_parameters.hpp"
#include "thalweg/project/stage.hpp"

#include <cstdint>

namespace thalweg {

struct ParticleStageParameters {
    ParticleParameters particles;              // without rainfall, which is given here
    NumberOrLayer rainfall = {.number = 1.0};  // m/yr that runs off
    std::int64_t history_every = 0;            // cycles from snapshot to snapshot; 0: no history

    static void declare(Declaration<ParticleStageParameters>& declaration);
};

Stage particles_stage();

}  // namespace thalweg
