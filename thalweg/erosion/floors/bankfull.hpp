// How deep rivers are when they stand at their banks.
#pragma once

#include <cmath>

namespace thalweg {

/// m, of a river that drains `area` (m^2): 0.30 m (A / 1 km^2)^0.213 (Bieger et al. 2015, all of the US).
inline double bankfull_depth(double area) {
    constexpr double kSquareKilometre = 1e6;  // m^2
    return 0.30 * std::pow(area / kSquareKilometre, 0.213);
}

}  // namespace thalweg
