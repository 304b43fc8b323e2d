// Playas: level floors of lakes and closed basins, of what settles there.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/conditioning.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Ground whose closed basins have floors of sediment.
struct PlayaGround {
    Field<float> elevation;  // m
    int playas = 0;
    double volume = 0.0;  // m^3, in playas
    double left = 0.0;    // m^3, over the edge of the map or into the sea
};

/// Lets `thickness` (m) of fine sediment of all ground come to rest in its depressions, level. A basin that
/// is full to its sill passes on what comes to the next (as water does in flow/fill_spill_merge.hpp). The
/// level h of a floor in a basin that is not full solves
///
///   V = a sum max(0, h - z_i)     V: its sediment [m^3], a: area of a cell [m^2], z_i: its cells [m]
///
/// Sediment: thickness x area of all cells with elevation = volume + left, but for rounding. thickness: 0 and
/// more. Where water leaves, as `boundary` says, sediment leaves; its water is not looked at.
///
/// O(cells log cells) at most; about 60 bytes a cell; same bits on any number of threads; polls `progress`.
/// Throws as route does.
///
/// Example:
///     const FlowBoundary boundary = {.roots = edge_roots(elevation)};
///     const PlayaGround filled = fill_playas(elevation, boundary, 2.0, progress);
PlayaGround fill_playas(const Field<float>& elevation, const FlowBoundary& boundary, double thickness,
                        Progress& progress);

}  // namespace thalweg
