#include "thalweg/flow/conditioning.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/depression_hierarchy.hpp"
#include "thalweg/flow/depressions/breach_paths.hpp"
#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/depressions/shore.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/graph/pits.hpp"
#include "thalweg/flow/lakes/lake_spills.hpp"
#include "thalweg/flow/least_cost_breach.hpp"
#include "thalweg/flow/spill_tree.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 16;

/// Cells that a surface left, and by how much.
struct Change {
    std::int64_t cells = 0;
    double height = 0.0;  // m, summed over cells
};

Change sum_of(const Change& a, const Change& b) {
    return {a.cells + b.cells, a.height + b.height};
}

/// Directions over the terrain as it is, its pits and the ways between their basins.
struct Drainage {
    std::vector<std::uint8_t> direction;
    Basins basins;
    SpillTree tree;
};

/// The level of the lake that each basin lies under, m; -inf where it is dry.
std::vector<float> levels_over(const Lakes& lakes) {
    std::vector<float> levels;
    for (const std::int32_t lake : lakes_over_basins(lakes))
        levels.push_back(lake < 0 ? -std::numeric_limits<float>::infinity()
                                  : static_cast<float>(lakes.lakes[at(lake)].level));
    return levels;
}

class Conditioner {
  public:
    Conditioner(const Lattice& lattice, const Field<std::uint8_t>& roots, Progress& progress)
        : lattice_(lattice), roots_(roots), progress_(progress), steps_(lattice.index_steps()) {}

    Conditioned leave(const Field<float>& elevation) {
        Conditioned result;
        result.direction = directions_over(elevation);
        result.elevation = elevation;
        for (std::uint8_t& d : result.direction) {
            if (d != kPit) continue;
            d = kRoot;
            ++result.pits;
        }
        return result;
    }

    Conditioned breach(const Field<float>& elevation) {
        Drainage drainage = drain(elevation);
        Conditioned result = begin(drainage);
        turn_breach_paths(lattice_.grid, drainage.tree, drainage.basins, drainage.direction);
        result.direction = std::move(drainage.direction);
        result.elevation = elevation;
        carve_from(drainage.basins.pits, result);
        direct_over_carved(lattice_, elevation, result.elevation, result.direction);
        return result;
    }

    /// Breaches what the limits allow.
    Conditioned breach_within(const Field<float>& elevation, const ConditioningParameters& limits) {
        Drainage drainage = drain(elevation);
        Conditioned result = begin(drainage);
        result.direction = std::move(drainage.direction);
        result.elevation = elevation;
        std::vector<std::int32_t> breached;
        for (const std::int32_t basin : drainage.tree.order) {
            if (basin == kDrained || drainage.tree.spills[at(basin)].into == kNoBasin) continue;
            const std::int32_t pit = drainage.basins.pits[at(basin - 1)];
            if (!is_within(limits, elevation, drainage.tree.spills[at(basin)], pit, result.direction))
                continue;
            turn_breach_path(lattice_.grid, drainage.tree.spills[at(basin)], pit, result.direction);
            breached.push_back(pit);
        }
        carve_from(breached, result);
        return result;
    }

    /// Breaches by least cost, then fills what is left.
    Conditioned breach_cheaply(const Field<float>& elevation, const ConditioningParameters& parameters) {
        Field<float> cut = elevation;
        const std::size_t pits = find_pits(directions_over(elevation)).size();
        const Digging digging = breach_least_cost(
            cut, lattice_, roots_, {.depth = parameters.breach_depth, .length = parameters.breach_length},
            progress_);
        Conditioned result = parameters.fill_gradient ? fill_with_gradient(cut) : fill(cut);
        result.pits = static_cast<std::int64_t>(pits);
        result.changed_cells += digging.lowered_cells;
        result.removed_volume = digging.volume;
        return result;
    }

    Conditioned fill(const Field<float>& elevation) {
        Drainage drainage = drain(elevation);
        Conditioned result = begin(drainage);
        turn_breach_paths(lattice_.grid, drainage.tree, drainage.basins, drainage.direction);
        raise(elevation, full_levels(drainage.tree), drainage.basins, result);
        result.direction = std::move(drainage.direction);
        direct_on_shores(lattice_, elevation, result.elevation, result.direction);
        return result;
    }

    Conditioned fill_lakes(const Field<float>& elevation, const LakeWater& water) {
        Drainage drainage = drain(elevation);
        Conditioned result = begin(drainage);
        const DepressionHierarchy hierarchy =
            find_depressions(elevation, lattice_, drainage.basins, drainage.tree, progress_);
        result.lakes = fill_spill_merge(elevation, drainage.basins, hierarchy, water, progress_);
        const SpillTree spills = spills_through(*result.lakes, drainage.basins, hierarchy, drainage.tree);
        turn_breach_paths(lattice_.grid, spills, drainage.basins, drainage.direction);
        raise(elevation, levels_over(*result.lakes), drainage.basins, result);
        result.direction = std::move(drainage.direction);
        direct_on_shores(lattice_, elevation, result.elevation, result.direction);
        return result;
    }

    Conditioned fill_with_gradient(const Field<float>& elevation) {
        Conditioned result;
        result.pits = static_cast<std::int64_t>(find_pits(directions_over(elevation)).size());
        Filled filled = fill_depressions(elevation, roots_, FilledSurface::Draining, progress_);
        result.closed_components = filled.closed_components;
        result.changed_cells = filled.raised_cells;
        result.added_volume = filled.volume;
        result.elevation = std::move(filled.elevation);
        result.direction = steepest_directions(result.elevation, lattice_, roots_);
        for (std::uint8_t& d : result.direction)
            if (d == kPit) d = kRoot;  // the lowest cells of closed parts
        return result;
    }

  private:
    std::vector<std::uint8_t> directions_over(const Field<float>& elevation) {
        std::vector<std::uint8_t> direction = steepest_directions(elevation, lattice_, roots_);
        progress_.poll();
        resolve_flats(elevation, lattice_, direction, progress_);
        return direction;
    }

    Drainage drain(const Field<float>& elevation) {
        Drainage drainage;
        drainage.direction = directions_over(elevation);
        drainage.basins = find_basins(lattice_.grid, drainage.direction, progress_);
        drainage.tree = find_spills(elevation, lattice_, drainage.basins, progress_);
        return drainage;
    }

    static Conditioned begin(const Drainage& drainage) {
        Conditioned result;
        result.pits = static_cast<std::int64_t>(drainage.basins.pits.size());
        result.closed_components = drainage.tree.closed_components;
        return result;
    }

    /// Cuts the ways down from all `pits` to their elevation, until lower ground.
    void carve_from(const std::vector<std::int32_t>& pits, Conditioned& result) const {
        BreachPathCarver carver(result.elevation);
        const auto receiver = [&](std::int32_t cell) {
            const std::uint8_t d = result.direction[at(cell)];
            return d < kRoot ? cell + steps_[d] : -1;
        };
        for_each_polled(
            pits, [&](std::int32_t pit) { carver.cut(receiver(pit), result.elevation[pit], receiver); });
        result.changed_cells += static_cast<std::int64_t>(carver.cut_cells().size());
        result.removed_volume += carver.depth() * lattice_.grid.cell_area();
    }

    /// Whether the breach from `pit` reaches lower ground or a root within the limits.
    [[nodiscard]] bool is_within(const ConditioningParameters& limits, const Field<float>& elevation,
                                 const Spill& spill, std::int32_t pit,
                                 const std::vector<std::uint8_t>& direction) const {
        const double level = static_cast<double>(elevation[pit]);
        double length = step_length(spill.from, spill.to);
        const auto cuts_too_deep = [&](std::int32_t cell) {
            return static_cast<double>(elevation[cell]) - level > limits.breach_depth;
        };
        for (std::int32_t cell = spill.from; cell != pit; cell += steps_[direction[at(cell)]]) {
            length += lattice_.distance(cell, direction[at(cell)]);
            if (cuts_too_deep(cell) || length > limits.breach_length) return false;
        }
        for (std::int32_t cell = spill.to; elevation[cell] > elevation[pit];) {
            if (cuts_too_deep(cell) || length > limits.breach_length || direction[at(cell)] == kPit)
                return false;
            if (direction[at(cell)] >= kRoot) return true;
            length += lattice_.distance(cell, direction[at(cell)]);
            cell += steps_[direction[at(cell)]];
        }
        return length <= limits.breach_length;
    }

    [[nodiscard]] double step_length(std::int32_t cell, std::int32_t other) const {
        return lattice_.distance(cell, direction_between(lattice_.grid, cell, other));
    }

    void raise(const Field<float>& elevation, const std::vector<float>& levels, const Basins& basins,
               Conditioned& result) const {
        result.elevation = Field<float>(elevation.grid());
        const Change change = parallel_reduce(
            0, elevation.size(), kCellsPerTask, Change{},
            [&](std::int64_t first, std::int64_t last) {
                // Sums of every fourth cell, so that no addition waits for the one before.
                std::array<Change, 4> parts;
                for (std::int64_t cell = first; cell < last; ++cell) {
                    const float before = elevation[cell];
                    // Levels of kDrained, which stands for kNoBasin too, are -inf.
                    const float after =
                        std::max(before, levels[at(std::max(basins.of_cell[at(cell)], kDrained))]);
                    result.elevation[cell] = after;
                    const bool is_raised = after > before;
                    Change& part = parts[at(cell & 3)];
                    part.cells += is_raised ? 1 : 0;
                    part.height += is_raised ? static_cast<double>(after) - static_cast<double>(before) : 0.0;
                }
                return sum_of(sum_of(parts[0], parts[1]), sum_of(parts[2], parts[3]));
            },
            sum_of);
        result.changed_cells = change.cells;
        result.added_volume = change.height * elevation.grid().cell_area();
    }

    const Lattice& lattice_;
    const Field<std::uint8_t>& roots_;
    Progress& progress_;
    std::array<std::int32_t, 8> steps_;
};

}  // namespace

void ConditioningParameters::declare(Declaration<ConditioningParameters>& d) {
    d.choice(
        "depressions", &ConditioningParameters::depressions,
        {{"breach", Depressions::Breach, "A breach is carved over the lowest saddle of its rim."},
         {"fill", Depressions::Fill, "The ground is raised to the rim."},
         {"none", Depressions::None, "Its pit is an outlet, where water ends."},
         {"lakes", Depressions::Lakes, "It holds a lake, as full as runoff makes it, and the ground stays."},
         {"least_cost", Depressions::LeastCost,
          "A breach is carved along the path that takes the least digging."}},
        {.label = "Depressions",
         .group = "Depressions",
         .unit = "",
         .sentence = "How water leaves a depression: breach carves its lowest path out, fill raises it to "
                     "its rim, none lets it end there, lakes fills it with the runoff and leaves the ground, "
                     "least_cost carves the way that takes the least digging.",
         .source = "Cordonnier et al. 2019 (breach), Barnes et al. 2014 (fill), 2021 (lakes), Lindsay 2016 "
                   "(least_cost)"});
    d.number("breach_depth", &ConditioningParameters::breach_depth,
             {.label = "Deepest breach",
              .group = "Depressions",
              .unit = "m",
              .sentence = "Depressions whose breach would cut deeper are filled instead.",
              .minimum = 0.0,
              .usual = {1.0, 1000.0, SliderScale::Logarithmic},
              .infinity_allowed = true,
              .is_advanced = true,
              .enabled_when = {equals("depressions", {"breach", "least_cost"})}});
    d.number("breach_length", &ConditioningParameters::breach_length,
             {.label = "Longest breach",
              .group = "Depressions",
              .unit = "m",
              .sentence = "Depressions whose breach would run further are filled instead.",
              .minimum = 0.0,
              .usual = {10.0, 1e5, SliderScale::Logarithmic},
              .infinity_allowed = true,
              .is_advanced = true,
              .enabled_when = {equals("depressions", {"breach", "least_cost"})}});
    d.boolean(
        "fill_gradient", &ConditioningParameters::fill_gradient,
        {.label = "Slope of filled ground",
         .group = "Depressions",
         .unit = "",
         .sentence = "Whether filled ground rises away from its outlet by the least step, or lies level.",
         .source = "Barnes et al. 2014",
         .is_advanced = true,
         .enabled_when = {equals("depressions", {"breach", "fill", "least_cost"})}});
}

Conditioned condition(const Field<float>& elevation, const Lattice& lattice, const FlowBoundary& boundary,
                      const ConditioningParameters& parameters, Progress& progress) {
    Conditioner conditioner(lattice, boundary.roots, progress);
    const auto fill = [&](const Field<float>& terrain) {
        return parameters.fill_gradient ? conditioner.fill_with_gradient(terrain) : conditioner.fill(terrain);
    };
    if (parameters.depressions == Depressions::None) return conditioner.leave(elevation);
    if (parameters.depressions == Depressions::Fill) return fill(elevation);
    if (parameters.depressions == Depressions::Lakes)
        return conditioner.fill_lakes(elevation, boundary.water);
    if (parameters.depressions == Depressions::LeastCost)
        return conditioner.breach_cheaply(elevation, parameters);
    if (std::isinf(parameters.breach_depth) && std::isinf(parameters.breach_length))
        return conditioner.breach(elevation);
    const Conditioned breached = conditioner.breach_within(elevation, parameters);
    Conditioned result = fill(breached.elevation);
    result.pits = breached.pits;
    result.changed_cells += breached.changed_cells;
    result.removed_volume = breached.removed_volume;
    return result;
}

}  // namespace thalweg
