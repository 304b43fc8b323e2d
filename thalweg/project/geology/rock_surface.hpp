// What of a landscape's rock lies at the ground, as layers.
#pragma once

#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/rock.hpp"
#include "thalweg/project/stage.hpp"

#include <memory>

namespace thalweg {

/// Leaves layers erodibility, and formation and critical_slope where they are wanted, of the rock at heights
/// `z` [m]. `source`, where set, gives the erodibility on other grids.
void set_rock_layers(const Rock& rock, const RockBody& body, const Field<float>& z, LayerSource source,
                     StageContext& context);

/// Erodibility [m^(1-2m)/yr] at a surface.
Field<float> erodibility_of(const Rock& rock, RockSurface surface);

}  // namespace thalweg
