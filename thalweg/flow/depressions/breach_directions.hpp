// Directions that lead out of every depression.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/depressions/flood_queue.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Turns directions so that every pit drains: from each pit, in ascending order of elevation, a flood finds
/// the lowest path to a strictly lower cell, a root, or a cell already carved, and directions along that way
/// are turned to it. Flats get a direction in the same pass. Elevations do not change. A pit that can reach
/// no root becomes one. Source: local form of the carving in Cordonnier, Bovy and Braun (2019), sec. 2.
/// Serial; keeps its memory (2 bytes a cell) from call to call, for which a call costs no more than what it
/// floods: O(flooded cells log flooded cells).
class DirectionBreacher {
  public:
    /// `pits`: the cells of direction kPit, each once, in any order. `elevation`, `lattice` and `direction`
    /// have the same grid. Polls `progress`; once that has thrown, `direction` is of no further use.
    /// `fixed`: cells that lead to a root by directions which are never turned, and so are an exit.
    void breach(const Field<float>& elevation, const Lattice& lattice, std::vector<std::uint8_t>& direction,
                std::span<const std::int32_t> pits, Progress& progress,
                std::span<const std::int32_t> fixed = {});

    /// Cells that the last call turned, some of them more than once.
    [[nodiscard]] const std::vector<std::int32_t>& turned() const { return turned_; }

  private:
    class Call;

    std::vector<std::uint8_t>
        direction_back_;                // per cell: direction towards the pit of the present flood, or kUnset
    bool is_clean_ = false;             // whether what is per cell is as between two calls
    std::vector<std::uint8_t> carved_;  // per cell: 1 once it lies on an exit
    FloodQueue waiting_;                // by number in flooded_
    std::vector<std::int32_t> flooded_;        // cells, as they were reached
    std::vector<std::uint64_t> lowest_first_;  // the pits as keys
    std::vector<std::int32_t> flat_;
    std::vector<std::int32_t> turned_;
};

/// The same in one call, for all cells of direction kPit. O(cells) besides.
void breach_directions(const Field<float>& elevation, const Lattice& lattice,
                       std::vector<std::uint8_t>& direction, Progress& progress);

}  // namespace thalweg
