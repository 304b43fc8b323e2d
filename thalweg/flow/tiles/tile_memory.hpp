// What is remembered of a tile between the passes over a grid that is larger than memory.
#pragma once

#include "thalweg/flow/depressions/flat_cells.hpp"
#include "thalweg/flow/depressions/spanning_forest.hpp"
#include "thalweg/flow/tiles/tile_bytes.hpp"
#include "thalweg/flow/tiles/tile_map.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// What a tile's cells drain to: the end of a way inside the tile.
struct Terminal {
    std::int32_t cell;       // of the tile
    std::uint8_t direction;  // kPit, or that in which it leaves the tile
    float elevation;         // m
};

/// A way that enters or begins in a tile and has to be turned round.
struct Turn {
    std::int32_t cell;
    std::uint8_t onwards;  // its new direction
};

/// Water that enters a tile.
struct Inflow {
    std::int32_t cell;
    std::int64_t cells;  // that drain over the edge there
};

/// Cells that leave a tile, and how many drain through each.
struct Outflow {
    std::int32_t cell;
    std::uint8_t direction;
    std::int64_t cells;
};

/// Cells that leave a tile where breach paths are turned but not carved yet.
struct BreachPathEnd {
    std::int32_t cell;
    std::uint8_t direction;
    float level;  // m, the lowest of the cell's own and of all pits that drain through it
};

/// A cell and how deep it is cut.
struct Cut {
    std::int32_t cell;
    float level;  // m
};

struct TileMemory {
    // Of its flats:
    std::vector<FlatCell> flats;  // that cross its edges

    // Of its basins:
    std::vector<Terminal> terminals;
    std::int64_t first_terminal = 0;   // number of terminals[0] in the grid, from 1
    EdgeValues<float> elevation;       // m
    EdgeValues<std::int32_t> ends_in;  // kNoBasin, kDrained or a terminal of the tile, from 1
    std::vector<BasinLink> links;      // forest between terminals of the tile, with keys of the grid
    std::vector<Turn> turns;
    std::vector<std::int32_t> new_roots;  // pits that no exit leads from

    // Of the ways that are carved through it:
    EdgeValues<std::int32_t>
        breach_paths_by;  // place in breach_path_ends of where an edge cell's water leaves; -1: nowhere
    std::vector<BreachPathEnd> breach_path_ends;
    std::vector<Cut> entering_cuts;   // with which ways from other tiles' pits go on here
    EdgeValues<float> carved;         // m
    EdgeValues<std::uint8_t> turned;  // directions with all breach paths turned

    // Of its water:
    EdgeValues<std::int32_t>
        leaves_by;  // place in outflows of where an edge cell's water leaves; -1: nowhere
    std::vector<Outflow> outflows;
    std::int64_t cells = 0;          // with data
    std::int64_t drained_cells = 0;  // of them, those that drain out of the grid without leaving the tile
    std::vector<Inflow> inflows;
};

/// What a tile tells of its flats, its basins, its breach paths and its water, to be kept for a run that goes
/// on later; what other tiles add to it is left out.
TileBytes flats_to_keep(const TileMemory& memory);
TileBytes basins_to_keep(const TileMemory& memory);
TileBytes cuts_to_keep(const TileMemory& memory, const std::vector<Cut>& cuts);
TileBytes water_to_keep(const TileMemory& memory);

/// Takes over what was kept of a tile that covers `range`.
void remember_flats(std::span<const std::byte> kept, TileMemory& memory);
void remember_basins(std::span<const std::byte> kept, const CellRange& range, TileMemory& memory);
void remember_water(std::span<const std::byte> kept, const CellRange& range, TileMemory& memory);
void remember_carved_edges(std::span<const std::byte> kept, const CellRange& range, TileMemory& memory);

/// The cuts that were kept of a tile.
std::vector<Cut> cuts_from(std::span<const std::byte> kept);

}  // namespace thalweg
