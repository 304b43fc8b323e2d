// What river types are like along their course.
#pragma once

#include "thalweg/riverscape/river_types.hpp"

#include <array>
#include <cstddef>

namespace thalweg {

/// Empirical numbers of a type; lengths in channel widths.
struct TypeHabits {
    double sinuosity;         // of bends that a network can't show (Rosgen 1994, table 1: their middle)
    double least_spacing;     // from fall to fall (Chin 1989; Grant et al. 1990; Leopold et al. 1964)
    double greatest_spacing;  // from fall to fall
    double fall_length;       // along the course
    double crest_depth;       // at falls, over that of a level bed
    double pool_depth;        // at the deepest place of pools, over that of a level bed
    double widening;          // of pools, over the mean width
    double rocks;             // for each width of length
    double rock_radius;       // widths, of the largest usual one
    bool has_drops;           // falls are drops, else riffles
};

inline const TypeHabits& habits_of(RiverType type) {
    static constexpr std::array<TypeHabits, kRiverTypeCount> kHabits = {{
        {1.0, 1.0, 2.2, 0.35, 0.65, 1.5, 0.25, 5.0, 0.20, true},   // A+
        {1.0, 2.0, 4.0, 0.45, 0.65, 1.5, 0.25, 4.5, 0.19, true},   // A
        {1.2, 3.0, 5.0, 1.2, 0.75, 1.35, 0.15, 3.0, 0.10, false},  // B
        {1.4, 5.0, 7.0, 2.2, 0.75, 1.3, 0.10, 0.3, 0.04, false},   // C
        {1.1, 5.0, 7.0, 2.5, 0.8, 1.2, 0.10, 0.2, 0.03, false},    // D
        {1.2, 5.0, 7.0, 2.5, 0.9, 1.15, 0.05, 0.02, 0.03, false},  // DA
        {1.6, 5.0, 7.0, 2.0, 0.85, 1.2, 0.05, 0.02, 0.05, false},  // E
        {1.5, 5.0, 7.0, 2.2, 0.8, 1.25, 0.10, 0.6, 0.05, false},   // F
        {1.3, 3.0, 5.0, 0.6, 0.7, 1.3, 0.12, 1.2, 0.12, true},     // G
    }};
    return kHabits[static_cast<std::size_t>(type)];
}

}  // namespace thalweg
