// A terrain with what its lakes are found from.
#pragma once

#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/fill_spill_merge.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/spill_tree.hpp"

#include <cstdint>
#include <vector>

#include "tests/flow/terrains.hpp"

namespace thalweg::tests {

/// A terrain and all that lakes are found from.
struct Ground {
    Field<float> elevation;
    std::vector<std::uint8_t> direction;
    Basins basins;
    SpillTree tree;
    DepressionHierarchy hierarchy;

    Ground(const Field<float>& z, const Field<std::uint8_t>& roots) : elevation(z) {
        QuietProgress progress;
        const Lattice lattice = eight_neighbours(z.grid());
        direction = steepest_directions(z, lattice, roots);
        resolve_flats(z, lattice, direction, progress);
        basins = find_basins(z.grid(), direction, progress);
        tree = find_spills(z, lattice, basins, progress);
        hierarchy = find_depressions(z, lattice, basins, tree, progress);
    }
    explicit Ground(const Field<float>& z) : Ground(z, edge_roots(z)) {}

    [[nodiscard]] Lakes lakes(const LakeWater& water) const {
        QuietProgress progress;
        return fill_spill_merge(elevation, basins, hierarchy, water, progress);
    }
    [[nodiscard]] Lakes lakes(double runoff) const { return lakes({.runoff = runoff}); }
    [[nodiscard]] Lakes lakes(const Field<float>& runoff) const { return lakes({.runoff_of_cell = runoff}); }
};

// Two pits of 1 and 2 m^2 at 2 m and 3 m, a sill of 5 m between them, of 6 m to the east.
inline const Field<float> kTwoPits = terrain_of(8, 3, {9, 9, 9, 9, 9, 9, 9, 9,  //
                                                       9, 9, 2, 5, 3, 3, 6, 0,  //
                                                       9, 9, 9, 9, 9, 9, 9, 9});

}  // namespace thalweg::tests
