// Stage `history`: a terrain through episodes of uplift, over rock that is laid open.
#pragma once

#include "thalweg/erosion/erosion_history.hpp"
#include "thalweg/project/stage.hpp"

#include <limits>
#include <vector>

namespace thalweg {

struct HistoryStageParameters {
    HistoryPreset preset = HistoryPreset::RisingBlock;
    std::vector<UpliftEpisode> episodes;                      // empty: the preset's
    double time = std::numeric_limits<double>::infinity();    // yr
    NumberOrLayer uplift_map = {.number = 1.0, .layer = ""};  // of painted episodes, 1
    HistoryStart start = HistoryStart::Steady;
    double start_uplift = 1e-3;                                   // m/yr
    double erodibility = 2e-5;                                    // m^(1-2m)/yr, where there is no rock
    double sea_level = -std::numeric_limits<double>::infinity();  // m
    std::vector<DrainageSource> sources = {};
    // Debris flows below rivers, and landslides that keep faces from standing much steeper than 45 degrees;
    // what creeps is left to stage `hillslopes`.
    ErosionLaw law = {.debris_flow_celerity = 9e-4, .hillslope = false, .thermal_erosion = 1.5e-3};
    int variant = 0;

    static void declare(Declaration<HistoryStageParameters>& declaration);
};

Stage history_stage();

}  // namespace thalweg
