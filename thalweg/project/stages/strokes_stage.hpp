// Stage `strokes`: brush strokes on a layer.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/strokes.hpp"
#include "thalweg/project/stage.hpp"

#include <string>
#include <vector>

namespace thalweg {

struct StrokesParameters {
    std::vector<Stroke> strokes;
    std::string layer = "elevation";

    static void declare(Declaration<StrokesParameters>& declaration);
};

Stage strokes_stage();

}  // namespace thalweg
