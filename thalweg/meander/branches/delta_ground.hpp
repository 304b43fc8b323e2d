// Ground that rivers lay down before their mouths.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/grid/grid.hpp"

namespace thalweg {

/// Volume (m^3) of the sediment that a river brings in some years, and that its delta keeps, of a mean
/// discharge Q (m^3/s) and concentration c (kg/m^3):
///
///   V = r c Q T / rho
///
/// r = 0.56 is what deltas keep of it in their plains and fronts, the mean of 3556 (Nienhuis et al. 2021:
/// 25 % and 31 %), rho = 1600 kg/m^3 the dry bulk density of sand and silt of a porosity of 0.4.
double delta_load(double discharge, double concentration, double years);

/// What is laid down around the mouth of a river.
struct DeltaLobe {
    Position mouth;
    double radius = 0.0;  // m, from which on it is complete
    double top = 0.0;     // m
};

struct LaidDown {
    double volume = 0.0;  // m^3
    bool is_complete = false;
};

/// Raises ground around a mouth by at most `volume` (m^3), and `deposit` (m) by as much: to the top of the
/// lobe within a distance R, and beyond it to a front that falls by 0.03 m/m to 20 m below the top. R is the
/// one that takes the volume, or a negative one where that does not reach the top, and at most the radius of
/// the lobe. No ground is lowered. O(cells of the lobe).
LaidDown lay_down(const DeltaLobe& lobe, double volume, Field<float>& ground, Field<float>& deposit);

}  // namespace thalweg
