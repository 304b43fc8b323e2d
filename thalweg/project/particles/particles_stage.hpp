// Stage `particles`: droplets carry water, momentum and sediment over terrain.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/particles/particle_parameters.hpp"
#include "thalweg/project/particles/particle_edit.hpp"
#include "thalweg/project/stage.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

struct ParticleStageParameters {
    ParticleParameters particles;                         // without those that are given here
    NumberOrLayer rainfall = {.number = 1.0};             // m/yr that runs off
    NumberOrLayer sediment_depth;                         // m, at first
    NumberOrLayer soil_depth;                             // m, on it, at first
    NumberOrLayer bedrock_erodibility = {.number = 1.0};  // 1, over that of sediment
    NumberOrLayer bedrock_repose_slope;                   // m/m; 0: repose_slope
    NumberOrLayer pigment;                                // 1, at first; 0: none
    NumberOrLayer plant_cover;                            // 1, at first
    bool has_rock = false;                                // whether bedrock is the landscape's rock
    std::string pigment_formation;                        // whose rock has pigment 1; empty: `pigment`
    bool has_ground_colours = false;                      // whether those of the rock are washed instead
    std::vector<ParticleEdit> edits = {};
    std::int64_t history_every = 0;   // cycles from snapshot to snapshot; 0: no history
    std::int64_t metrics_every = 10;  // cycles from record to record of particle_metrics

    /// Whether bedrock differs from sediment.
    [[nodiscard]] bool has_bedrock() const {
        return has_rock || !bedrock_erodibility.is_number() || bedrock_erodibility.number != 1.0 ||
               !bedrock_repose_slope.is_number() || bedrock_repose_slope.number > 0.0;
    }
    /// Whether it has them at first, or edits bring them.
    [[nodiscard]] bool has_soil() const;
    [[nodiscard]] bool has_plants() const;
    /// One of 0 to 1; colours are three.
    [[nodiscard]] bool has_pigment() const {
        return !pigment_formation.empty() || !pigment.is_number() || pigment.number > 0.0;
    }

    static void declare(Declaration<ParticleStageParameters>& declaration);
};

Stage particles_stage();

}  // namespace thalweg
