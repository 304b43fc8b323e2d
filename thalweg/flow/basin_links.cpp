#include "thalweg/flow/basin_links.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <array>
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
        return saddle_key(elevation_[cell], elevation_[other], lattice_.link_length(cell, other, at(d)), cell,
                          d);
    }

    const Field<float>& elevation_;
    const Lattice& lattice_;
    const std::int32_t* basin_;
    std::array<std::int32_t, 8> steps_;
    std::vector<std::uint8_t> differs_;  // per cell of the row
};

}  // namespace

std::vector<BasinLink> find_basin_links(const Field<float>& elevation, const Lattice& lattice,
                                        const Basins& basins, Progress& progress) {
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

}  // namespace thalweg
