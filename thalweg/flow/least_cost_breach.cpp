#include "thalweg/flow/least_cost_breach.hpp"

#include "thalweg/core/index.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <unordered_map>
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
          roots_(roots),
          limits_(limits),
          progress_(progress),
          before_(elevation) {}

    Digging breach() && {
        for (const Pit& pit : find_pits())
            if (is_single(pit.cell) && drain_through_one_cell(pit.cell)) ++digging_.single_cells;
        std::vector<Pit> pits = find_pits();
        std::ranges::sort(pits, [](const Pit& a, const Pit& b) {
            return a.level != b.level ? a.level < b.level : a.cell < b.cell;
        });
        for (const Pit& pit : pits) {
            if (!is_pit(pit.cell)) continue;
            ++(dig_from(pit) ? digging_.breached : digging_.left);
        }
        measure();
        return digging_;
    }

  private:
    template <class Visit>
    void for_each_neighbour(std::int32_t cell, const Visit& visit) const {
        const Grid& grid = lattice_.grid;
        const int column = grid.column_of(cell), row = grid.row_of(cell);
        for (std::size_t d = 0; d < 8; ++d) {
            if ((lattice_.links_inside(column, row) >> d & 1) == 0) continue;
            const auto neighbour =
                static_cast<std::int32_t>(grid.index(column + kColumnStep[d], row + kRowStep[d]));
            if (!is_no_data(elevation_[neighbour])) visit(neighbour, static_cast<int>(d));
        }
    }

    [[nodiscard]] bool is_way_out(std::int32_t cell, float level) const {
        return roots_[cell] != 0 || elevation_[cell] < level;
    }

    /// Marks the level ground about a cell, and tells whether it has no way out.
    bool visit_level(std::int32_t first, std::vector<std::uint8_t>& is_seen) {
        const float level = elevation_[first];
        bool is_closed = true;
        std::vector<std::int32_t> found = {first};
        is_seen[at(first)] = 1;
        for (std::size_t next = 0; next < found.size(); ++next) {
            if (next % kCellsPerPoll == 0) progress_.poll();
            is_closed = is_closed && roots_[found[next]] == 0;
            for_each_neighbour(found[next], [&](std::int32_t neighbour, int) {
                is_closed = is_closed && !(elevation_[neighbour] < level);
                if (elevation_[neighbour] != level || is_seen[at(neighbour)] != 0) return;
                is_seen[at(neighbour)] = 1;
                found.push_back(neighbour);
            });
        }
        return is_closed;
    }

    std::vector<Pit> find_pits() {
        std::vector<std::uint8_t> is_seen(at(elevation_.size()), 0);
        std::vector<Pit> pits;
        for (std::int32_t cell = 0; cell < elevation_.size(); ++cell) {
            if (cell % kCellsPerPoll == 0) progress_.poll();
            if (is_seen[at(cell)] != 0 || is_no_data(elevation_[cell]) || has_way_down(cell)) continue;
            if (visit_level(cell, is_seen)) pits.push_back({elevation_[cell], cell});
        }
        return pits;
    }

    [[nodiscard]] bool has_way_down(std::int32_t cell) const {
        bool has = roots_[cell] != 0;
        for_each_neighbour(cell, [&](std::int32_t neighbour, int) {
            has = has || elevation_[neighbour] < elevation_[cell];
        });
        return has;
    }

    bool is_pit(std::int32_t cell) {
        if (has_way_down(cell)) return false;
        std::unordered_map<std::int32_t, bool> seen = {{cell, true}};
        std::vector<std::int32_t> found = {cell};
        for (std::size_t next = 0; next < found.size(); ++next) {
            bool is_closed = roots_[found[next]] == 0;
            for_each_neighbour(found[next], [&](std::int32_t neighbour, int) {
                is_closed = is_closed && !(elevation_[neighbour] < elevation_[cell]);
                if (elevation_[neighbour] == elevation_[cell] && seen.emplace(neighbour, true).second)
                    found.push_back(neighbour);
            });
            if (!is_closed) return false;
        }
        return true;
    }

    [[nodiscard]] bool is_single(std::int32_t cell) const {
        bool is = true;
        for_each_neighbour(
            cell, [&](std::int32_t neighbour, int) { is = is && elevation_[neighbour] > elevation_[cell]; });
        return is;
    }

    /// Cuts the lowest cell between a pit and lower ground two steps away, to the lowest such ground.
    bool drain_through_one_cell(std::int32_t pit) {
        if (has_way_down(pit)) return false;
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
        if (between < 0) return false;
        elevation_[between] = level;
        return true;
    }

    /// Looks for the cheapest way from a pit and cuts it.
    bool dig_from(const Pit& pit) {
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
            if (here.cell != pit.cell && is_way_out(here.cell, pit.level)) {
                cut(pit, here.cell, steps);
                return true;
            }
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
        return false;
    }

    /// Cuts the way from a pit to `end` down to the pit's level, a root at its end too.
    void cut(const Pit& pit, std::int32_t end, const std::unordered_map<std::int32_t, Step>& steps) {
        for (std::int32_t cell = end; cell != pit.cell; cell = steps.at(cell).from)
            elevation_[cell] = std::min(elevation_[cell], pit.level);
    }

    void measure() {
        for (std::int64_t cell = 0; cell < elevation_.size(); ++cell) {
            if (!(elevation_[cell] < before_[cell])) continue;
            ++digging_.lowered_cells;
            digging_.volume += (static_cast<double>(before_[cell]) - static_cast<double>(elevation_[cell])) *
                               lattice_.grid.cell_area();
        }
    }

    Field<float>& elevation_;
    const Lattice& lattice_;
    const Field<std::uint8_t>& roots_;
    const BreachLimits& limits_;
    Progress& progress_;
    Field<float> before_;
    Digging digging_;
};

}  // namespace

Digging breach_least_cost(Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
                          const BreachLimits& limits, Progress& progress) {
    return Breacher(elevation, lattice, roots, limits, progress).breach();
}

}  // namespace thalweg
