// The formations whose numbers a raster holds.
#pragma once

#include "thalweg/render/colour.hpp"

#include <filesystem>
#include <vector>

namespace thalweg {

/// Names and colours of the formations in a raster of layer `formation`, by their numbers from 1 on: those of
/// stage `rock` of the project by whose manifest, in the same folder, the raster was written. None where no
/// manifest lists it, or that tells of no rock.
///
/// Example:
///     const std::vector<Category> formations = formations_beside("out/mountains_formation.tif");
std::vector<Category> formations_beside(const std::filesystem::path& raster);

}  // namespace thalweg
