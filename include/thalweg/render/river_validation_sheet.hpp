// Plots of a river's migration between two surveys beside that which is predicted, on one sheet.
#pragma once

#include "thalweg/meander/river_validation.hpp"
#include "thalweg/render/image.hpp"

#include <string>

namespace thalweg {

/// A validation, and what its two lines are called.
struct NamedValidation {
    std::string earlier;
    std::string later;
    double years = 0.0;
    RiverValidation found;
};

inline constexpr int kValidationSheetWidth = 1800;  // pixels

/// Observed and predicted rates along the river in four rows, with what is excluded as bands; both against
/// each other; and a map of both lines about the longest excluded stretch, or where there is none about the
/// fastest migration. `width`: pixels, 600 or more. O(pixels + points).
///
/// Example:
///     const auto sheet = [](const RiverValidation& found) {
///         return draw_river_validation({"1987", "2017", 30.0, found});
///     };
Image draw_river_validation(const NamedValidation& validation, int width = kValidationSheetWidth);

/// The same as SVG, with the same bytes for the same numbers.
std::string river_validation_svg(const NamedValidation& validation, int width = kValidationSheetWidth);

}  // namespace thalweg
