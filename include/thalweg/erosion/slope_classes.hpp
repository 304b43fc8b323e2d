// Slopes that are prescribed by drainage area, in place of the law that finds them.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <span>
#include <vector>

namespace thalweg {

/// The slope of ground and rivers that drain more than an area, up to that of the next class.
/// Source: Genevaux et al. 2013 (slope maps of rivers and mountainsides), as used in Tzathas et al. 2024,
/// section 7.1 and fig. 6: 0.06 above 2500 m^2 of drainage area, 0.6 elsewhere.
struct SlopeClass {
    double area = 0.0;   // m^2, weighted by precipitation: m^3 of water a year where 1 m of rain falls
    double slope = 0.6;  // m/m

    static void declare(Declaration<SlopeClass>& declaration);
};

/// Throws Error::input unless the first class begins at 0 m^2, each area is above the one before, and slopes
/// are positive and finite. No class at all is allowed.
void check_slope_classes(const std::vector<SlopeClass>& classes);

/// Slope of every cell, m/m: that of the last class whose area it exceeds, or of the first. area: m^2. At
/// least one class. Parallel; the same bits on any number of threads. O(cells x classes).
///
/// Example:
///     const std::vector<SlopeClass> classes = {{.area = 0.0, .slope = 0.6}, {.area = 1e4, .slope = 0.06}};
///     const std::vector<float> area = {900.0F, 1e6F};  // m^2
///     std::vector<float> slope(area.size());
///     prescribed_slopes(classes, area, slope);
void prescribed_slopes(const std::vector<SlopeClass>& classes, std::span<const float> area,
                       std::span<float> slope);

}  // namespace thalweg
