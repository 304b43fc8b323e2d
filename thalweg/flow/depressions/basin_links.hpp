// Links between neighbouring cells of different basins.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/depressions/spanning_forest.hpp"
#include "thalweg/flow/graph/ordered_bits.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace thalweg {

/// The key of the link from a cell at elevation `here`, m, in direction d (E, SE, S or SW) to its neighbour
/// at `there`, `length` cells away. cell: its number in the grid.
inline SaddleKey saddle_key(float here, float there, float length, std::int64_t cell, int d) {
    return {ordered_bits(std::max(here, there)), ~ordered_bits(std::abs(here - there) / length),
            static_cast<std::uint64_t>(cell) << 2 | static_cast<std::uint64_t>(d)};
}

/// Links between basins (kDrained counts as one): at least those of their minimum spanning forest.
/// elevation: m, on the lattice's grid. O(cells), parallel; the same on any number of threads; polls
/// `progress`.
std::vector<BasinLink> find_basin_links(const Field<float>& elevation, const Lattice& lattice,
                                        const Basins& basins, Progress& progress);

}  // namespace thalweg
