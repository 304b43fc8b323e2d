// How a field curves.
#pragma once

#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Curvatures of a surface, 1/m.
struct Curvature {
    Field<float> laplacian;   // of elevation: negative on ridges and hilltops, positive in hollows
    Field<float> profile;     // along the slope: positive where it steepens downhill (convex)
    Field<float> tangential;  // across the slope: positive on spurs, where water parts (convex)
};

/// With first derivatives p, q (east, north) and second ones r, s, t (east, mixed, north) of the quadratic
/// that fits the cell and its 8 neighbours best (Evans 1980):
///
///   laplacian   r + t
///   profile     -(p^2 r + 2 p q s + q^2 t) / ((p^2 + q^2) (1 + p^2 + q^2)^(3/2))
///   tangential  -(q^2 r - 2 p q s + p^2 t) / ((p^2 + q^2) (1 + p^2 + q^2)^(1/2))
///
/// Source: Minar, Evans and Jenco 2020 (Earth-Science Reviews 211, 103414), table 2, (k_n)_s and (k_n)_c.
/// Exact for quadratics. Profile and tangential are 0 on level ground. No data where one of the 9 cells is
/// missing. elevation: m. O(cells); the same bits on any number of threads.
///
/// Example:
///     const Curvature curved = curvature(elevation);
///     const bool is_hollow = curved.laplacian[0] > 0.0F;
Curvature curvature(const Field<float>& elevation);

}  // namespace thalweg
