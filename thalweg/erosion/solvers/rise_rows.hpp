// Rises of a run of cells above their receivers at steady state, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// What the rises of a run of cells depend on, by pointers to its first cell.
struct RiseRow {
    const std::uint8_t* direction;  // per cell
    const float* uplift;            // m/yr
    const float* celerity;          // m/yr
    const float* length;            // m
    float thermal_rate;             // k_t, m/yr; 0 without the thermal term
    float critical_slope;           // s_c, m/m
    float least_slope;              // m/m, what every cell rises with
};

/// `rise` of every cell that has a receiver: u/a length, m, with the thermal term in u and a where u/a
/// exceeds the critical slope (Tzathas et al. 2024, eqs. 9, 28 and 29). Other cells keep what they hold. As
/// many cells as fill whole vectors of 4, 8 or 16 are done; returns how many. Equal bits for each width.
template <int Lanes>
std::int64_t rises_in_lanes(const RiseRow& row, std::int64_t count, float* rise);

}  // namespace thalweg
