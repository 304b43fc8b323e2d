// Hillslope relief within a run of cells, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// What unresolved relief (unresolved_relief.hpp) needs of a run of cells, by pointers to its first cell.
struct ReliefRow {
    const float* uplift;        // m/yr
    const float* celerity;      // a(A*), m/yr; nullptr: common_celerity everywhere
    const float* area;          // m^2
    const std::uint8_t* roots;  // other than 0: stays
    float common_celerity;      // m/yr
    float thermal_rate;         // k_t, m/yr; 0 without the thermal term
    float critical_slope;       // s_c, m/m
    float height;               // m, relief at a slope of 1
    float river_area;           // m^2, from which there is less relief
};

/// Adds the relief to `elevation`, m, of as many cells as fill whole vectors of 4, 8 or 16; returns how many.
/// Equal bits for each width.
template <int Lanes>
std::int64_t add_relief_in_lanes(const ReliefRow& row, std::int64_t count, float* elevation);

}  // namespace thalweg
