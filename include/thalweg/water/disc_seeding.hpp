// Discs that cover water without holes: where primitives are put.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/grid.hpp"
#include "thalweg/grid/rectangle.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace thalweg {

/// The place to be covered. Its functions are called at once from several threads.
struct WaterDomain {
    Rectangle extent = {};
    /// How far it is to the nearest water, m: 0 or less in water; may be too small, never too large. Changes
    /// by 1 m/m at most: where it is well below 0 in water, as far as the edge is, it is asked for the least.
    std::function<double(Position)> distance_to_water = {};
    /// The largest radius that discs may have there, m; greater than 0, changes by `radius_change` m/m at
    /// most.
    std::function<double(Position)> radius = {};
    /// Where it is given and false, `distance_to_water` is greater than `largest_radius` all over a
    /// rectangle: few of those are asked for where most of the extent is dry.
    std::function<bool(const Rectangle&)> may_hold_water = {};
    double radius_change = 1.0;    // m/m
    double least_radius = 0.1;     // m: none is smaller, whatever `radius` says
    double largest_radius = 20.0;  // m
};

/// A disc, and 64 random bits of its own for what is put there.
struct WaterDisc {
    Position centre;
    double radius = 0.0;  // m
    std::uint64_t bits = 0;
};

/// The least weight g(|p - c| / R) of the nearest disc at any water.
inline constexpr double kLeastCoverage = 0.05;

/// Discs in the cells of a quadtree: one in each leaf that may hold water, off its middle by up to a fifth of
/// its side. A cell is divided while its disc would be larger than is wanted anywhere in it.
///
/// Every point of water has weight kLeastCoverage at least, by the disc of its own cell alone: with side h
/// that disc has radius R = 1.25 h, and no point of the cell lies farther from its centre than
/// (1/2 + 1/5) sqrt(2) h = 0.990 h, so r <= 0.792 and (1 - r^2)^3 >= 0.0518; the rest is room for radii that
/// are rounded to 11 bits. A cell is left out only where water is farther from its middle than half its
/// diagonal.
///
/// Cells lie on one lattice of the world: a place has the same discs whatever the extent. Radii are within a
/// factor of two below what is wanted, and 3 to 8 discs overlap at a point. O(discs); the same bits on any
/// number of threads; polls `progress`. Throws Error::input for an extent or lengths that are no numbers or
/// not in order, a radius that is not greater than 0, or more than 2^30 cells at the coarsest.
///
/// Source: Peytavie et al. 2019, section 5.3 (adaptive sampling); differs in: a quadtree, for the guarantee.
///
/// Example:
///     #include <cmath>
///     WaterDomain pond{.extent = {.west = -10.0, .south = -10.0, .east = 10.0, .north = 10.0}};
///     pond.distance_to_water = [](Position p) { return std::hypot(p.x, p.y) - 8.0; };
///     pond.radius = [](Position p) { return 0.5 + 0.1 * std::abs(p.x); };
///     const std::vector<WaterDisc> discs = seed_discs(pond, seed, progress);
std::vector<WaterDisc> seed_discs(const WaterDomain& domain, std::uint64_t seed, Progress& progress);

}  // namespace thalweg
