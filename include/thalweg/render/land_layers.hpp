// What covers the land, for pictures in natural colours.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"

#include <vector>

namespace thalweg {

/// Layers on the grid of the elevation that is drawn, from 0 to 1 (ground/ground_cover.hpp). Null is none of
/// it; all null: what covers the land is not known. They must live while the picture is drawn.
///
/// Example:
///     const Field<float> woods(grid, 0.7F);
///     const LandLayers land = {.vegetation = &woods, .forest = &woods};
struct LandLayers {
    const Field<float>* bare_rock = nullptr;
    const Field<float>* scree = nullptr;
    const Field<float>* vegetation = nullptr;
    const Field<float>* forest = nullptr;       // a part of vegetation
    const Field<float>* snow = nullptr;         // on all of them
    const Field<float>* water_depth = nullptr;  // m, over all of them where above 0; for maps
    Field<Colour> rock = {};                    // sRGB, colour of the rock; empty: grey
    Field<Colour> ground = {};  // sRGB, of rock, scree and soil alike; empty: `rock` and their own
    std::vector<Category> ground_kinds = {};  // that these are mixed of, for legends

    [[nodiscard]] bool empty() const {
        return bare_rock == nullptr && scree == nullptr && vegetation == nullptr && forest == nullptr &&
               snow == nullptr && ground.empty();
    }
};

}  // namespace thalweg
