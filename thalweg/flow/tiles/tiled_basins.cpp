#include "thalweg/flow/tiles/tiled_basins.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/depressions/basin_links.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/flow/tiles/loaded_tile.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

constexpr std::uint8_t kForward = 4;  // directions that lead to cells further on: E, SE, S, SW

/// A pit of the grid.
struct Pit {
    std::int64_t cell;
    std::int32_t terminal;
    float elevation;  // m
};

std::vector<Pit> pits_by_cell(const TileMap& map, const std::vector<TileMemory>& tiles) {
    std::vector<Pit> pits;
    for (std::int64_t tile = 0; tile < map.tiles(); ++tile) {
        const TileMemory& memory = tiles[at(tile)];
        for (std::size_t i = 0; i < memory.terminals.size(); ++i)
            if (const Terminal& end = memory.terminals[i]; end.direction == kPit)
                pits.push_back(
                    {map.number({tile, end.cell}),
                     static_cast<std::int32_t>(memory.first_terminal + static_cast<std::int64_t>(i)),
                     end.elevation});
    }
    std::sort(pits.begin(), pits.end(), [](const Pit& a, const Pit& b) { return a.cell < b.cell; });
    return pits;
}

}  // namespace

void divide_tile(const TileMap& map, std::int64_t tile, const Field<float>& elevation,
                 const std::vector<std::uint8_t>& direction, TileMemory& memory, Progress& progress) {
    const Grid& grid = elevation.grid();
    const Basins basins = basins_inside(map, tile, direction, progress);
    for (const std::int32_t cell : basins.pits)
        memory.terminals.push_back({cell, direction[at(cell)], elevation[cell]});
    memory.elevation = EdgeValues<float>(map.range(tile));
    memory.elevation.fill([&](std::int32_t cell) { return elevation[cell]; });
    memory.ends_in = EdgeValues<std::int32_t>(map.range(tile));
    memory.ends_in.fill([&](std::int32_t cell) { return basins.of_cell[at(cell)]; });
    memory.links = spanning_forest(find_basin_links(elevation, eight_neighbours(grid), basins, progress),
                                   basins.count(), progress);
    for (BasinLink& link : memory.links) {
        const std::int32_t cell = static_cast<std::int32_t>(link.key.cell());
        link.key.place = static_cast<std::uint64_t>(map.number({tile, cell})) << 2 | link.key.direction();
    }
}

TiledBasins::TiledBasins(const TileMap& map, std::vector<TileMemory>& tiles, Progress& progress)
    : map_(map), tiles_(tiles) {
    number_basins(number_terminals());
    const std::vector<BasinLink> candidates = all_links();
    progress.poll();
    const std::vector<BasinLink> forest = forest_of(candidates, progress);
    const RootedForest rooted = root_forest(forest, pit_elevation_);
    closed_components_ = rooted.closed_components;
    set_levels(forest, rooted);
    plan_turns(forest, rooted, candidates);
    plan_new_roots(rooted);
}

/// The number in the grid of what a cell of a tile ends in: 0 for kDrained.
std::int32_t TiledBasins::terminal_number(std::int64_t tile, std::int32_t ends_in) const {
    return ends_in <= kDrained ? ends_in
                               : static_cast<std::int32_t>(tiles_[at(tile)].first_terminal + ends_in - 1);
}

std::int64_t TiledBasins::tile_of_terminal(std::int32_t terminal) const {
    const auto behind = std::upper_bound(
        tiles_.begin(), tiles_.end(), terminal,
        [](std::int32_t number, const TileMemory& tile) { return number < tile.first_terminal; });
    return behind - tiles_.begin() - 1;
}

const Terminal& TiledBasins::terminal_of(std::int32_t terminal, std::int64_t tile) const {
    return tiles_[at(tile)].terminals[at(terminal - tiles_[at(tile)].first_terminal)];
}

/// Where water that leaves a tile at a terminal ends in the next one, or 0.
std::int32_t TiledBasins::terminal_behind(std::int32_t terminal) const {
    const std::int64_t tile = tile_of_terminal(terminal);
    const Terminal& end = terminal_of(terminal, tile);
    const TileCell next = map_.step({tile, end.cell}, end.direction);
    return terminal_number(next.tile, tiles_[at(next.tile)].ends_in[next.cell]);
}

/// Gives every terminal its number. Returns how many there are, with 0 for kDrained.
std::int64_t TiledBasins::number_terminals() {
    std::int64_t terminals = 1;
    for (TileMemory& tile : tiles_) {
        tile.first_terminal = terminals;
        terminals += static_cast<std::int64_t>(tile.terminals.size());
    }
    return terminals;
}

/// Numbers the pits by their cells, and finds the basin of every terminal.
void TiledBasins::number_basins(std::int64_t terminals) {
    constexpr std::int32_t kUnknown = -1;
    basin_of_.assign(at(terminals), kUnknown);
    basin_of_[0] = kDrained;
    for (const Pit& pit : pits_by_cell(map_, tiles_)) {
        pit_elevation_.push_back(pit.elevation);
        basin_of_[at(pit.terminal)] = static_cast<std::int32_t>(pit_elevation_.size());
    }
    std::vector<std::int32_t> passed;
    for (std::int32_t start = 1; start < terminals; ++start) {
        passed.clear();
        std::int32_t terminal = start;
        for (; basin_of_[at(terminal)] == kUnknown; terminal = terminal_behind(terminal))
            passed.push_back(terminal);
        for (const std::int32_t each : passed) basin_of_[at(each)] = basin_of_[at(terminal)];
    }
}

/// The links of all tiles, and those over their edges, between terminals.
std::vector<BasinLink> TiledBasins::all_links() const {
    std::vector<BasinLink> links;
    for (std::int64_t tile = 0; tile < map_.tiles(); ++tile) {
        const TileMemory& memory = tiles_[at(tile)];
        for (const BasinLink& link : memory.links)
            links.push_back({link.key, terminal_number(tile, link.a), terminal_number(tile, link.b)});
        memory.ends_in.for_cells([&](std::int32_t cell) {
            for (std::uint8_t d = 0; d < 8; ++d) add_link_over_edge({tile, cell}, d, links);
        });
    }
    return links;
}

void TiledBasins::add_link_over_edge(TileCell here, std::uint8_t d, std::vector<BasinLink>& links) const {
    const int column = map_.column_of(here) + kColumnStep[d], row = map_.row_of(here) + kRowStep[d];
    if (d >= kForward || !map_.leaves(here, d) || !map_.grid().contains(column, row)) return;
    const TileCell there = map_.place(column, row);
    const TileMemory& tile = tiles_[at(here.tile)];
    const TileMemory& next = tiles_[at(there.tile)];
    const std::int32_t a = terminal_number(here.tile, tile.ends_in[here.cell]);
    const std::int32_t b = terminal_number(there.tile, next.ends_in[there.cell]);
    if (a < 0 || b < 0 || a == b) return;
    const float length = d % 2 == 0 ? 1.0F : Link{1.0F, 1.0F}.length();
    links.push_back(
        {saddle_key(tile.elevation[here.cell], next.elevation[there.cell], length, map_.number(here), d), a,
         b});
}

/// The spanning forest of the grid's basins, sorted by places.
std::vector<BasinLink> TiledBasins::forest_of(const std::vector<BasinLink>& candidates,
                                              const Progress& progress) const {
    std::vector<BasinLink> links;
    for (const BasinLink& link : candidates) {
        const BasinLink joined = {link.key, basin_of_[at(link.a)], basin_of_[at(link.b)]};
        if (joined.a != joined.b) links.push_back(joined);
    }
    std::vector<BasinLink> forest = spanning_forest(std::move(links), pits() + 1, progress);
    std::sort(forest.begin(), forest.end(),
              [](const BasinLink& a, const BasinLink& b) { return a.key.place < b.key.place; });
    return forest;
}

void TiledBasins::set_levels(const std::vector<BasinLink>& forest, const RootedForest& rooted) {
    level_.assign(rooted.links.size(), -std::numeric_limits<float>::infinity());
    for (const std::int32_t basin : rooted.order) {
        const SpillLink& path = rooted.links[at(basin)];
        if (path.link >= 0)
            level_[at(basin)] =
                std::max(float_of_ordered_bits(forest[at(path.link)].key.saddle), level_[at(path.into)]);
    }
}

/// Tells every tile which ways it has to turn round. The forest is sorted by places.
void TiledBasins::plan_turns(const std::vector<BasinLink>& forest, const RootedForest& rooted,
                             const std::vector<BasinLink>& candidates) {
    std::vector<std::int32_t> leaving(forest.size(), kNoBasin);  // basin that each link leads out of
    for (std::int32_t basin = 1; at(basin) < rooted.links.size(); ++basin)
        if (rooted.links[at(basin)].link >= 0) leaving[at(rooted.links[at(basin)].link)] = basin;
    for (const BasinLink& candidate : candidates) {
        const auto found = std::lower_bound(
            forest.begin(), forest.end(), candidate.key.place,
            [](const BasinLink& link, std::uint64_t place) { return link.key.place < place; });
        if (found == forest.end() || found->key.place != candidate.key.place) continue;
        const std::int32_t basin = leaving[static_cast<std::size_t>(found - forest.begin())];
        const bool is_first = found->a == basin;
        const std::uint8_t d = static_cast<std::uint8_t>(candidate.key.direction());
        const TileCell first =
            map_.place(map_.grid().column_of(candidate.key.cell()), map_.grid().row_of(candidate.key.cell()));
        turn_from(is_first ? first : map_.step(first, d),
                  is_first ? d : static_cast<std::uint8_t>(opposite(d)),
                  is_first ? candidate.a : candidate.b);
    }
}

/// Pits that no exit leads from become roots.
void TiledBasins::plan_new_roots(const RootedForest& rooted) {
    for (std::int64_t tile = 0; tile < map_.tiles(); ++tile)
        for (std::size_t i = 0; i < tiles_[at(tile)].terminals.size(); ++i) {
            const Terminal& end = tiles_[at(tile)].terminals[i];
            const std::int64_t number = tiles_[at(tile)].first_terminal + static_cast<std::int64_t>(i);
            if (end.direction == kPit && rooted.links[at(basin_of_[at(number)])].link < 0)
                tiles_[at(tile)].new_roots.push_back(end.cell);
        }
}

/// The way from `cell`, whose water ends in `terminal`, down to the pit, through all tiles.
void TiledBasins::turn_from(TileCell cell, std::uint8_t onwards, std::int32_t terminal) {
    for (;;) {
        tiles_[at(cell.tile)].turns.push_back({cell.cell, onwards});
        const Terminal& end = terminal_of(terminal, cell.tile);
        if (end.direction == kPit) return;
        terminal = terminal_behind(terminal);
        cell = map_.step({cell.tile, end.cell}, end.direction);
        onwards = static_cast<std::uint8_t>(opposite(end.direction));
    }
}

void turn_breach_paths(const TileMap& map, std::int64_t tile, const TileMemory& memory,
                       std::vector<std::uint8_t>& direction) {
    const int columns = map.range(tile).columns();
    for (const Turn& start : memory.turns) {
        std::int32_t cell = start.cell;
        std::uint8_t onwards = start.onwards;
        for (;;) {
            const std::uint8_t downhill = direction[at(cell)];
            direction[at(cell)] = onwards;
            if (downhill == kPit || map.leaves({tile, cell}, downhill)) break;
            cell += kRowStep[downhill] * columns + kColumnStep[downhill];
            onwards = static_cast<std::uint8_t>(opposite(downhill));
        }
    }
    for (const std::int32_t pit : memory.new_roots) direction[at(pit)] = kRoot;
}

}  // namespace thalweg
