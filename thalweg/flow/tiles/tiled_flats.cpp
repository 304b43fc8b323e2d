#include "thalweg/flow/tiles/tiled_flats.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/depressions/flats.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

namespace thalweg {
namespace {

constexpr std::uint8_t kAcross = 11;  // direction of a cell whose flat crosses the tile's edge

/// Finds the cells of one tile's flats that go on behind its edges.
class CrossingFlats {
  public:
    CrossingFlats(const TileMap& map, std::int64_t tile, const LoadedTile& loaded)
        : map_(map), tile_(tile), loaded_(loaded), is_listed_(at(loaded.cells()), 0) {}

    std::vector<FlatCell> find() {
        EdgeValues<std::uint8_t>(loaded_.inner).for_cells([&](std::int32_t cell) { look_over_edge(cell); });
        std::vector<FlatCell> flats;
        while (flats.size() < listed_.size()) {  // which grows
            const std::int32_t cell = listed_[flats.size()];
            flats.push_back(flat_at(cell));
            list_neighbours(cell, flats.back());
        }
        return flats;
    }

  private:
    void list(std::int32_t cell) {
        if (is_listed_[at(cell)] != 0) return;
        is_listed_[at(cell)] = 1;
        listed_.push_back(cell);
    }

    void look_over_edge(std::int32_t cell) {
        if (loaded_.direction[at(loaded_.outer_cell(cell))] != kPit || is_listed_[at(cell)] != 0) return;
        const FlatCell flat = flat_at(cell);
        for (std::uint8_t d = 0; d < 8; ++d)
            if ((flat.links >> d & 1) != 0 && map_.leaves({tile_, cell}, d)) list(cell);
    }

    void list_neighbours(std::int32_t cell, const FlatCell& flat) {
        for (std::uint8_t d = 0; d < 8; ++d)
            if ((flat.links >> d & 1) != 0 && !map_.leaves({tile_, cell}, d))
                list(cell + kRowStep[d] * loaded_.inner.columns() + kColumnStep[d]);
    }

    [[nodiscard]] FlatCell flat_at(std::int32_t cell) const {
        const std::int64_t outer = loaded_.outer_cell(cell);
        const Grid& grid = loaded_.elevation.grid();
        return look_around(outer, map_.number({tile_, cell}),
                           loaded_.lattice.links_inside(grid.column_of(outer), grid.row_of(outer)),
                           loaded_.lattice.index_steps().data(), loaded_.elevation, loaded_.direction);
    }

    const TileMap& map_;
    std::int64_t tile_;
    const LoadedTile& loaded_;
    std::vector<std::uint8_t> is_listed_;  // by cell of the tile
    std::vector<std::int32_t> listed_;
};

/// All cells of crossing flats, by their numbers in the grid.
class FlatCells {
  public:
    FlatCells(std::vector<TileMemory>& tiles, const Grid& grid) {
        for (std::size_t d = 0; d < 8; ++d)
            steps_[d] = std::int64_t{kRowStep[d]} * grid.columns + kColumnStep[d];
        for (TileMemory& tile : tiles)
            for (FlatCell& flat : tile.flats) cells_.push_back(&flat);
        std::sort(cells_.begin(), cells_.end(),
                  [](const FlatCell* a, const FlatCell* b) { return a->cell < b->cell; });
        place_in_flat_.assign(cells_.size(), kNowhere);
    }

    void solve(const Progress& progress) {
        for (std::size_t start = 0; start < cells_.size(); ++start)
            if (place_in_flat_[start] == kNowhere) solve_flat_of(start, progress);
    }

  private:
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t place_of(std::int64_t number) const {
        const auto found = std::lower_bound(cells_.begin(), cells_.end(), number,
                                            [](const FlatCell* a, std::int64_t b) { return a->cell < b; });
        assert(found != cells_.end() && (*found)->cell == number);
        return static_cast<std::size_t>(found - cells_.begin());
    }

    void solve_flat_of(std::size_t start, const Progress& progress) {
        std::vector<std::size_t> members = {start};
        std::vector<FlatCell> flat = {*cells_[start]};
        place_in_flat_[start] = 0;
        for (std::size_t next = 0; next < members.size(); ++next)
            for (std::uint8_t d = 0; d < 8; ++d) {
                if ((flat[next].links >> d & 1) == 0) continue;
                const std::size_t other = place_of(flat[next].cell + steps_[d]);
                if (place_in_flat_[other] != kNowhere) continue;
                place_in_flat_[other] = members.size();
                members.push_back(other);
                flat.push_back(*cells_[other]);
            }
        const auto neighbour = [&](std::size_t i, std::uint8_t d) {
            return place_in_flat_[place_of(flat[i].cell + steps_[d])];
        };
        solver_.solve(flat, neighbour, progress);
        for (std::size_t i = 0; i < members.size(); ++i) cells_[members[i]]->direction = flat[i].direction;
    }

    std::array<std::int64_t, 8> steps_{};
    std::vector<FlatCell*> cells_;
    std::vector<std::size_t> place_in_flat_;
    FlatSolver solver_;
};

/// Pits around a tile belong to no flat inside, or to one that crosses the edge.
void hide_pits_around(LoadedTile& loaded) {
    for (std::int64_t cell = 0; cell < loaded.elevation.size(); ++cell)
        if (loaded.direction[at(cell)] == kPit && !loaded.is_inside(cell))
            loaded.direction[at(cell)] = kAcross;
}

}  // namespace

std::vector<FlatCell> crossing_flats(const TileMap& map, std::int64_t tile, const LoadedTile& loaded) {
    return CrossingFlats(map, tile, loaded).find();
}

void solve_crossing_flats(std::vector<TileMemory>& tiles, const Grid& grid, const Progress& progress) {
    FlatCells(tiles, grid).solve(progress);
}

void direct_flats_inside(LoadedTile& loaded, const TileMap& map, std::int64_t tile,
                         const std::vector<FlatCell>& crossing, Progress& progress) {
    const auto direction_at = [&](const FlatCell& flat) -> std::uint8_t& {
        return loaded.direction[at(loaded.outer_cell(map.cell_in(tile, flat.cell)))];
    };
    for (const FlatCell& flat : crossing) direction_at(flat) = kAcross;
    hide_pits_around(loaded);
    resolve_flats(loaded.elevation, loaded.lattice, loaded.direction, progress);
    for (const FlatCell& flat : crossing) direction_at(flat) = kPit;
}

}  // namespace thalweg
