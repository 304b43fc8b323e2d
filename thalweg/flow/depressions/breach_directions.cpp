// Cordonnier, Bovy and Braun 2019: A versatile, linear complexity algorithm for flow routing in topographies
// with depressions. Here each pit searches its exit locally.
#include "thalweg/flow/depressions/breach_directions.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/graph/linked_cells.hpp"
#include "thalweg/flow/graph/pits.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kPopsPerPoll = 1 << 16;
constexpr std::uint8_t kUnset = 255;

}  // namespace

/// One call: the breacher's memory and what it works on.
class DirectionBreacher::Call {
  public:
    Call(DirectionBreacher& memory, const Field<float>& elevation, const Lattice& lattice,
         std::vector<std::uint8_t>& direction, Progress& progress)
        : memory_(memory),
          elevation_(elevation),
          lattice_(lattice),
          steps_(lattice.index_steps()),
          direction_(direction),
          progress_(progress) {}

    void run(std::span<const std::int32_t> pits, std::span<const std::int32_t> fixed) {
        for (const std::int32_t cell : fixed) memory_.carved_[at(cell)] = 1;
        std::vector<std::uint64_t>& keys = memory_.lowest_first_;
        keys.clear();
        for (const std::int32_t pit : pits) keys.push_back(flood_key(elevation_[pit], pit));
        std::sort(keys.begin(), keys.end());
        for (const std::uint64_t key : keys)
            if (const std::int32_t pit = flood_number(key); direction_[at(pit)] == kPit) drain(pit);
        for (const std::int32_t cell : memory_.turned_) memory_.carved_[at(cell)] = 0;
        for (const std::int32_t cell : fixed) memory_.carved_[at(cell)] = 0;
    }

  private:
    /// Floods from `pit` until an exit is met, and turns the directions along it.
    void drain(std::int32_t pit) {
        memory_.waiting_.clear();
        memory_.flooded_.clear();
        std::int32_t exit = find_near_exit(pit);
        if (exit < 0) {
            push(pit, kUnset - 1);
            exit = find_exit(pit);
        }
        if (exit < 0) {
            direction_[at(pit)] = kRoot;
        } else {
            carve(exit, pit);
        }
        drain_flat_around(pit);
        for (const std::int32_t cell : memory_.flooded_) memory_.direction_back_[at(cell)] = kUnset;
    }

    /// The exit of most pits: the lowest neighbour, or the lowest beside that. -1 where a flood must tell.
    std::int32_t find_near_exit(std::int32_t pit) {
        if (memory_.carved_[at(pit)] != 0) return -1;
        const Step step = lowest_beside(pit);
        if (step.cell < 0) return -1;
        if (leads_out(step.cell, pit)) {
            note_breach_path(step);
            return step.cell;
        }
        // Lower than the pit, it is none of the pit's neighbours, which wait too.
        const Step next = lowest_beside(step.cell);
        if (next.cell < 0 || !(elevation_[next.cell] < elevation_[pit])) return -1;
        note_breach_path(step);
        note_breach_path(next);
        return next.cell;
    }

    [[nodiscard]] bool leads_out(std::int32_t cell, std::int32_t pit) const {
        return direction_[at(cell)] == kRoot || memory_.carved_[at(cell)] != 0 ||
               elevation_[cell] < elevation_[pit];
    }

    /// A neighbour, and the direction that leads to it.
    struct Step {
        std::int32_t cell = -1;
        int direction = 0;
    };

    /// To the lowest neighbour, of equal ones to the first; none where all lie outside.
    [[nodiscard]] Step lowest_beside(std::int32_t cell) const {
        Step lowest;
        for_neighbours(cell, [&](std::int32_t neighbour, int d) {
            if (direction_[at(neighbour)] == kOutside) return;
            if (lowest.cell < 0 || elevation_[neighbour] < elevation_[lowest.cell]) lowest = {neighbour, d};
        });
        return lowest;
    }

    void note_breach_path(const Step& step) {
        memory_.direction_back_[at(step.cell)] = static_cast<std::uint8_t>(opposite(step.direction));
        memory_.flooded_.push_back(step.cell);
    }

    /// The first cell on the lowest path that leads out: strictly lower than the pit, a root, or carved
    /// before.
    std::int32_t find_exit(std::int32_t pit) {
        while (!memory_.waiting_.empty()) {
            if (++pops_ % kPopsPerPoll == 0) progress_.poll();
            const std::int32_t cell = memory_.flooded_[at(memory_.waiting_.pop())];
            if (leads_out(cell, pit)) return cell;
            flood_neighbours(cell);
        }
        return -1;
    }

    template <class Visit>
    void for_neighbours(std::int32_t cell, const Visit& visit) const {
        for_each_linked(lattice_, steps_, cell, visit);
    }

    void flood_neighbours(std::int32_t cell) {
        for_neighbours(cell, [&](std::int32_t neighbour, int d) {
            if (direction_[at(neighbour)] == kOutside || memory_.direction_back_[at(neighbour)] != kUnset)
                return;
            push(neighbour, static_cast<std::uint8_t>(opposite(d)));
        });
    }

    void push(std::int32_t cell, std::uint8_t direction_back) {
        memory_.direction_back_[at(cell)] = direction_back;
        // Of equally low cells the first that was reached comes first: flats are crossed by shortest paths.
        memory_.waiting_.push(elevation_[cell], static_cast<std::int32_t>(memory_.flooded_.size()));
        memory_.flooded_.push_back(cell);
    }

    /// Gives a cell on an exit its direction.
    void turn(std::int32_t cell, std::uint8_t direction) {
        direction_[at(cell)] = direction;
        memory_.carved_[at(cell)] = 1;
        memory_.turned_.push_back(cell);
    }

    /// Turns the directions on the path from `pit` to `exit` towards `exit`.
    void carve(std::int32_t exit, std::int32_t pit) {
        for (std::int32_t cell = exit; cell != pit;) {
            const std::uint8_t back = memory_.direction_back_[at(cell)];
            const std::int32_t upstream = cell + steps_[back];
            turn(upstream, static_cast<std::uint8_t>(opposite(back)));
            cell = upstream;
        }
    }

    /// Other pits of the same flat drain over it to the way just made.
    void drain_flat_around(std::int32_t pit) {
        memory_.flat_.assign(1, pit);
        for (std::size_t next = 0; next < memory_.flat_.size(); ++next) {
            for_neighbours(memory_.flat_[next], [&](std::int32_t neighbour, int d) {
                if (direction_[at(neighbour)] != kPit || elevation_[neighbour] != elevation_[pit]) return;
                turn(neighbour, static_cast<std::uint8_t>(opposite(d)));
                memory_.flat_.push_back(neighbour);
            });
        }
    }

    DirectionBreacher& memory_;
    const Field<float>& elevation_;
    const Lattice& lattice_;
    const std::array<std::int32_t, 8> steps_;
    std::vector<std::uint8_t>& direction_;
    Progress& progress_;
    std::int64_t pops_ = 0;
};

void DirectionBreacher::breach(const Field<float>& elevation, const Lattice& lattice,
                               std::vector<std::uint8_t>& direction, std::span<const std::int32_t> pits,
                               Progress& progress, std::span<const std::int32_t> fixed) {
    // Memory is used again, unless another grid or a call that was cut short left it.
    if (!is_clean_ || direction_back_.size() != direction.size()) {
        direction_back_.assign(direction.size(), kUnset);
        carved_.assign(direction.size(), 0);
    }
    turned_.clear();
    is_clean_ = false;
    Call(*this, elevation, lattice, direction, progress).run(pits, fixed);
    is_clean_ = true;
}

void breach_directions(const Field<float>& elevation, const Lattice& lattice,
                       std::vector<std::uint8_t>& direction, Progress& progress) {
    DirectionBreacher().breach(elevation, lattice, direction, find_pits(direction), progress);
}

}  // namespace thalweg
