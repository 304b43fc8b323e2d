// Sections of the terrain across a river: bankfull level and the ground that floods reach.
#pragma once

#include "thalweg/grid/field.hpp"

namespace thalweg {

/// A place on a river's line, and what crosses there.
struct SectionStation {
    Position place;         // m
    double normal_x = 0.0;  // 1, unit vector across the line, to the left
    double normal_y = 1.0;  // 1
    double bed = 0.0;       // m, of the network
    double width = 0.0;     // m, at bankfull
    double depth = 0.0;     // m, at bankfull
};

inline constexpr double kSectionReach = 10.0;  // widths to each side of the line (empirical)

/// Bankfull level, m: the lower ground a width beside the line, within a depth above the bed.
double bankfull_level(const Field<float>& elevation, const SectionStation& station);

/// Width of the ground below the level of floods (river_types.hpp), m, at least the bankfull width. Ends of
/// the terrain are walls.
double flood_prone_width(const Field<float>& elevation, const SectionStation& station);

}  // namespace thalweg
