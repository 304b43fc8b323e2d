// The stage `rain` under way.
#pragma once

#include "thalweg/project/simulation.hpp"
#include "thalweg/project/stages/rain_stage.hpp"

#include <memory>

namespace thalweg {

/// Rain on the context's landscape, before the first event. Edits: "rain" with parameters of the stage, but
/// those of its start, from then on; and the name of any other stage that writes elevation, with its
/// parameters: it works on the elevation there is, in metres, and cells that it leaves as they are keep their
/// bits. Throws Error::input.
std::unique_ptr<Simulation> simulate_rain(const RainStageParameters& parameters, StageContext& context);

}  // namespace thalweg
