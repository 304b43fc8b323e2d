// Plots of terrains described in numbers, on one sheet.
#pragma once

#include "thalweg/flow/terrain_statistics.hpp"
#include "thalweg/render/image.hpp"

#include <span>
#include <string>

namespace thalweg {

/// A terrain and what it is called.
struct DescribedTerrain {
    std::string name;
    TerrainDescription description;
};

inline constexpr std::size_t kMostOnSheet = 8;       // terrains, of one colour each
inline constexpr int kDescriptionSheetWidth = 1600;  // pixels

/// The curves of one to 8 terrains, laid over each other: hypsometry, slopes, slope over area, the largest
/// river's profile, spectra, aspects, junction angles, and widths of valley floors; beside them the z of
/// every statistic within the range of real landscapes (flow/natural_ranges.hpp), that of the first terrain's
/// cells. `width`: pixels, 600 or more; it is nearly as high. O(pixels + points of the curves).
///
/// Example:
///     const std::vector<DescribedTerrain> terrains = {{"valley", describe_terrain(elevation, progress)}};
///     const Image sheet = draw_descriptions(terrains);
Image draw_descriptions(std::span<const DescribedTerrain> terrains, int width = kDescriptionSheetWidth);

/// The same as SVG, with the same bytes for the same numbers.
std::string descriptions_svg(std::span<const DescribedTerrain> terrains, int width = kDescriptionSheetWidth);

}  // namespace thalweg
