// The picture of a river from near by, of what stages carve and water have left.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/settings.hpp"
#include "thalweg/render/image.hpp"
#include "thalweg/render/river_view.hpp"

#include <memory>

namespace thalweg {

/// Whether the landscape has what the picture shows: water on carved beds.
bool has_river_picture(const Landscape& landscape);

/// The view that `look` asks for, of the ground of a landscape.
std::unique_ptr<const RiverView> river_view(const OutputSettings& look, const Landscape& landscape, int width,
                                            int height, Progress& progress);

/// The water of a landscape at its time.
RiverWater river_water_of(const Landscape& landscape);

}  // namespace thalweg
