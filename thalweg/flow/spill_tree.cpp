#include "thalweg/flow/spill_tree.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/flow/ordered_bits.hpp"
#include "thalweg/flow/spanning_forest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastCells = 1 << 16;  // that one task looks at
constexpr int kForward = 4;                    // directions that lead to cells further on: E, SE, S, SW

/// Links of some rows, nearly without those that a lower one between the same basins stands for.
class LinkList {
  public:
    LinkList() : recent_(kRecent, -1) {}

    void add(const BasinLink& link) {
        const std::int32_t low = std::min(link.a, link.b), high = std::max(link.a, link.b);
        std::int32_t& slot =
            recent_[(static_cast<std::uint32_t>(low) * 31U + static_cast<std::uint32_t>(high)) % kRecent];
        if (slot >= 0 && std::min(links_[at(slot)].a, links_[at(slot)].b) == low &&
            std::max(links_[at(slot)].a, links_[at(slot)].b) == high) {
            if (link.key < links_[at(slot)].key) links_[at(slot)] = link;
            return;
        }
        slot = static_cast<std::int32_t>(links_.size());
        links_.push_back(link);
    }

    [[nodiscard]] std::vector<BasinLink> take() && { return std::move(links_); }

  private:
    static constexpr std::uint32_t kRecent = 1024;
    std::vector<std::int32_t> recent_;  // by pair of basins: where the last link between them stands, or -1
    std::vector<BasinLink> links_;
};

/// Finds the links of one row's cells to cells further on.
class RowLinks {
  public:
    RowLinks(const Field<float>& elevation, const Lattice& lattice, const Basins& basins)
        : elevation_(elevation),
          lattice_(lattice),
          basin_(basins.of_cell.data()),
          steps_(lattice.index_steps()),
          differs_(at(lattice.grid.columns)) {}

    void add(int row, LinkList& list) {
        mark(row);
        const std::int64_t begin = lattice_.grid.index(0, row);
        for (auto mark = differs_.begin();
             (mark = std::find_if(mark, differs_.end(), [](std::uint8_t m) { return m != 0; })) !=
             differs_.end();
             ++mark)
            add_links(begin + (mark - differs_.begin()), *mark, list);
    }

  private:
    /// Sets bit d of each cell whose neighbour in direction d belongs to another basin, or lies in the next
    /// row behind the grid's edge.
    void mark(int row) {
        const int columns = lattice_.grid.columns;
        const std::int32_t* const here = basin_ + lattice_.grid.index(0, row);
        std::fill(differs_.begin(), differs_.end(), std::uint8_t{0});
        std::uint8_t* const differs = differs_.data();
        for (int c = 0; c + 1 < columns; ++c)
            differs[c] = static_cast<std::uint8_t>(here[c] != here[c + 1] ? 1 : 0);
        if (row + 1 == lattice_.grid.rows) return;
        const std::int32_t* const below = here + columns;
        for (int c = 0; c + 1 < columns; ++c)
            differs[c] = static_cast<std::uint8_t>(differs[c] | (here[c] != below[c + 1] ? 2 : 0));
        for (int c = 0; c < columns; ++c)
            differs[c] = static_cast<std::uint8_t>(differs[c] | (here[c] != below[c] ? 4 : 0));
        for (int c = 1; c < columns; ++c)
            differs[c] = static_cast<std::uint8_t>(differs[c] | (here[c] != below[c - 1] ? 8 : 0));
    }

    void add_links(std::int64_t cell, std::uint8_t differs, LinkList& list) const {
        const int to_links = differs & lattice_.links_of(cell);
        for (int d = 0; d < kForward; ++d) {
            if ((to_links >> d & 1) == 0) continue;
            const std::int64_t other = cell + steps_[at(d)];
            if (basin_[cell] == kNoBasin || basin_[other] == kNoBasin) continue;
            list.add({key_of(cell, other, d), basin_[cell], basin_[other]});
        }
    }

    [[nodiscard]] SaddleKey key_of(std::int64_t cell, std::int64_t other, int d) const {
        const float here = elevation_[cell], there = elevation_[other];
        const float steepness = std::abs(here - there) / lattice_.link(cell, other, at(d)).length();
        return {ordered_bits(std::max(here, there)), ~ordered_bits(steepness),
                static_cast<std::uint64_t>(cell) << 2 | static_cast<std::uint64_t>(d)};
    }

    const Field<float>& elevation_;
    const Lattice& lattice_;
    const std::int32_t* basin_;
    std::array<std::int32_t, 8> steps_;
    std::vector<std::uint8_t> differs_;  // per cell of the row
};

std::vector<BasinLink> find_links(const Field<float>& elevation, const Lattice& lattice, const Basins& basins,
                                  Progress& progress) {
    using Links = std::vector<BasinLink>;
    const Grid& grid = lattice.grid;
    return parallel_reduce(
        0, grid.rows, std::max<std::int64_t>(1, kLeastCells / std::max(1, grid.columns)), Links{},
        [&](std::int64_t first, std::int64_t last) {
            progress.poll();
            LinkList list;
            RowLinks rows(elevation, lattice, basins);
            for (std::int64_t row = first; row < last; ++row) rows.add(static_cast<int>(row), list);
            return std::move(list).take();
        },
        [](Links all, const Links& more) {
            if (all.empty()) return more;
            all.insert(all.end(), more.begin(), more.end());
            return all;
        });
}

/// Direction of the step from `cell` to its neighbour `other`.
std::uint8_t direction_between(const std::array<std::int32_t, 8>& steps, std::int32_t cell,
                               std::int32_t other) {
    return static_cast<std::uint8_t>(std::find(steps.begin(), steps.end(), other - cell) - steps.begin());
}

}  // namespace

SpillTree find_spills(const Field<float>& elevation, const Lattice& lattice, const Basins& basins,
                      Progress& progress) {
    const std::vector<BasinLink> forest =
        spanning_forest(find_links(elevation, lattice, basins, progress), basins.count(), progress);
    progress.poll();
    std::vector<float> pit_elevation(basins.pits.size());
    std::transform(basins.pits.begin(), basins.pits.end(), pit_elevation.begin(),
                   [&](std::int32_t pit) { return elevation[pit]; });
    RootedForest rooted = root_forest(forest, pit_elevation);
    SpillTree tree;
    tree.order = std::move(rooted.order);
    tree.closed_parts = rooted.closed_parts;
    tree.spills.resize(rooted.ways.size());
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    for (std::size_t basin = 0; basin < rooted.ways.size(); ++basin) {
        const WayOut& way = rooted.ways[basin];
        if (way.link < 0) continue;
        const BasinLink& link = forest[at(way.link)];
        std::int32_t from = static_cast<std::int32_t>(link.key.cell());
        std::int32_t to = from + steps[link.key.direction()];
        if (at(link.a) != basin) std::swap(from, to);
        tree.spills[basin] = {way.into, from, to, std::max(elevation[from], elevation[to])};
    }
    return tree;
}

std::vector<float> full_levels(const SpillTree& tree) {
    std::vector<float> levels(tree.spills.size(), -std::numeric_limits<float>::infinity());
    for (const std::int32_t basin : tree.order) {
        const Spill& spill = tree.spills[at(basin)];
        if (spill.into != kNoBasin) levels[at(basin)] = std::max(spill.saddle, levels[at(spill.into)]);
    }
    return levels;
}

void turn_way_out(const Grid& grid, const Spill& spill, std::int32_t pit,
                  std::vector<std::uint8_t>& direction) {
    const std::array<std::int32_t, 8> steps = eight_neighbours(grid).index_steps();
    std::int32_t cell = spill.from;
    std::uint8_t onwards = direction_between(steps, cell, spill.to);
    for (;;) {
        const std::uint8_t downhill = direction[at(cell)];
        direction[at(cell)] = onwards;
        if (cell == pit) return;
        cell += steps[downhill];
        onwards = static_cast<std::uint8_t>(opposite(downhill));
    }
}

void turn_ways_out(const Grid& grid, const SpillTree& tree, const Basins& basins,
                   std::vector<std::uint8_t>& direction) {
    for (std::int32_t basin = 1; basin < basins.count(); ++basin) {
        const Spill& spill = tree.spills[at(basin)];
        const std::int32_t pit = basins.pits[at(basin - 1)];
        if (spill.into == kNoBasin) {
            direction[at(pit)] = kRoot;
        } else {
            turn_way_out(grid, spill, pit, direction);
        }
    }
}

}  // namespace thalweg
