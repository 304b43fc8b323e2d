// Basins of a grid that is larger than memory.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/tiles/tile_memory.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Finds what the cells of a tile drain to inside it, and the forest of links between that. elevation: m, of
/// the tile's own cells; direction: theirs, over all flats. O(cells).
void divide_tile(const TileMap& map, std::int64_t tile, const Field<float>& elevation,
                 const std::vector<std::uint8_t>& direction, TileMemory& memory, Progress& progress);

/// The basins of the whole grid, joined from those of its tiles.
class TiledBasins {
  public:
    /// Finds where water leaves each basin, and tells every tile which ways it has to turn round for it.
    /// O(n log n) of terminals and links, serial.
    TiledBasins(const TileMap& map, std::vector<TileMemory>& tiles, Progress& progress);

    [[nodiscard]] std::int64_t pits() const { return static_cast<std::int64_t>(pit_elevation_.size()); }
    [[nodiscard]] std::int64_t closed_components() const { return closed_components_; }

    /// Up to which level the basin fills that the water of a cell of the tile drains to, m; ends_in:
    /// kNoBasin, kDrained, or a terminal of the tile, from 1. -inf where it drains out.
    [[nodiscard]] float level(std::int64_t tile, std::int32_t ends_in) const {
        const std::int32_t terminal = terminal_number(tile, ends_in);
        return level_[at(terminal > 0 ? basin_of_[at(terminal)] : kDrained)];
    }

  private:
    [[nodiscard]] std::int32_t terminal_number(std::int64_t tile, std::int32_t ends_in) const;
    [[nodiscard]] std::int64_t tile_of_terminal(std::int32_t terminal) const;
    [[nodiscard]] const Terminal& terminal_of(std::int32_t terminal, std::int64_t tile) const;
    [[nodiscard]] std::int32_t terminal_behind(std::int32_t terminal) const;
    [[nodiscard]] std::int64_t number_terminals();
    void number_basins(std::int64_t terminals);
    [[nodiscard]] std::vector<BasinLink> all_links() const;
    void add_link_over_edge(TileCell here, std::uint8_t d, std::vector<BasinLink>& links) const;
    [[nodiscard]] std::vector<BasinLink> forest_of(const std::vector<BasinLink>& candidates,
                                                   const Progress& progress) const;
    void set_levels(const std::vector<BasinLink>& forest, const RootedForest& rooted);
    void plan_turns(const std::vector<BasinLink>& forest, const RootedForest& rooted,
                    const std::vector<BasinLink>& candidates);
    void turn_from(TileCell cell, std::uint8_t onwards, std::int32_t terminal);
    void plan_new_roots(const RootedForest& rooted);

    const TileMap& map_;
    std::vector<TileMemory>& tiles_;
    std::vector<std::int32_t> basin_of_;  // per terminal, from 1
    std::vector<float> pit_elevation_;    // m, of basins 1, 2, ...
    std::vector<float> level_;            // m, up to which each basin fills
    std::int64_t closed_components_ = 0;
};

/// Turns the ways of a tile round, of which its memory tells, so that all water leaves.
void turn_breach_paths(const TileMap& map, std::int64_t tile, const TileMemory& memory,
                       std::vector<std::uint8_t>& direction);

}  // namespace thalweg
