#include "thalweg/erosion/fans/fan_apexes.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/flow/drained_area.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kSquareKilometre = 1e6;    // m^2
constexpr double kReachAbove = 500.0;       // m, over which a valley is steep (empirical)
constexpr double kReachBelow = 1000.0;      // m, over which the ground before it is gentle (empirical)
constexpr double kGentle = 0.8;             // of the fan's slope (empirical)
constexpr double kLeastReach = 0.3;         // of kReachBelow, that a river has before the edge
constexpr double kLeastDeltaSlope = 0.002;  // m/m (empirical)

class ApexFinder {
  public:
    ApexFinder(const FanInputs& inputs, const FanParameters& parameters)
        : inputs_(inputs),
          parameters_(parameters),
          main_donor_(main_donors(inputs.tree)),
          area_(inputs.tree) {}

    std::vector<FanApex> find() {
        std::vector<Candidate> candidates;
        for_each_polled(inputs_.tree.order, [&](std::int32_t cell) {
            if (area_(cell) >= parameters_.fan_area) judge(cell, candidates);
        });
        std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return a.strength != b.strength ? a.strength > b.strength : a.apex.cell < b.apex.cell;
        });
        return largest_first(apart(candidates));
    }

  private:
    struct Candidate {
        double strength;  // how sharp the slope breaks, in slopes of the fan
        FanApex apex;
    };
    struct Way {
        double length = 0.0;  // m
        double drop = 0.0;    // m
        std::int32_t end = -1;
    };

    /// To the receiver, m.
    [[nodiscard]] double length(std::int32_t cell) const {
        return inputs_.tree.grid.cell_size *
               (inputs_.tree.direction[at(cell)] % 2 == 0 ? 1.0 : std::numbers::sqrt2);
    }
    [[nodiscard]] double height(std::int32_t cell) const {
        return static_cast<double>(inputs_.surface(cell));
    }

    /// The main river above a cell, the end between two cells where `reach` is.
    [[nodiscard]] Way above(std::int32_t cell, double reach) const {
        Way way = {.end = cell};
        for (std::int32_t up = main_donor_[at(cell)]; up >= 0 && way.length < reach; up = main_donor_[at(up)])
            go_on(way, length(up), height(up) - height(way.end), reach, up);
        return way;
    }
    /// The river below a cell. The sea is level.
    [[nodiscard]] Way below(std::int32_t cell, double reach) const {
        Way way = {.end = cell};
        while (way.length < reach) {
            const std::int32_t next = inputs_.tree.receiver(way.end);
            if (next < 0) break;
            go_on(way, length(way.end), height(way.end) - height(next), reach, next);
            if (inputs_.is_water(next)) way.length = reach;
        }
        return way;
    }
    static void go_on(Way& way, double step, double drop, double reach, std::int32_t end) {
        const double share = std::min(1.0, (reach - way.length) / step);
        way.length += share * step;
        way.drop += share * drop;
        way.end = end;
    }

    void judge(std::int32_t cell, std::vector<Candidate>& candidates) const {
        const std::int32_t receiver = inputs_.tree.receiver(cell);
        if (receiver < 0 || inputs_.is_water(cell)) return;
        const Way up = above(cell, kReachAbove);
        if (up.length < kReachAbove) return;
        FanApex apex;
        apex.cell = cell;
        apex.area = area_(cell);
        apex.slope =
            parameters_.fan_slope * std::pow(apex.area / kSquareKilometre, -parameters_.fan_exponent);
        apex.heading = heading(up.end, cell);
        const double slope_above = up.drop / up.length;
        if (inputs_.is_water(receiver)) {
            apex.is_delta = true;
            apex.slope = std::min(apex.slope, std::max(kLeastDeltaSlope, slope_above));
            candidates.push_back({.strength = 1e9, .apex = apex});
            return;
        }
        const Way down = below(cell, kReachBelow);
        if (down.length < kLeastReach * kReachBelow) return;
        const double slope_below = down.drop / down.length;
        if (slope_above > apex.slope && slope_below < kGentle * apex.slope)
            candidates.push_back({.strength = (slope_above - slope_below) / apex.slope, .apex = apex});
    }

    [[nodiscard]] double heading(std::int32_t from, std::int32_t to) const {
        const Grid& grid = inputs_.tree.grid;
        return std::atan2(static_cast<double>(grid.row_of(from) - grid.row_of(to)),
                          static_cast<double>(grid.column_of(to) - grid.column_of(from)));
    }

    /// Takes the sharpest, and no other within L / 2 of it along the same river.
    std::vector<FanApex> apart(const std::vector<Candidate>& candidates) {
        std::vector<std::uint8_t> is_taken(inputs_.tree.direction.size());
        std::vector<FanApex> found;
        for (const Candidate& candidate : candidates) {
            const std::int32_t cell = candidate.apex.cell;
            if (is_taken[at(cell)] != 0) continue;
            found.push_back(candidate.apex);
            const double reach = 2.0 * std::sqrt(candidate.apex.area);
            double way = 0.0;
            for (std::int32_t up = cell; up >= 0 && way < reach; up = main_donor_[at(up)]) {
                is_taken[at(up)] = 1;
                way += length(up);
            }
            way = 0.0;
            for (std::int32_t down = cell; way < reach;) {
                const std::int32_t next = inputs_.tree.receiver(down);
                if (next < 0 || main_donor_[at(next)] != down) break;
                way += length(down);
                down = next;
                is_taken[at(down)] = 1;
            }
        }
        return found;
    }

    static std::vector<FanApex> largest_first(std::vector<FanApex> apexes) {
        std::sort(apexes.begin(), apexes.end(), [](const FanApex& a, const FanApex& b) {
            return a.area != b.area ? a.area > b.area : a.cell < b.cell;
        });
        return apexes;
    }

    const FanInputs& inputs_;
    const FanParameters& parameters_;
    std::vector<std::int32_t> main_donor_;
    DrainedArea area_;
};

}  // namespace

std::vector<std::int32_t> main_donors(const FlowTree& tree) {
    std::vector<std::int32_t> main(tree.direction.size(), -1);
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0) return;
        std::int32_t& best = main[at(receiver)];
        const std::uint32_t count = tree.upstream_cells[at(cell)];
        if (best < 0 || count > tree.upstream_cells[at(best)] ||
            (count == tree.upstream_cells[at(best)] && cell < best))
            best = cell;
    });
    return main;
}

std::vector<FanApex> fan_apexes(const FanInputs& inputs, const FanParameters& parameters,
                                Progress& progress) {
    progress.report(0.0, "finding apexes");
    return ApexFinder(inputs, parameters).find();
}

}  // namespace thalweg
