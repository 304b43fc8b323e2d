#include "thalweg/flow/least_cost_breach.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/graph/linked_cells.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

constexpr int kCellsPerPoll = 1 << 14;

/// A pit: its first cell, and how high it lies.
struct Pit {
    float level = 0.0F;  // m
    std::int32_t cell = 0;
};

/// Where a search has come to.
struct Reached {
    double cost = 0.0;    // m^2
    double length = 0.0;  // m
    std::int32_t cell = 0;

    friend bool operator>(const Reached& a, const Reached& b) {
        if (a.cost != b.cost) return a.cost > b.cost;
        return a.length != b.length ? a.length > b.length : a.cell > b.cell;
    }
};

struct Step {
    double cost = 0.0;
    double length = 0.0;
    std::int32_t from = -1;
    bool is_done = false;
};

class Breacher {
  public:
    Breacher(Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
             const BreachLimits& limits, Progress& progress)
        : elevation_(elevation),
          lattice_(lattice),
          steps_(lattice.index_steps()),
          roots_(roots),
          limits_(limits),
          progress_(progress),
          before_(elevation) {}

    Digging breach() && {
        for (const Pit& pit : find_pits())
            if (is_single(pit.cell)) drain_through_one_cell(pit.cell);
        std::vector<Pit> pits = find_pits();
        std::ranges::sort(pits, [](const Pit& a, const Pit& b) {
            return a.level != b.level ? a.level < b.level : a.cell < b.cell;
        });
        for (const Pit& pit : pits)
            if (is_pit(pit.cell)) dig_from(pit);
        return digging();
    }

  private:
    template <class Visit>
    void for_each_neighbour(std::int32_t cell, const Visit& visit) const {
        for_each_linked(lattice_, steps_, cell, [&](std::int32_t neighbour, int d) {
            if (!is_no_data(elevation_[neighbour])) visit(neighbour, d);
        });
    }

    [[nodiscard]] bool is_exit(std::int32_t cell, float level) const {
        return roots_[cell] != 0 || elevation_[cell] < level;
    }

    /// Whether the level ground about a cell has no exit. mark(cell) tells whether it had not been marked
    /// before. Goes over all of the ground, or only as long as no exit is found.
    template <class Mark>
    bool is_closed(std::int32_t first, bool goes_over_all, const Mark& mark) const {
        bool is_closed = true;
        std::vector<std::int32_t> found = {first};
        mark(first);
        for (std::size_t next = 0; next < found.size() && (is_closed || goes_over_all); ++next) {
            if (next % kCellsPerPoll == 0) progress_.poll();
            is_closed = is_closed && !has_lower_neighbour(found[next]);
            for_each_neighbour(found[next], [&](std::int32_t neighbour, int) {
                if (elevation_[neighbour] == elevation_[first] && mark(neighbour)) found.push_back(neighbour);
            });
        }
        return is_closed;
    }

    [[nodiscard]] std::vector<Pit> find_pits() const {
        std::vector<std::uint8_t> is_seen(at(elevation_.size()), 0);
        std::vector<Pit> pits;
        for (std::int32_t cell = 0; cell < elevation_.size(); ++cell) {
            if (cell % kCellsPerPoll == 0) progress_.poll();
            if (is_seen[at(cell)] != 0 || is_no_data(elevation_[cell]) || has_lower_neighbour(cell)) continue;
            const auto mark = [&](std::int32_t level) {
                return std::exchange(is_seen[at(level)], std::uint8_t{1}) == 0;
            };
            if (is_closed(cell, true, mark)) pits.push_back({elevation_[cell], cell});
        }
        return pits;
    }

    [[nodiscard]] bool has_lower_neighbour(std::int32_t cell) const {
        bool has = roots_[cell] != 0;
        for_each_neighbour(cell, [&](std::int32_t neighbour, int) {
            has = has || elevation_[neighbour] < elevation_[cell];
        });
        return has;
    }

    [[nodiscard]] bool is_pit(std::int32_t cell) const {
        std::unordered_set<std::int32_t> seen;
        return is_closed(cell, false, [&](std::int32_t level) { return seen.insert(level).second; });
    }

    [[nodiscard]] bool is_single(std::int32_t cell) const {
        bool is = true;
        for_each_neighbour(
            cell, [&](std::int32_t neighbour, int) { is = is && elevation_[neighbour] > elevation_[cell]; });
        return is;
    }

    /// Cuts the lowest cell between a pit and lower ground two steps away, to the lowest such ground.
    void drain_through_one_cell(std::int32_t pit) {
        if (has_lower_neighbour(pit)) return;
        std::int32_t between = -1;
        float level = 0.0F;
        for_each_neighbour(pit, [&](std::int32_t neighbour, int) {
            const double depth =
                static_cast<double>(elevation_[neighbour]) - static_cast<double>(elevation_[pit]);
            if (depth > limits_.depth) return;
            if (between >= 0 && elevation_[neighbour] >= elevation_[between]) return;
            for_each_neighbour(neighbour, [&](std::int32_t end, int) {
                if (!(elevation_[end] < elevation_[pit])) return;
                const float middle = 0.5F * elevation_[pit] + 0.5F * elevation_[end];
                if (between == neighbour && middle >= level) return;
                between = neighbour;
                level = middle;
            });
        });
        if (between >= 0) elevation_[between] = level;
    }

    /// Looks for the least-cost path from a pit and cuts it.
    void dig_from(const Pit& pit) {
        std::unordered_map<std::int32_t, Step> steps;
        std::priority_queue<Reached, std::vector<Reached>, std::greater<>> waiting;
        steps[pit.cell] = {};
        waiting.push({0.0, 0.0, pit.cell});
        for (int visited = 1; !waiting.empty(); ++visited) {
            if (visited % kCellsPerPoll == 0) progress_.poll();
            const Reached here = waiting.top();
            waiting.pop();
            Step& step = steps[here.cell];
            if (std::exchange(step.is_done, true)) continue;
            if (here.cell != pit.cell && is_exit(here.cell, pit.level)) return cut(pit, here.cell, steps);
            for_each_neighbour(here.cell, [&](std::int32_t next, int direction) {
                const double way = lattice_.distance(here.cell, direction);
                const double depth =
                    std::max(0.0, static_cast<double>(elevation_[next]) - static_cast<double>(pit.level));
                const Reached there{here.cost + depth * way, here.length + way, next};
                if (depth > limits_.depth || there.length > limits_.length) return;
                const auto [known, is_new] = steps.try_emplace(next);
                Step& other = known->second;
                if (!is_new && (other.is_done || !(Reached{other.cost, other.length, next} > there))) return;
                other = {there.cost, there.length, here.cell, false};
                waiting.push(there);
            });
        }
    }

    /// Cuts the path from a pit to `end` down to the pit's level, a root at its end too.
    void cut(const Pit& pit, std::int32_t end, const std::unordered_map<std::int32_t, Step>& steps) {
        for (std::int32_t cell = end; cell != pit.cell; cell = steps.at(cell).from)
            elevation_[cell] = std::min(elevation_[cell], pit.level);
    }

    [[nodiscard]] Digging digging() const {
        Digging digging;
        for (std::int64_t cell = 0; cell < elevation_.size(); ++cell) {
            if (!(elevation_[cell] < before_[cell])) continue;
            ++digging.lowered_cells;
            digging.volume += (static_cast<double>(before_[cell]) - static_cast<double>(elevation_[cell])) *
                              lattice_.grid.cell_area();
        }
        return digging;
    }

    Field<float>& elevation_;
    const Lattice& lattice_;
    std::array<std::int32_t, 8> steps_;
    const Field<std::uint8_t>& roots_;
    const BreachLimits& limits_;
    Progress& progress_;
    Field<float> before_;
};

}  // namespace

Digging breach_least_cost(Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
                          const BreachLimits& limits, Progress& progress) {
    return Breacher(elevation, lattice, roots, limits, progress).breach();
}

}  // namespace thalweg
