// Stage `strokes`: brush strokes on a layer.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/strokes.hpp"

#include <string>
#include <vector>

namespace thalweg {

struct StrokesParameters {
    std::vector<Stroke> strokes;
    std::string layer = "elevation";

    static void declare(Declaration<StrokesParameters>& declaration);
};

}  // namespace thalweg
