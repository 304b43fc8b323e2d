// Sediment that is left where banks have burst.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_maps.hpp"

#include <vector>

namespace thalweg {

/// A lobe of sediment outside the bank of a channel. Seen from where the bank burst, at a distance r and an
/// angle a (to the left) from the way in which the water left, it is
///
///   t = T g(r / R),   R = L cos(a)^(3/2) (1 + 0.2 sin(3 a + p) + 0.15 sin(5 a + q)) / 1.35
///
/// thick, g(u) = (1 - u)^2 (1 + 2 u), nothing where r >= R or cos(a) <= 0.
struct CrevasseLobe {
    double year = 0.0;
    double x = 0.0;  // m, of the burst bank
    double y = 0.0;  // m
    double way_x = 1.0;
    double way_y = 0.0;
    double length = 0.0;     // L, m
    double thickness = 0.0;  // T, m
    double phases[2] = {};   // p, q

    /// Thickness at a place, m.
    [[nodiscard]] double thickness_at(Position place) const;
    /// Adds it to a layer. O(cells within its length).
    void lay_down(Field<float>& deposit) const;
};

/// The lobes of all crevasses of a history up to a year, in the order of their years. They lie outside the
/// outer bank of the last record before that has a channel of their reach; none where none has.
std::vector<CrevasseLobe> crevasse_lobes(const MeanderHistory& history, double year,
                                         const MeanderMapParameters& parameters);

}  // namespace thalweg
