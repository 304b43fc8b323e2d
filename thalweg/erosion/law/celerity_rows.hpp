// Celerities of a run of cells, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// What celerities (erosion_law.hpp) needs of a run of cells.
struct CelerityRow {
    const float* area;         // m^2
    const float* erodibility;  // k, m^(1-2m)/yr; nullptr: common_erodibility everywhere
    float common_erodibility;  // m^(1-2m)/yr
    float common_least_area;   // A* of it, m^2
    float least_area_at_unit;  // A* where k is 1, m^2
    float least_exponent;      // A* grows with this power of k, 1
    float area_exponent;       // m, 1
    float debris_flows;        // a_d, m/yr
    float creep;               // k_h / C; 0 without hillslopes
    float creep_exponent;      // -h, 1
};

/// a(max(A, A*)) of as many cells as fill whole vectors of 4, 8 or 16; equal bits for each.
template <int Lanes>
void celerities_in_lanes(const CelerityRow& row, std::int64_t count, float* celerity);

}  // namespace thalweg
