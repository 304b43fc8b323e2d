// Stage `noise`: fractal noise joins a layer.
#pragma once

#include "thalweg/noise/noise.hpp"
#include "thalweg/project/model/layer_inputs.hpp"
#include "thalweg/project/stage.hpp"

#include <string>

namespace thalweg {

struct NoiseStageParameters {
    NoiseParameters noise;
    int variant = 0;
    std::string layer = "elevation";
    LayerMode mode = LayerMode::Add;

    static void declare(Declaration<NoiseStageParameters>& declaration);
};

Stage noise_stage();

}  // namespace thalweg
