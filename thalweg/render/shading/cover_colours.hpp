// Natural colours of land whose cover is known.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/land_layers.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// Natural albedo (linear light) of every cell of `terrain` [m], whose grid need not be that of the layers:
/// forest, grass by how thickly it grows, soil, rock in its colour, scree and snow by their shares; sand
/// below the sea level. Borders between covers are broken by noise as large as patches of them are, and
/// colours by grain. An artist's rule; empirical. No-data cells get black. O(cells); same bits on any number
/// of threads.
Field<Colour> cover_colours(const LandLayers& layers, const Field<float>& terrain, double sea_level,
                            const Progress& progress);

/// The kinds of cover that `layers` show, and their colours in pictures.
std::vector<Category> cover_legend(const LandLayers& layers);

}  // namespace thalweg
