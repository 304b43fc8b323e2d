// Layers `ridge` and `valley`, which several stages make of the elevation that they leave.
#pragma once

#include "thalweg/project/stage.hpp"

namespace thalweg {

struct LandformParameters {
    double landform_radius = 0.0;  // m; 0: a 64th of the landscape's longer side

    static void declare(Declaration<LandformParameters>& declaration);
};

/// Sets those that are wanted (grid/topographic_position.hpp).
void set_landforms(const LandformParameters& parameters, StageContext& context);

}  // namespace thalweg
