#include "thalweg/flow/depressions/basin_links.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/pool.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastCells = 1 << 16;  // that one task looks at
constexpr std::int32_t kForward = 4;           // directions that lead to cells further on: E, SE, S, SW

/// Links of some rows, nearly without those that a lower one between the same basins stands for.
class LinkList {
  public:
    LinkList() : recent_(kRecent) {}

    /// Adds the link between basins `a` and `b` whose saddle, ordered_bits, is `saddle`; key() makes its key.
    template <class MakeKey>
    [[gnu::always_inline]] inline void add(std::int32_t a, std::int32_t b, std::uint32_t saddle,
                                           const MakeKey& key) {
        const auto low = static_cast<std::uint32_t>(std::min(a, b));
        const auto high = static_cast<std::uint32_t>(std::max(a, b));
        Recent& slot = recent_[(low * 31U + high) % kRecent];
        const std::uint64_t pair = static_cast<std::uint64_t>(low) << 32 | high;
        if (slot.pair == pair) {
            if (saddle > slot.saddle) return;
            const SaddleKey of_link = key();
            BasinLink& lowest = links_[slot.place];
            if (of_link < lowest.key) lowest = {of_link, a, b};
        } else {
            slot.place = static_cast<std::uint32_t>(links_.size());
            links_.push_back({key(), a, b});
        }
        slot.pair = pair;
        slot.saddle = saddle;
    }

    [[nodiscard]] std::vector<BasinLink> take() && { return std::move(links_); }

  private:
    /// The last link between a pair of basins.
    struct Recent {
        std::uint64_t pair = 0;  // the lower number, then the higher one; 0: none
        std::uint32_t saddle = 0;
        std::uint32_t place = 0;  // in links_
    };

    static constexpr std::uint32_t kRecent = 1024;
    std::vector<Recent> recent_;  // by pair of basins
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
          differs_(at(lattice.grid.columns)),
          marked_(differs_.size() + 1),
          crossing_(kForward * differs_.size() + 1) {}

    void add(int row, LinkList& list) {
        mark(row);
        const std::int64_t begin = lattice_.grid.index(0, row);
        const std::size_t crossings = list_crossings(begin);
        for (std::size_t i = 0; i < crossings; ++i) {
            const std::int64_t cell = begin + crossing_[i] / kForward;
            const int d = crossing_[i] % kForward;
            const std::int64_t other = cell + steps_[at(d)];
            if (basin_[cell] == kNoBasin || basin_[other] == kNoBasin) continue;
            const std::uint32_t saddle = ordered_bits(std::max(elevation_[cell], elevation_[other]));
            list.add(basin_[cell], basin_[other], saddle, [&] { return key_of(cell, other, d); });
        }
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

    /// Lists the columns of the marked cells; returns how many there are.
    std::size_t list_marked() {
        constexpr std::size_t kTogether = 64;
        std::size_t cells = 0;
        for (std::size_t first = 0; first < differs_.size(); first += kTogether) {
            const std::size_t end = std::min(first + kTogether, differs_.size());
            std::uint8_t any = 0;
            for (std::size_t c = first; c < end; ++c) any = static_cast<std::uint8_t>(any | differs_[c]);
            if (any == 0) continue;
            for (std::size_t c = first; c < end; ++c) {
                marked_[cells] = static_cast<std::int32_t>(c);
                cells += differs_[c] != 0 ? 1 : 0;
            }
        }
        return cells;
    }

    /// Lists the marked cells and then their links, 4 times the column and the direction, without branches:
    /// they would be guessed wrong. Returns how many links there are.
    std::size_t list_crossings(std::int64_t begin) {
        const std::size_t cells = list_marked();
        std::size_t links = 0;
        for (std::size_t i = 0; i < cells; ++i) {
            const std::int32_t c = marked_[i];
            const int to_links = differs_[at(c)] & lattice_.links_of(begin + c);
            for (int d = 0; d < kForward; ++d) {
                crossing_[links] = kForward * c + d;
                links += to_links >> d & 1;
            }
        }
        return links;
    }

    [[nodiscard]] SaddleKey key_of(std::int64_t cell, std::int64_t other, int d) const {
        return saddle_key(elevation_[cell], elevation_[other], lattice_.link_length(cell, other, at(d)), cell,
                          d);
    }

    const Field<float>& elevation_;
    const Lattice& lattice_;
    const std::int32_t* basin_;
    std::array<std::int32_t, 8> steps_;
    std::vector<std::uint8_t> differs_;  // per cell of the row
    std::vector<std::int32_t> marked_;   // columns where it is not 0
    std::vector<std::int32_t> crossing_;
};

}  // namespace

std::vector<BasinLink> find_basin_links(const Field<float>& elevation, const Lattice& lattice,
                                        const Basins& basins, Progress& progress) {
    const Grid& grid = lattice.grid;
    Pool<PartialForest> forests;
    return parallel_concat<BasinLink>(
        0, grid.rows, std::max<std::int64_t>(1, kLeastCells / std::max(1, grid.columns)),
        [&](std::int64_t first, std::int64_t last) {
            progress.poll();
            LinkList list;
            RowLinks rows(elevation, lattice, basins);
            for (std::int64_t row = first; row < last; ++row) rows.add(static_cast<int>(row), list);
            // A link that is too high to join the basins of some rows is too high to join all of them.
            std::vector<BasinLink> links;
            forests.with([&](PartialForest& forest) {
                links = forest.find(std::move(list).take(), basins.count(), progress);
            });
            return links;
        });
}

}  // namespace thalweg
