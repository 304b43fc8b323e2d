// A small flat landscape for tests of landscapes and stages.
#pragma once

#include "thalweg/project/landscape.hpp"

namespace thalweg {

/// 10 x 10 cells of 10 m, 5 m high.
inline Landscape flat_land() {
    Landscape landscape;
    landscape.grid = make_grid(100.0, 100.0, 10);
    landscape.set("elevation", Field<float>(landscape.grid, 5.0F));
    return landscape;
}

}  // namespace thalweg
