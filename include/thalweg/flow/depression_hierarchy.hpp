// DepressionHierarchy: which depressions lie in which, and how much water each holds until it spills.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/flow/spill_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace thalweg {

/// Stands for no depression; water that spills into it has left.
inline constexpr std::int32_t kNoDepression = 0;

/// Ground that water fills before it spills: one basin, or two depressions that have met at their saddle.
struct Depression {
    std::int32_t parent = kNoDepression;        // what it becomes with its sibling when both are full
    std::array<std::int32_t, 2> children = {};  // kNoDepression in one of a single basin
    std::int32_t pit = -1;                      // its lowest cell; of equally low ones the first
    std::int32_t spill_from = -1;               // its cell at the saddle; -1: it has no exit
    std::int32_t spill_to = -1;                 // the neighbour of that which the water flows to
    std::int32_t spills_into = kNoBasin;        // basin of that cell; kDrained: the water leaves
    float spill_elevation = std::numeric_limits<float>::infinity();  // m, of the saddle
    std::int64_t cells = 0;                                          // below the spill elevation
    double volume = std::numeric_limits<double>::infinity();         // m^3, below the spill elevation
    double layer_volume =
        std::numeric_limits<double>::infinity();  // m^3, of that above where its children spill

    [[nodiscard]] bool is_basin() const { return children[0] == kNoDepression; }
    [[nodiscard]] bool can_spill() const { return spill_from >= 0; }

    /// The cell of the saddle that holds the water back.
    [[nodiscard]] std::int32_t sill(const Field<float>& elevation) const {
        return can_spill() && elevation[spill_to] > elevation[spill_from] ? spill_to : spill_from;
    }
};

/// Depression i is basin i for i from 1 to the number of basins; behind them stand those of two, the ones of
/// lower saddles first, so that parents follow their children. [0] is kNoDepression.
struct DepressionHierarchy {
    std::vector<Depression> depressions;
    std::vector<std::int32_t> of_cell;  // per cell: the smallest depression that floods it when full, or none
};

/// The links of `tree` taken from the lowest saddle up, of equal ones in the order of spill_tree.hpp: each
/// joins two depressions to one, or tells where one spills for good. Depressions of a closed part end in one
/// without an exit, whose volume is infinite.
///
/// Source: Barnes, Callaghan and Wickert 2020 (Earth Surface Dynamics 8, 431-445). Differs in: saddles come
/// from a spanning tree of basins, and cells find their depression by skipping over its ancestors, so that no
/// cell waits in a queue; volumes are summed from layer to layer, which cancels no digits.
///
/// elevation: m, on the lattice's grid; basins and tree: of it. O(cells log basins + basins log basins) at
/// worst, near 10 ns a cell, 4 bytes a cell; the cells' search is parallel; same bits on any number of
/// threads; polls `progress`.
///
/// Example:
///     const SpillTree spills = find_spills(elevation, lattice, basins, progress);
///     const DepressionHierarchy hierarchy = find_depressions(elevation, lattice, basins, spills, progress);
///     const double volume_of_first = hierarchy.depressions.at(1).volume;  // m^3
DepressionHierarchy find_depressions(const Field<float>& elevation, const Lattice& lattice,
                                     const Basins& basins, const SpillTree& tree, Progress& progress);

}  // namespace thalweg
