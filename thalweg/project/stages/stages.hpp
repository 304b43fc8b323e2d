// The stages of this program, one function for each; stage_registry() lists them in order.
#pragma once

#include "thalweg/project/stage.hpp"

namespace thalweg {

Stage import_stage();
Stage noise_stage();
Stage shape_stage();
Stage strokes_stage();
Stage rock_stage();
Stage history_stage();
Stage rain_stage();
Stage erode_stage();
Stage flow_stage();
Stage rivers_stage();

}  // namespace thalweg
