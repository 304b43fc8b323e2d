#include "thalweg/flow/spill_tree.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/flow/ordered_bits.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <compare>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastCells = 1 << 16;  // that one task looks at
constexpr std::int64_t kLinksPerPoll = 1 << 20;
constexpr int kForward = 4;  // directions that lead to cells further on: E, SE, S, SW

/// A link between two basins, in the order in which water takes them: over the lowest saddle, of equal ones
/// the steepest, of equally steep ones the first by rows. No two are equal.
struct LinkKey {
    std::uint32_t saddle;      // its height, ordered_bits
    std::uint32_t gentleness;  // ~ordered_bits of its steepness
    std::uint32_t place;       // its first cell by rows and its direction

    friend auto operator<=>(const LinkKey&, const LinkKey&) = default;

    [[nodiscard]] std::int32_t cell() const { return static_cast<std::int32_t>(place >> 2); }
    [[nodiscard]] std::size_t direction() const { return place & 3; }
};

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
constexpr LinkKey kNone = {kMost, kMost, kMost};

struct BasinLink {
    LinkKey key;
    std::int32_t a, b;  // basins, or what they have grown to

    [[nodiscard]] bool joins(std::int32_t one, std::int32_t other) const { return a == one && b == other; }
};

/// Links of some rows, nearly without those that a lower one between the same basins stands for.
class LinkList {
  public:
    LinkList() : recent_(kRecent, -1) {}

    void add(std::int32_t a, std::int32_t b, const LinkKey& key) {
        if (a > b) std::swap(a, b);
        std::int32_t& slot =
            recent_[(static_cast<std::uint32_t>(a) * 31U + static_cast<std::uint32_t>(b)) % kRecent];
        if (slot >= 0 && links_[at(slot)].joins(a, b)) {
            links_[at(slot)].key = std::min(links_[at(slot)].key, key);
            return;
        }
        slot = static_cast<std::int32_t>(links_.size());
        links_.push_back({key, a, b});
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
            list.add(basin_[cell], basin_[other], key_of(cell, other, d));
        }
    }

    [[nodiscard]] LinkKey key_of(std::int64_t cell, std::int64_t other, int d) const {
        const float here = elevation_[cell], there = elevation_[other];
        const float steepness = std::abs(here - there) / lattice_.link(cell, other, at(d)).length();
        return {ordered_bits(std::max(here, there)), ~ordered_bits(steepness),
                static_cast<std::uint32_t>(cell) << 2 | static_cast<std::uint32_t>(d)};
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

/// The minimum spanning forest by Boruvka's algorithm: every set of basins takes its lowest link, until no
/// links between sets are left.
class SpanningForest {
  public:
    SpanningForest(const Lattice& lattice, const Basins& basins)
        : steps_(lattice.index_steps()),
          basins_(basins),
          set_(at(basins.count())),
          lowest_(at(basins.count())) {
        for (std::size_t i = 0; i < set_.size(); ++i) set_[i] = static_cast<std::int32_t>(i);
    }

    /// The keys of its links.
    std::vector<LinkKey> grow(std::vector<BasinLink> links, const Progress& progress) {
        std::vector<LinkKey> taken;
        while (!links.empty()) {
            progress.poll();
            find_lowest(links, progress);
            for (const LinkKey& key : lowest_)
                if (key != kNone && join(key)) taken.push_back(key);
            drop_inner(links);
        }
        return taken;
    }

  private:
    void find_lowest(const std::vector<BasinLink>& links, const Progress& progress) {
        std::fill(lowest_.begin(), lowest_.end(), kNone);
        std::int64_t visited = 0;
        for (const BasinLink& link : links) {
            if (++visited % kLinksPerPoll == 0) progress.poll();
            lowest_[at(link.a)] = std::min(lowest_[at(link.a)], link.key);
            lowest_[at(link.b)] = std::min(lowest_[at(link.b)], link.key);
        }
    }

    std::int32_t set_of(std::int32_t basin) {
        while (set_[at(basin)] != basin) {
            set_[at(basin)] = set_[at(set_[at(basin)])];
            basin = set_[at(basin)];
        }
        return basin;
    }

    bool join(const LinkKey& key) {
        const std::int64_t cell = key.cell();
        const std::int64_t other = cell + steps_[key.direction()];
        const std::int32_t a = set_of(basins_.of_cell[at(cell)]), b = set_of(basins_.of_cell[at(other)]);
        set_[at(std::max(a, b))] = std::min(a, b);
        return a != b;
    }

    void drop_inner(std::vector<BasinLink>& links) {
        std::erase_if(links, [&](BasinLink& link) {
            link.a = set_of(link.a);
            link.b = set_of(link.b);
            return link.a == link.b;
        });
    }

    std::array<std::int32_t, 8> steps_;
    const Basins& basins_;
    std::vector<std::int32_t> set_;  // per basin: another of its set, or itself
    std::vector<LinkKey> lowest_;    // per set: its lowest link
};

/// The forest's links of every basin, and walks along them.
class ForestWalk {
  public:
    ForestWalk(const Field<float>& elevation, const Lattice& lattice, const Basins& basins,
               const std::vector<LinkKey>& keys)
        : elevation_(elevation),
          basins_(basins),
          steps_(lattice.index_steps()),
          starts_(at(basins.count() + 1), 0) {
        for (const LinkKey& key : keys)
            for (const std::int32_t basin : ends_of(key)) ++starts_[at(basin) + 1];
        for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
        links_.resize(2 * keys.size());
        std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
        for (const LinkKey& key : keys)
            for (const std::int32_t basin : ends_of(key)) links_[at(next[at(basin)]++)] = key;
        tree_.spills.resize(at(basins.count()));
        tree_.order.reserve(at(basins.count()));
    }

    SpillTree walk() && {
        is_reached_.assign(tree_.spills.size(), 0);
        reach_all_from(kDrained);
        for (std::int32_t basin = 1; basin < basins_.count(); ++basin) {
            if (is_reached_[at(basin)] != 0) continue;
            ++tree_.closed_parts;
            reach_all_from(lowest_connected(basin));
        }
        return std::move(tree_);
    }

  private:
    [[nodiscard]] std::array<std::int32_t, 2> cells_of(const LinkKey& key) const {
        return {key.cell(), key.cell() + steps_[key.direction()]};
    }
    [[nodiscard]] std::array<std::int32_t, 2> ends_of(const LinkKey& key) const {
        const auto [cell, other] = cells_of(key);
        return {basins_.of_cell[at(cell)], basins_.of_cell[at(other)]};
    }

    void reach_all_from(std::int32_t start) {
        is_reached_[at(start)] = 1;
        std::size_t next = tree_.order.size();
        tree_.order.push_back(start);
        for (; next < tree_.order.size(); ++next) {
            const std::int32_t basin = tree_.order[next];
            for (std::int64_t i = starts_[at(basin)]; i < starts_[at(basin) + 1]; ++i)
                reach(basin, links_[at(i)]);
        }
    }

    void reach(std::int32_t basin, const LinkKey& key) {
        auto [to, from] = cells_of(key);
        if (basins_.of_cell[at(to)] != basin) std::swap(to, from);
        const std::int32_t other = basins_.of_cell[at(from)];
        if (is_reached_[at(other)] != 0) return;
        is_reached_[at(other)] = 1;
        tree_.spills[at(other)] = {basin, from, to, std::max(elevation_[from], elevation_[to])};
        tree_.order.push_back(other);
    }

    /// Of the basins that `start` is connected to, itself included, the one with the lowest pit.
    [[nodiscard]] std::int32_t lowest_connected(std::int32_t start) {
        std::vector<std::int32_t> part = {start};
        is_reached_[at(start)] = 1;
        for (std::size_t next = 0; next < part.size(); ++next)
            for (std::int64_t i = starts_[at(part[next])]; i < starts_[at(part[next]) + 1]; ++i)
                for (const std::int32_t end : ends_of(links_[at(i)])) {
                    if (is_reached_[at(end)] != 0) continue;
                    is_reached_[at(end)] = 1;
                    part.push_back(end);
                }
        for (const std::int32_t basin : part) is_reached_[at(basin)] = 0;
        return *std::min_element(part.begin(), part.end(), [&](std::int32_t a, std::int32_t b) {
            const float of_a = pit_elevation(a), of_b = pit_elevation(b);
            return of_a != of_b ? of_a < of_b : a < b;
        });
    }

    [[nodiscard]] float pit_elevation(std::int32_t basin) const {
        return elevation_[basins_.pits[at(basin - 1)]];
    }

    const Field<float>& elevation_;
    const Basins& basins_;
    std::array<std::int32_t, 8> steps_;
    std::vector<std::int64_t> starts_;  // per basin: its first link in links_
    std::vector<LinkKey> links_;
    std::vector<std::uint8_t> is_reached_;
    SpillTree tree_;
};

/// Direction of the step from `cell` to its neighbour `other`.
std::uint8_t direction_between(const std::array<std::int32_t, 8>& steps, std::int32_t cell,
                               std::int32_t other) {
    return static_cast<std::uint8_t>(std::find(steps.begin(), steps.end(), other - cell) - steps.begin());
}

}  // namespace

SpillTree find_spills(const Field<float>& elevation, const Lattice& lattice, const Basins& basins,
                      Progress& progress) {
    assert(lattice.grid.cells() <= std::int64_t{1} << 28);
    std::vector<BasinLink> links = find_links(elevation, lattice, basins, progress);
    const std::vector<LinkKey> forest = SpanningForest(lattice, basins).grow(std::move(links), progress);
    progress.poll();
    return ForestWalk(elevation, lattice, basins, forest).walk();
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
