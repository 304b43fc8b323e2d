// SpillTree: over which saddle each basin spills, and into which other.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace thalweg {

/// The lowest way from one basin into the next.
struct Spill {
    std::int32_t into = kNoBasin;  // the basin that it spills into; kNoBasin: none, water cannot leave
    std::int32_t from = -1;        // cell of this basin at the saddle
    std::int32_t to = -1;          // its neighbour in the other
    float saddle = -std::numeric_limits<float>::infinity();  // m, the higher one of the two
};

/// The ways that water takes from basin to basin on its lowest path out of the domain: the minimum spanning
/// tree of all links between basins by the height of their saddles, rooted at kDrained. Of equal saddles the
/// steepest link counts as the lower, of equally steep ones that whose northern (western) cell comes first.
struct SpillTree {
    std::vector<Spill> spills;        // per basin; that of kDrained is empty
    std::vector<std::int32_t> order;  // all basins, each behind the one that it spills into

    // Basins without a way to kDrained keep their water: of each connected set of them, the one with the
    // lowest pit takes that of all others.
    std::int64_t closed_components = 0;
};

/// Source: Cordonnier, Bovy and Braun 2019 (Earth Surface Dynamics 7, 549-562), sec. 3, with Boruvka's
/// algorithm. elevation: m, on the lattice's grid of at most 2^28 cells. O(cells + links log basins); links
/// are found in parallel; same bits on any number of threads; polls `progress`.
///
/// Example:
///     const SpillTree spills = find_spills(elevation, lattice, basins, progress);
///     const float lake_level = full_levels(spills).at(1);  // m, of basin 1
SpillTree find_spills(const Field<float>& elevation, const Lattice& lattice, const Basins& basins,
                      Progress& progress);

/// The level, m, up to which each basin fills before it spills out of the domain: the highest saddle on its
/// way. -inf for kDrained and the lowest basin of a closed part. O(basins).
std::vector<float> full_levels(const SpillTree& tree);

/// Lets a basin's water leave over its saddle: directions on the path from the saddle down to its pit are
/// turned round. O(cells of the path).
void turn_breach_path(const Grid& grid, const Spill& spill, std::int32_t pit,
                      std::vector<std::uint8_t>& direction);

/// The same for every basin, in parallel. The pit of one without an exit becomes kRoot.
void turn_breach_paths(const Grid& grid, const SpillTree& tree, const Basins& basins,
                       std::vector<std::uint8_t>& direction);

}  // namespace thalweg
