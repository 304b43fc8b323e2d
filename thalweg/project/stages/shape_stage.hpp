// Stage `shape`: a simple landform joins a layer.
#pragma once

#include "thalweg/noise/shapes.hpp"
#include "thalweg/project/model/layer_inputs.hpp"
#include "thalweg/project/stage.hpp"

#include <string>

namespace thalweg {

struct ShapeStageParameters {
    ShapeParameters shape;
    int variant = 0;
    std::string layer = "elevation";
    LayerMode mode = LayerMode::Add;

    static void declare(Declaration<ShapeStageParameters>& declaration);
};

Stage shape_stage();

}  // namespace thalweg
