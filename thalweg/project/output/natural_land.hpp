// What covers a landscape, as pictures in natural colours show it.
#pragma once

#include "thalweg/project/landscape.hpp"
#include "thalweg/render/land_layers.hpp"

namespace thalweg {

/// What stage `ground` has left; empty where it has not run. The landscape must outlive it.
LandLayers land_layers(const Landscape& landscape);

}  // namespace thalweg
