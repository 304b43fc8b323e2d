// Cordonnier, Bovy and Braun 2019: A versatile, linear complexity algorithm for flow routing in topographies
// with depressions. Here each pit searches its way out locally.
#include "thalweg/core/index.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kPopsPerPoll = 1 << 16;
constexpr std::uint8_t kUnset = 255;

/// A flooded cell that waits: lowest first; of equal ones the first that was reached, so that flats are
/// crossed by shortest paths.
struct Waiting {
    float elevation;
    std::int32_t sequence;
    std::int32_t cell;

    bool operator<(const Waiting& other) const {
        return elevation != other.elevation ? elevation > other.elevation : sequence > other.sequence;
    }
};

class Breacher {
  public:
    Breacher(const Field<float>& elevation, const Lattice& lattice, std::vector<std::uint8_t>& direction,
             Progress& progress)
        : elevation_(elevation),
          lattice_(lattice),
          steps_(lattice.index_steps()),
          direction_(direction),
          progress_(progress),
          way_back_(direction.size(), kUnset),
          carved_(direction.size(), 0) {}

    BreachReport run() {
        std::vector<std::int32_t> pits = sorted_pits();
        report_.pits = static_cast<std::int64_t>(pits.size());
        for (const std::int32_t pit : pits)
            if (direction_[at(pit)] == kPit) drain(pit);
        return report_;
    }

  private:
    std::vector<std::int32_t> sorted_pits() const {
        std::vector<std::int32_t> pits;
        for (std::size_t cell = 0; cell < direction_.size(); ++cell)
            if (direction_[cell] == kPit) pits.push_back(static_cast<std::int32_t>(cell));
        std::sort(pits.begin(), pits.end(), [&](std::int32_t a, std::int32_t b) {
            return elevation_[a] != elevation_[b] ? elevation_[a] < elevation_[b] : a < b;
        });
        return pits;
    }

    /// Floods from `pit` until a way out is met, and turns the directions along it.
    void drain(std::int32_t pit) {
        waiting_.clear();
        flooded_.clear();
        sequence_ = 0;
        push(pit, kUnset - 1);
        const std::int32_t exit = find_exit(pit);
        if (exit < 0) {
            direction_[at(pit)] = kRoot;
            ++report_.isolated_pits;
        } else {
            carve(exit, pit);
        }
        drain_flat_around(pit);
        for (const std::int32_t cell : flooded_) way_back_[at(cell)] = kUnset;
    }

    /// The first cell on the lowest way that leads out: strictly lower than the pit, a root, or carved
    /// before.
    std::int32_t find_exit(std::int32_t pit) {
        const float pit_elevation = elevation_[pit];
        while (!waiting_.empty()) {
            if (++pops_ % kPopsPerPoll == 0) progress_.poll();
            std::pop_heap(waiting_.begin(), waiting_.end());
            const std::int32_t cell = waiting_.back().cell;
            waiting_.pop_back();
            if (direction_[at(cell)] == kRoot || carved_[at(cell)] != 0 || elevation_[cell] < pit_elevation)
                return cell;
            flood_neighbours(cell);
        }
        return -1;
    }

    void flood_neighbours(std::int32_t cell) {
        const int column = lattice_.grid.column_of(cell);
        const int row = lattice_.grid.row_of(cell);
        const std::uint8_t links = lattice_.links_inside(column, row);
        for (std::size_t d = 0; d < 8; ++d) {
            if ((links >> d & 1) == 0) continue;
            const std::int32_t neighbour = cell + steps_[d];
            if (direction_[at(neighbour)] == kOutside || way_back_[at(neighbour)] != kUnset) continue;
            push(neighbour, static_cast<std::uint8_t>(opposite(static_cast<int>(d))));
        }
    }

    void push(std::int32_t cell, std::uint8_t way_back) {
        way_back_[at(cell)] = way_back;
        flooded_.push_back(cell);
        waiting_.push_back({elevation_[cell], sequence_++, cell});
        std::push_heap(waiting_.begin(), waiting_.end());
    }

    /// Turns the directions on the way from `pit` to `exit` towards `exit`.
    void carve(std::int32_t exit, std::int32_t pit) {
        for (std::int32_t cell = exit; cell != pit;) {
            const std::uint8_t back = way_back_[at(cell)];
            const std::int32_t upstream = cell + steps_[back];
            direction_[at(upstream)] = static_cast<std::uint8_t>(opposite(back));
            carved_[at(upstream)] = 1;
            ++report_.carved_cells;
            cell = upstream;
        }
    }

    /// Other pits of the same flat drain over it to the way just made.
    void drain_flat_around(std::int32_t pit) {
        flat_.assign(1, pit);
        for (std::size_t next = 0; next < flat_.size(); ++next) {
            const std::int32_t cell = flat_[next];
            const int column = lattice_.grid.column_of(cell);
            const int row = lattice_.grid.row_of(cell);
            const std::uint8_t links = lattice_.links_inside(column, row);
            for (std::size_t d = 0; d < 8; ++d) {
                if ((links >> d & 1) == 0) continue;
                const std::int32_t neighbour = cell + steps_[d];
                if (direction_[at(neighbour)] != kPit || elevation_[neighbour] != elevation_[pit]) continue;
                direction_[at(neighbour)] = static_cast<std::uint8_t>(opposite(static_cast<int>(d)));
                carved_[at(neighbour)] = 1;
                flat_.push_back(neighbour);
            }
        }
    }

    const Field<float>& elevation_;
    const Lattice& lattice_;
    const std::array<std::int32_t, 8> steps_;
    std::vector<std::uint8_t>& direction_;
    Progress& progress_;
    std::vector<std::uint8_t> way_back_;  // per cell: direction towards the pit of the present flood
    std::vector<std::uint8_t> carved_;    // per cell: 1 once it lies on a way out
    std::vector<Waiting> waiting_;
    std::vector<std::int32_t> flooded_;
    std::vector<std::int32_t> flat_;
    std::int32_t sequence_ = 0;
    std::int64_t pops_ = 0;
    BreachReport report_;
};

}  // namespace

BreachReport breach_directions(const Field<float>& elevation, const Lattice& lattice,
                               std::vector<std::uint8_t>& direction, Progress& progress) {
    return Breacher(elevation, lattice, direction, progress).run();
}

}  // namespace thalweg
