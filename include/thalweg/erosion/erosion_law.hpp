// ErosionLaw: the numbers of the stream power law and of the processes beside it.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <span>

namespace thalweg {

/// dz/dt = u - a(A) |grad z| + thermal term, with the erosion celerity
///
///   a(A) = k A^m + a_d + (k_h / C) A^-h        Tzathas et al. 2024, eqs. 1, 3 and 26
///
/// a_d, which is not in the paper, is that of debris flows: they cut the valleys that drain less than (a_d /
/// k)^(1/m), and slopes stop to steepen there. The steady slope without creep, u / (a_d (1 + (k / a_d) A^m)),
/// is that which Stock and Dietrich 2003 (Water Resources Research 39, 1089) measured in such valleys.
///
/// u: uplift rate, m/yr; A: drainage area, m^2, weighted by precipitation where that varies. Where the slope
/// exceeds s_c, the thermal term adds k_t to a and k_t s_c to u (eqs. 28 and 29). Defaults: table 1.
struct ErosionLaw {
    double erodibility = 2e-5;           // k, m^(1-2m)/yr
    double area_exponent = 0.4;          // m, 1
    double debris_flow_celerity = 0.0;   // a_d, m/yr; 0: rivers cut all valleys
    bool hillslope = true;               // whether the hillslope term of eq. 26 is on
    double hillslope_diffusivity = 0.1;  // k_h, m^2/yr
    double hack_constant = 1.5;          // C, m^(1-2h)
    double hack_exponent = 0.6;          // h, 1
    bool thermal = true;                 // whether the thermal term of eqs. 28 and 29 is on
    double thermal_erosion = 1e-3;       // k_t, m/yr
    double critical_slope = 0.57;        // s_c, m/m: tan 30 degrees
    double base_slope = 0.0;  // s_b, m/m, of the rivers beyond the boundary; 0: it keeps its elevation

    /// How fast a boundary cell falls, m/yr, where the river that leaves there has `celerity` a: s_b a.
    [[nodiscard]] double fall(float celerity) const { return base_slope * static_cast<double>(celerity); }

    static void declare(Declaration<ErosionLaw>& declaration);

    /// Area at which a(A) is smallest, A* = (k_h h / (C k m))^(1/(m+h)), m^2; 0 without the hillslope term.
    /// Below it eq. 26 would erode less where more drains, and no network settles.
    [[nodiscard]] double hillslope_area(double erodibility_here) const;

    /// Celerity a(A), m/yr, in double precision, as eq. 26 gives it.
    [[nodiscard]] double celerity(double area, double erodibility_here) const;
};

/// Celerities a(max(A, A*)), m/yr, of cells with drainage areas `area`, m^2, into `celerity`, as many.
/// `erodibility` holds one k a cell, or is empty for the law's own. Differs from eq. 26 below A* (see
/// ErosionLaw::hillslope_area). O(cells), serial; vectorised; equal bits on every machine; within 1e-5 of
/// ErosionLaw::celerity.
///
/// Example:
///     const ErosionLaw law = {.erodibility = 1e-5};
///     const std::vector<float> area = {900.0F, 1e6F};  // m^2
///     std::vector<float> celerity(area.size());        // m/yr
///     celerities(law, area, {}, celerity);
void celerities(const ErosionLaw& law, std::span<const float> area, std::span<const float> erodibility,
                std::span<float> celerity);

}  // namespace thalweg
