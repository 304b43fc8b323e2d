// ErosionLaw: the numbers of the stream power law and of the processes beside it.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <cmath>

namespace thalweg {

/// dz/dt = u - a(A) |grad z| + thermal term, with a(A) = k (p A)^m + (k_h / C) A^-h     Tzathas et al. 2024,
/// eqs. 1, 26, 28, 29
struct ErosionLaw {
    double erodibility = 2e-5;           // k, m^(1-2m)/yr
    double area_exponent = 0.4;          // m, 1
    bool hillslope = true;               // whether the hillslope term of eq. 26 is on
    double hillslope_diffusivity = 0.1;  // k_h, m^2/yr
    double hack_constant = 1.5;          // C, m^(1-2h)
    double hack_exponent = 0.6;          // h, 1
    bool thermal = true;                 // whether the thermal term of eqs. 28 and 29 is on
    double thermal_erosion = 1e-3;       // k_t, m/yr
    double critical_slope = 0.57;        // s_c, m/m: tan 30 degrees

    static void declare(Declaration<ErosionLaw>& declaration);
};

}  // namespace thalweg
