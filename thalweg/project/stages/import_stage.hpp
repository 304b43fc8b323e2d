// Stage `import`: a raster file becomes a layer.
#pragma once

#include "thalweg/project/model/layer_inputs.hpp"
#include "thalweg/project/parts/layer_modes.hpp"
#include "thalweg/project/stage.hpp"

#include <string>
#include <vector>

namespace thalweg {

struct ImportParameters {
    std::string file;
    std::string layer = "elevation";
    LayerMode mode = LayerMode::Set;
    double scale = 1.0;                     // layer = raster * scale + offset
    double offset = 0.0;                    // in the layer's unit
    std::vector<double> height_range = {};  // m, two numbers, or none: what the raster says itself
    std::vector<double> nodata =
        {};  // at most one number, as the raster stores it; none: what it says itself

    static void declare(Declaration<ImportParameters>& declaration);
};

Stage import_stage();

}  // namespace thalweg
