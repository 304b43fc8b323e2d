// Filling of depressions: the lowest surface above the terrain from which water can leave.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// What the surface of a filled depression looks like: level, or rising away from its outlet by the least
/// step that still tells water where to go.
enum class FilledSurface { Level, Draining };

/// A terrain without depressions, and what became of them.
struct Filled {
    Field<float> elevation;              // m, NaN where the input is
    std::int64_t raised_cells = 0;       // cells that lie higher than before
    double volume = 0.0;                 // m^3, between the new surface and the old one
    std::int64_t closed_components = 0;  // connected parts without a root; their lowest cell became one
};

/// The lowest surface w >= z on which every cell but the roots has one of its 8 neighbours no higher (Level)
/// or strictly lower (Draining):
///
///   w(cell) = z(cell)                        where z(cell) > min w(neighbour), and at roots
///   w(cell) = raised(min w(neighbour))       elsewhere
///   raised(w) = w                            Level
///   raised(w) = max(next float above w, w + 1e-6 m)   Draining
///
/// Source: Priority-Flood, Barnes, Lehman and Mulla 2014 (Computers and Geosciences 62, 117-127), algorithms
/// 2 and 3; slopes are climbed without the priority queue as in Zhou, Sun and Fu 2016 (ibid. 90, 87-96).
/// Differs in: raised cells and queued ones are taken in one ascending order, so that w is the unique least
/// surface, whatever the order of ties (and mirrors with its terrain), and a step is never a denormal number
/// at z = 0.
///
/// elevation: m, NaN is no data, which water does not cross. roots: 1 where water leaves (edge_roots of
/// flow_tree.hpp), same grid. O(n log n) at worst, serial, about 14 bytes per cell; polls `progress`.
///
/// Example:
///     const Filled filled =
///         fill_depressions(elevation, edge_roots(elevation), FilledSurface::Draining, progress);
Filled fill_depressions(const Field<float>& elevation, const Field<std::uint8_t>& roots,
                        FilledSurface surface, Progress& progress);

}  // namespace thalweg
