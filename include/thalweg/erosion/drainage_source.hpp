// Water that enters the terrain at a place, from land that the terrain does not show.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Drainage area that enters at a position in the world, as that of a river from beyond the edge does. It is
/// neither weighted by precipitation nor does it depend on the size of cells.
/// Source: Tzathas et al. 2024, section 7.3.
struct DrainageSource {
    double x = 0.0;     // m
    double y = 0.0;     // m
    double area = 1e9;  // m^2

    static void declare(Declaration<DrainageSource>& declaration);
};

/// Throws Error::input for a source outside the grid of `elevation`, on a cell without data, with an area
/// that is not positive and finite, or more than two cells from the nearest node inside the boundary.
/// O(sources), as source_nodes.
///
/// Example:
///     const std::vector<DrainageSource> river = {{.x = 400.0, .y = 12800.0, .area = 5e9}};  // 5000 km^2
///     check_sources(river, elevation, roots);
void check_sources(std::span<const DrainageSource> sources, const Field<float>& elevation,
                   const Field<std::uint8_t>& roots);

/// For every source the nearest node with data that is no root: what enters on a root would be gone. Where
/// there is no such node, the source is left out. Ties go to the first node. O(sources), but O(cells) for
/// those that have no such node around them.
std::vector<NodeSource> source_nodes(std::span<const DrainageSource> sources, const Lattice& lattice,
                                     const Field<float>& elevation, const Field<std::uint8_t>& roots);

/// Adds every source's area to the cells of its path, from its node to the root. area, m^2: on `tree`'s
/// grid. O(cells of the paths).
void add_source_areas(std::span<const NodeSource> sources, const FlowTree& tree, std::vector<float>& area);

}  // namespace thalweg
