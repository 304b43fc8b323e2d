#include "thalweg/flow/tiled_route.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/basin_links.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/flat_cells.hpp"
#include "thalweg/flow/flats.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/shore.hpp"
#include "thalweg/flow/tile_map.hpp"
#include "thalweg/flow/tree_orderer.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kReach = 2;  // cells around a tile: those next to it need their own neighbours
constexpr std::uint8_t kAcross =
    11;                      // direction of a cell whose flat crosses the tile's edge, until it is known
constexpr int kForward = 4;  // directions that lead to cells further on: E, SE, S, SW

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

/// What is remembered of a tile between the passes.
struct TileMemory {
    std::vector<Terminal> terminals;
    std::int64_t first_terminal = 0;   // number of terminals[0] in the grid, from 1
    EdgeValues<float> elevation;       // m
    EdgeValues<std::int32_t> ends_in;  // kNoBasin, kDrained or a terminal of the tile, from 1
    std::vector<BasinLink> links;      // forest between terminals of the tile, with keys of the grid
    std::vector<FlatCell> flats;       // that cross its edges
    std::vector<Turn> turns;
    std::vector<std::int32_t> new_roots;  // pits that no way out leads from
    EdgeValues<std::int32_t>
        leaves_by;  // place in outflows of where an edge cell's water leaves; -1: nowhere
    std::vector<Outflow> outflows;
    std::vector<Inflow> inflows;
};

/// A tile and what lies around it.
struct LoadedTile {
    Window inner;
    Window outer;
    Lattice lattice;  // of the outer window
    Field<float> elevation;
    std::vector<std::uint8_t> direction;

    /// Place in the outer window of a cell of the tile.
    [[nodiscard]] std::int64_t outer_cell(std::int32_t cell) const {
        return elevation.grid().index(inner.first_column - outer.first_column + cell % inner.columns,
                                      inner.first_row - outer.first_row + cell / inner.columns);
    }
    [[nodiscard]] std::int32_t cells() const { return inner.columns * inner.rows; }
    [[nodiscard]] bool is_inside(std::int64_t outer_cell) const {
        const int column = elevation.grid().column_of(outer_cell) + outer.first_column - inner.first_column;
        const int row = elevation.grid().row_of(outer_cell) + outer.first_row - inner.first_row;
        return column >= 0 && row >= 0 && column < inner.columns && row < inner.rows;
    }
};

class TiledRouter {
  public:
    TiledRouter(const TiledTerrain& terrain, const TiledParameters& parameters, const TiledResults& results,
                Progress& progress)
        : terrain_(terrain),
          parameters_(parameters),
          results_(results),
          progress_(progress),
          map_(terrain.grid, parameters.tile_side),
          tiles_(at(map_.tiles())) {
        for (std::size_t d = 0; d < 8; ++d)
            grid_steps_[d] = std::int64_t{kRowStep[d]} * terrain.grid.columns + kColumnStep[d];
    }

    TiledReport route() {
        report_.tiles = map_.tiles();
        for_tiles(0.0, "finding basins", [&](std::int64_t tile) { look_for_flats(tile); });
        solve_flats();
        for_tiles(0.2, "finding basins", [&](std::int64_t tile) { divide(tile); });
        join_tiles();
        for_tiles(0.5, "letting depressions drain", [&](std::int64_t tile) { drain(tile); });
        pass_water_on();
        for_tiles(0.8, "gathering water", [&](std::int64_t tile) { gather(tile); });
        for (const std::int64_t cells : drained_) report_.drained_cells += cells;
        for (const std::int64_t cells : inside_) report_.cells += cells;
        progress_.report(1.0, "routed");
        return report_;
    }

  private:
    template <class Body>
    void for_tiles(double fraction, const char* message, const Body& body) {
        progress_.report(fraction, message);
        parallel_for(0, map_.tiles(), 1, [&](std::int64_t tile, std::int64_t) {
            progress_.poll();
            body(tile);
        });
    }

    // ---- One tile as it is

    /// Directions hold within one cell around the tile.
    LoadedTile load(std::int64_t tile) const {
        LoadedTile loaded;
        loaded.inner = map_.window(tile);
        loaded.outer = map_.around(tile, kReach);
        loaded.elevation = terrain_.read(loaded.outer);
        loaded.lattice = eight_neighbours(loaded.elevation.grid());
        Field<std::uint8_t> roots = edge_roots(loaded.elevation);
        for (std::int64_t cell = 0; cell < roots.size(); ++cell)
            if (loaded.elevation[cell] <= terrain_.sea_level) roots[cell] = 1;
        loaded.direction = steepest_directions(loaded.elevation, loaded.lattice, roots);
        return loaded;
    }

    /// The same with directions over all flats.
    LoadedTile load_directed(std::int64_t tile) const {
        LoadedTile loaded = load(tile);
        for (const FlatCell& flat : tiles_[at(tile)].flats)
            loaded.direction[at(loaded.outer_cell(cell_in(tile, flat.cell)))] = kAcross;
        hide_pits_around(loaded);
        resolve_flats(loaded.elevation, loaded.lattice, loaded.direction, progress_);
        for (const FlatCell& flat : tiles_[at(tile)].flats)
            loaded.direction[at(loaded.outer_cell(cell_in(tile, flat.cell)))] = flat.direction;
        return loaded;
    }

    [[nodiscard]] std::int32_t cell_in(std::int64_t tile, std::int64_t number) const {
        const Window inner = map_.window(tile);
        return (terrain_.grid.row_of(number) - inner.first_row) * inner.columns +
               terrain_.grid.column_of(number) - inner.first_column;
    }

    /// Pits around a tile belong to no flat inside, or to one that crosses the edge.
    static void hide_pits_around(LoadedTile& loaded) {
        for (std::int64_t cell = 0; cell < loaded.elevation.size(); ++cell)
            if (loaded.direction[at(cell)] == kPit && !loaded.is_inside(cell))
                loaded.direction[at(cell)] = kAcross;
    }

    /// Directions of the tile's own cells.
    static std::vector<std::uint8_t> inner_directions(const LoadedTile& loaded) {
        std::vector<std::uint8_t> direction(at(loaded.cells()));
        for (std::int32_t cell = 0; cell < loaded.cells(); ++cell)
            direction[at(cell)] = loaded.direction[at(loaded.outer_cell(cell))];
        return direction;
    }

    [[nodiscard]] static Grid inner_grid(const LoadedTile& loaded) {
        Grid grid = loaded.elevation.grid();
        grid.columns = loaded.inner.columns;
        grid.rows = loaded.inner.rows;
        return grid;
    }

    /// The same directions, where cells whose water leaves the tile are `end`.
    [[nodiscard]] std::vector<std::uint8_t> ended_at_edges(std::int64_t tile,
                                                           std::vector<std::uint8_t> direction,
                                                           std::uint8_t end) const {
        EdgeValues<std::uint8_t>(map_.window(tile)).for_cells([&](std::int32_t cell) {
            if (direction[at(cell)] < kRoot && map_.leaves({tile, cell}, direction[at(cell)]))
                direction[at(cell)] = end;
        });
        return direction;
    }

    // ---- Flats that cross edges

    void look_for_flats(std::int64_t tile) {
        LoadedTile loaded = load(tile);
        std::vector<std::int32_t> crossing;
        std::vector<std::uint8_t> is_listed(at(loaded.cells()), 0);
        const auto flat_at = [&](std::int32_t cell) {
            const std::int64_t outer = loaded.outer_cell(cell);
            const Grid& grid = loaded.elevation.grid();
            return look_around(outer, map_.number({tile, cell}),
                               loaded.lattice.links_inside(grid.column_of(outer), grid.row_of(outer)),
                               loaded.lattice.index_steps().data(), loaded.elevation, loaded.direction);
        };
        const auto is_pit = [&](std::int32_t cell) {
            return loaded.direction[at(loaded.outer_cell(cell))] == kPit;
        };
        EdgeValues<std::uint8_t>(loaded.inner).for_cells([&](std::int32_t cell) {
            if (!is_pit(cell) || is_listed[at(cell)] != 0) return;
            const FlatCell flat = flat_at(cell);
            for (std::uint8_t d = 0; d < 8; ++d)
                if ((flat.links >> d & 1) != 0 && map_.leaves({tile, cell}, d) && is_listed[at(cell)] == 0) {
                    is_listed[at(cell)] = 1;
                    crossing.push_back(cell);
                }
        });
        std::vector<FlatCell>& flats = tiles_[at(tile)].flats;
        for (std::size_t next = 0; next < crossing.size(); ++next) {
            flats.push_back(flat_at(crossing[next]));
            for (std::uint8_t d = 0; d < 8; ++d) {
                if ((flats.back().links >> d & 1) == 0 || map_.leaves({tile, crossing[next]}, d)) continue;
                const std::int32_t other =
                    crossing[next] + kRowStep[d] * loaded.inner.columns + kColumnStep[d];
                if (is_listed[at(other)] != 0) continue;
                is_listed[at(other)] = 1;
                crossing.push_back(other);
            }
        }
    }

    /// Directs the flats that cross edges, each as a whole.
    void solve_flats() {
        std::vector<FlatCell*> cells;
        for (TileMemory& tile : tiles_)
            for (FlatCell& flat : tile.flats) cells.push_back(&flat);
        std::sort(cells.begin(), cells.end(),
                  [](const FlatCell* a, const FlatCell* b) { return a->cell < b->cell; });
        const auto place_of = [&](std::int64_t number) {
            const auto found =
                std::lower_bound(cells.begin(), cells.end(), number,
                                 [](const FlatCell* a, std::int64_t b) { return a->cell < b; });
            assert(found != cells.end() && (*found)->cell == number);
            return static_cast<std::size_t>(found - cells.begin());
        };
        constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
        std::vector<std::size_t> place_in_flat(cells.size(), kNowhere);
        FlatSolver solver;
        for (std::size_t start = 0; start < cells.size(); ++start) {
            if (place_in_flat[start] != kNowhere) continue;
            std::vector<std::size_t> members = {start};
            std::vector<FlatCell> flat = {*cells[start]};
            place_in_flat[start] = 0;
            for (std::size_t next = 0; next < members.size(); ++next)
                for (std::uint8_t d = 0; d < 8; ++d) {
                    if ((flat[next].links >> d & 1) == 0) continue;
                    const std::size_t other = place_of(flat[next].cell + grid_steps_[d]);
                    if (place_in_flat[other] != kNowhere) continue;
                    place_in_flat[other] = members.size();
                    members.push_back(other);
                    flat.push_back(*cells[other]);
                }
            solver.solve(
                flat,
                [&](std::size_t i, std::uint8_t d) {
                    return place_in_flat[place_of(flat[i].cell + grid_steps_[d])];
                },
                progress_);
            for (std::size_t i = 0; i < members.size(); ++i) cells[members[i]]->direction = flat[i].direction;
        }
    }

    // ---- Basins

    void divide(std::int64_t tile) {
        const LoadedTile loaded = load_directed(tile);
        const std::vector<std::uint8_t> direction = inner_directions(loaded);
        const Grid grid = inner_grid(loaded);
        const Basins basins = find_basins(grid, ended_at_edges(tile, direction, kPit), progress_);
        TileMemory& memory = tiles_[at(tile)];
        Field<float> elevation(grid);
        for (std::int32_t cell = 0; cell < loaded.cells(); ++cell)
            elevation[cell] = loaded.elevation[loaded.outer_cell(cell)];
        for (const std::int32_t cell : basins.pits)
            memory.terminals.push_back({cell, direction[at(cell)], elevation[cell]});
        memory.elevation = EdgeValues<float>(loaded.inner);
        memory.elevation.fill([&](std::int32_t cell) { return elevation[cell]; });
        memory.ends_in = EdgeValues<std::int32_t>(loaded.inner);
        memory.ends_in.fill([&](std::int32_t cell) { return basins.of_cell[at(cell)]; });
        memory.links = spanning_forest(find_basin_links(elevation, eight_neighbours(grid), basins, progress_),
                                       basins.count(), progress_);
        for (BasinLink& link : memory.links) {
            const std::int32_t cell = static_cast<std::int32_t>(link.key.cell());
            link.key.place =
                static_cast<std::uint64_t>(map_.number({tile, cell})) << 2 | link.key.direction();
        }
    }

    /// The number in the grid of what a cell of a tile ends in: 0 for kDrained.
    [[nodiscard]] std::int32_t terminal_number(std::int64_t tile, std::int32_t ends_in) const {
        return ends_in <= kDrained ? ends_in
                                   : static_cast<std::int32_t>(tiles_[at(tile)].first_terminal + ends_in - 1);
    }

    [[nodiscard]] std::int64_t tile_of_terminal(std::int32_t terminal) const {
        const auto behind = std::upper_bound(
            tiles_.begin(), tiles_.end(), terminal,
            [](std::int32_t number, const TileMemory& tile) { return number < tile.first_terminal; });
        return behind - tiles_.begin() - 1;
    }

    [[nodiscard]] const Terminal& terminal_of(std::int32_t terminal, std::int64_t tile) const {
        return tiles_[at(tile)].terminals[at(terminal - tiles_[at(tile)].first_terminal)];
    }

    /// Where water that leaves a tile at a terminal ends in the next one, or 0.
    [[nodiscard]] std::int32_t terminal_behind(std::int32_t terminal) const {
        const std::int64_t tile = tile_of_terminal(terminal);
        const Terminal& end = terminal_of(terminal, tile);
        const TileCell next = map_.step({tile, end.cell}, end.direction);
        return terminal_number(next.tile, tiles_[at(next.tile)].ends_in[next.cell]);
    }

    void join_tiles() {
        std::int64_t terminals = 1;
        for (TileMemory& tile : tiles_) {
            tile.first_terminal = terminals;
            terminals += static_cast<std::int64_t>(tile.terminals.size());
        }
        number_basins(terminals);
        const std::vector<BasinLink> candidates = all_links();
        progress_.poll();
        std::vector<BasinLink> links;
        for (const BasinLink& link : candidates) {
            const BasinLink joined = {link.key, basin_of_[at(link.a)], basin_of_[at(link.b)]};
            if (joined.a != joined.b) links.push_back(joined);
        }
        std::vector<BasinLink> forest = spanning_forest(
            std::move(links), static_cast<std::int64_t>(pit_elevation_.size()) + 1, progress_);
        std::sort(forest.begin(), forest.end(),
                  [](const BasinLink& a, const BasinLink& b) { return a.key.place < b.key.place; });
        const RootedForest rooted = root_forest(forest, pit_elevation_);
        report_.pits = static_cast<std::int64_t>(pit_elevation_.size());
        report_.closed_parts = rooted.closed_parts;
        set_levels(forest, rooted);
        plan_turns(forest, rooted, candidates);
    }

    /// Numbers the pits by their cells, and finds the basin of every terminal.
    void number_basins(std::int64_t terminals) {
        struct Pit {
            std::int64_t cell;
            std::int32_t terminal;
            float elevation;
        };
        std::vector<Pit> pits;
        for (std::int64_t tile = 0; tile < map_.tiles(); ++tile) {
            const TileMemory& memory = tiles_[at(tile)];
            for (std::size_t i = 0; i < memory.terminals.size(); ++i)
                if (const Terminal& end = memory.terminals[i]; end.direction == kPit)
                    pits.push_back(
                        {map_.number({tile, end.cell}),
                         static_cast<std::int32_t>(memory.first_terminal + static_cast<std::int64_t>(i)),
                         end.elevation});
        }
        std::sort(pits.begin(), pits.end(), [](const Pit& a, const Pit& b) { return a.cell < b.cell; });
        constexpr std::int32_t kUnknown = -1;
        basin_of_.assign(at(terminals), kUnknown);
        basin_of_[0] = kDrained;
        for (const Pit& pit : pits) {
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
    [[nodiscard]] std::vector<BasinLink> all_links() const {
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

    void add_link_over_edge(TileCell here, std::uint8_t d, std::vector<BasinLink>& links) const {
        const int column = map_.column_of(here) + kColumnStep[d], row = map_.row_of(here) + kRowStep[d];
        if (d >= kForward || !map_.leaves(here, d) || !terrain_.grid.contains(column, row)) return;
        const TileCell there = map_.place(column, row);
        const TileMemory& tile = tiles_[at(here.tile)];
        const TileMemory& next = tiles_[at(there.tile)];
        const std::int32_t a = terminal_number(here.tile, tile.ends_in[here.cell]);
        const std::int32_t b = terminal_number(there.tile, next.ends_in[there.cell]);
        if (a < 0 || b < 0 || a == b) return;
        const float length = d % 2 == 0 ? 1.0F : Link{1.0F, 1.0F}.length();
        links.push_back(
            {saddle_key(tile.elevation[here.cell], next.elevation[there.cell], length, map_.number(here), d),
             a, b});
    }

    void set_levels(const std::vector<BasinLink>& forest, const RootedForest& rooted) {
        level_.assign(rooted.ways.size(), -std::numeric_limits<float>::infinity());
        for (const std::int32_t basin : rooted.order) {
            const WayOut& way = rooted.ways[at(basin)];
            if (way.link >= 0)
                level_[at(basin)] =
                    std::max(float_of_ordered_bits(forest[at(way.link)].key.saddle), level_[at(way.into)]);
        }
    }

    /// Tells every tile which ways it has to turn round. The forest is sorted by places.
    void plan_turns(const std::vector<BasinLink>& forest, const RootedForest& rooted,
                    const std::vector<BasinLink>& candidates) {
        std::vector<std::int32_t> leaving(forest.size(), kNoBasin);  // basin that each link leads out of
        for (std::int32_t basin = 1; at(basin) < rooted.ways.size(); ++basin)
            if (rooted.ways[at(basin)].link >= 0) leaving[at(rooted.ways[at(basin)].link)] = basin;
        for (const BasinLink& candidate : candidates) {
            const auto found = std::lower_bound(
                forest.begin(), forest.end(), candidate.key.place,
                [](const BasinLink& link, std::uint64_t place) { return link.key.place < place; });
            if (found == forest.end() || found->key.place != candidate.key.place) continue;
            const std::int32_t basin = leaving[static_cast<std::size_t>(found - forest.begin())];
            const bool is_first = found->a == basin;
            const std::uint8_t d = static_cast<std::uint8_t>(candidate.key.direction());
            const TileCell first = map_.place(terrain_.grid.column_of(candidate.key.cell()),
                                              terrain_.grid.row_of(candidate.key.cell()));
            turn_from(is_first ? first : map_.step(first, d),
                      is_first ? d : static_cast<std::uint8_t>(opposite(d)),
                      is_first ? candidate.a : candidate.b);
        }
        for (std::int64_t tile = 0; tile < map_.tiles(); ++tile)
            for (std::size_t i = 0; i < tiles_[at(tile)].terminals.size(); ++i) {
                const Terminal& end = tiles_[at(tile)].terminals[i];
                const std::int64_t number = tiles_[at(tile)].first_terminal + static_cast<std::int64_t>(i);
                if (end.direction == kPit && rooted.ways[at(basin_of_[at(number)])].link < 0)
                    tiles_[at(tile)].new_roots.push_back(end.cell);
            }
    }

    /// The way from `cell`, whose water ends in `terminal`, down to the pit, through all tiles.
    void turn_from(TileCell cell, std::uint8_t onwards, std::int32_t terminal) {
        for (;;) {
            tiles_[at(cell.tile)].turns.push_back({cell.cell, onwards});
            const Terminal& end = terminal_of(terminal, cell.tile);
            if (end.direction == kPit) return;
            terminal = terminal_behind(terminal);
            cell = map_.step({cell.tile, end.cell}, end.direction);
            onwards = static_cast<std::uint8_t>(opposite(end.direction));
        }
    }

    // ---- Directions by which all water leaves

    void drain(std::int64_t tile) {
        LoadedTile loaded = load_directed(tile);
        std::vector<std::uint8_t> direction = inner_directions(loaded);
        const Grid grid = inner_grid(loaded);
        Field<float> surface;
        if (parameters_.depressions == Depressions::Fill)
            surface =
                filled(tile, loaded, find_basins(grid, ended_at_edges(tile, direction, kPit), progress_));
        turn(tile, direction);
        if (!surface.empty()) {
            const std::array<std::int32_t, 8> steps = loaded.lattice.index_steps();
            for (std::int32_t cell = 0; cell < loaded.cells(); ++cell)
                direction[at(cell)] =
                    direction_beside_water(loaded.outer_cell(cell), direction[at(cell)], loaded.lattice,
                                           steps, loaded.elevation, surface);
        }
        count_outflows(tile, grid, direction);
        results_.keep(tile, std::move(direction));
    }

    /// The surface of the tile's water and of what lies next to it.
    [[nodiscard]] Field<float> filled(std::int64_t tile, const LoadedTile& loaded,
                                      const Basins& basins) const {
        Field<float> surface = loaded.elevation;
        const auto raise = [&](std::int64_t outer, std::int64_t of_tile, std::int32_t ends_in) {
            const std::int32_t terminal = terminal_number(of_tile, ends_in);
            if (terminal > 0) surface[outer] = std::max(surface[outer], level_[at(basin_of_[at(terminal)])]);
        };
        for (std::int32_t cell = 0; cell < loaded.cells(); ++cell)
            raise(loaded.outer_cell(cell), tile, basins.of_cell[at(cell)]);
        const Window ring = map_.around(tile, 1);
        const Grid& outer = loaded.elevation.grid();
        for (int row = ring.first_row; row < ring.first_row + ring.rows; ++row)
            for (int column = ring.first_column; column < ring.first_column + ring.columns; ++column) {
                const std::int64_t cell =
                    outer.index(column - loaded.outer.first_column, row - loaded.outer.first_row);
                if (loaded.is_inside(cell)) {
                    column += loaded.inner.columns - 1;
                    continue;
                }
                const TileCell there = map_.place(column, row);
                raise(cell, there.tile, tiles_[at(there.tile)].ends_in[there.cell]);
            }
        return surface;
    }

    void turn(std::int64_t tile, std::vector<std::uint8_t>& direction) const {
        const int columns = map_.window(tile).columns;
        for (const Turn& start : tiles_[at(tile)].turns) {
            std::int32_t cell = start.cell;
            std::uint8_t onwards = start.onwards;
            for (;;) {
                const std::uint8_t downhill = direction[at(cell)];
                direction[at(cell)] = onwards;
                if (downhill == kPit || map_.leaves({tile, cell}, downhill)) break;
                cell += kRowStep[downhill] * columns + kColumnStep[downhill];
                onwards = static_cast<std::uint8_t>(opposite(downhill));
            }
        }
        for (const std::int32_t pit : tiles_[at(tile)].new_roots) direction[at(pit)] = kRoot;
    }

    // ---- Water

    [[nodiscard]] FlowTree tree_of(std::int64_t tile, const std::vector<std::uint8_t>& direction) const {
        FlowTree tree;
        tree.grid.columns = map_.window(tile).columns;
        tree.grid.rows = map_.window(tile).rows;
        tree.direction = ended_at_edges(tile, direction, kRoot);
        order_tree(tree, progress_);
        return tree;
    }

    void count_outflows(std::int64_t tile, const Grid& grid, const std::vector<std::uint8_t>& direction) {
        TileMemory& memory = tiles_[at(tile)];
        const Basins ways = find_basins(grid, ended_at_edges(tile, direction, kPit), progress_);
        const FlowTree tree = tree_of(tile, direction);
        for (const std::int32_t cell : ways.pits)
            memory.outflows.push_back({cell, direction[at(cell)], tree.upstream_cells[at(cell)]});
        memory.leaves_by = EdgeValues<std::int32_t>(map_.window(tile));
        memory.leaves_by.fill([&](std::int32_t cell) { return std::max(ways.of_cell[at(cell)], 0) - 1; });
    }

    /// Adds up what flows from tile to tile.
    void pass_water_on() {
        std::vector<std::int64_t> first(tiles_.size() + 1, 0);
        for (std::size_t i = 0; i < tiles_.size(); ++i)
            first[i + 1] = first[i] + static_cast<std::int64_t>(tiles_[i].outflows.size());
        std::vector<std::int64_t> next(at(first.back()), -1), total(at(first.back()), 0);
        std::vector<std::int32_t> awaited(at(first.back()), 0);
        std::vector<TileCell> target(at(first.back()));
        for (std::int64_t tile = 0; tile < map_.tiles(); ++tile)
            for (std::size_t i = 0; i < tiles_[at(tile)].outflows.size(); ++i) {
                const Outflow& outflow = tiles_[at(tile)].outflows[i];
                const std::size_t own = at(first[at(tile)]) + i;
                total[own] = outflow.cells;
                target[own] = map_.step({tile, outflow.cell}, outflow.direction);
                const std::int32_t leaves_by = tiles_[at(target[own].tile)].leaves_by[target[own].cell];
                if (leaves_by < 0) continue;
                next[own] = first[at(target[own].tile)] + leaves_by;
                ++awaited[at(next[own])];
            }
        std::vector<std::int64_t> ready;
        for (std::size_t i = 0; i < next.size(); ++i)
            if (awaited[i] == 0) ready.push_back(static_cast<std::int64_t>(i));
        for (std::size_t i = 0; i < ready.size(); ++i) {
            const std::size_t own = at(ready[i]);
            tiles_[at(target[own].tile)].inflows.push_back({target[own].cell, total[own]});
            if (next[own] < 0) continue;
            total[at(next[own])] += total[own];
            if (--awaited[at(next[own])] == 0) ready.push_back(next[own]);
        }
        drained_.assign(tiles_.size(), 0);
        inside_.assign(tiles_.size(), 0);
    }

    void gather(std::int64_t tile) {
        const std::vector<std::uint8_t> direction = results_.kept(tile);
        const FlowTree tree = tree_of(tile, direction);
        const int columns = tree.grid.columns;
        std::vector<std::int64_t> count(tree.upstream_cells.begin(), tree.upstream_cells.end());
        for (const Inflow& inflow : tiles_[at(tile)].inflows)
            for (std::int32_t cell = inflow.cell;;) {
                count[at(cell)] += inflow.cells;
                const std::uint8_t d = tree.direction[at(cell)];
                if (d >= kRoot) break;
                cell += kRowStep[d] * columns + kColumnStep[d];
            }
        Field<double> area(tree.grid);
        const double cell_area = terrain_.grid.cell_area();
        for (std::int64_t cell = 0; cell < area.size(); ++cell) {
            area[cell] = static_cast<double>(count[at(cell)]) * cell_area;
            inside_[at(tile)] += direction[at(cell)] != kOutside ? 1 : 0;
            drained_[at(tile)] += direction[at(cell)] == kRoot ? count[at(cell)] : 0;
        }
        results_.write(map_.window(tile), area, direction);
    }

    std::vector<std::int32_t> basin_of_;  // per terminal, from 1
    std::vector<float> pit_elevation_;    // m, of basins 1, 2, ...
    std::vector<float> level_;            // m, up to which each basin fills
    const TiledTerrain& terrain_;
    const TiledParameters& parameters_;
    const TiledResults& results_;
    Progress& progress_;
    TileMap map_;
    std::vector<TileMemory> tiles_;
    std::array<std::int64_t, 8> grid_steps_{};
    std::vector<std::int64_t> drained_, inside_;
    TiledReport report_;
};

}  // namespace

TiledReport route_in_tiles(const TiledTerrain& terrain, const TiledParameters& parameters,
                           const TiledResults& results, Progress& progress) {
    if (parameters.tile_side < 3)
        throw Error::input(
            fmt::format("tile_side = {} is not allowed: it must be at least 3 cells", parameters.tile_side));
    return TiledRouter(terrain, parameters, results, progress).route();
}

}  // namespace thalweg
