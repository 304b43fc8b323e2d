#include "thalweg/particles/simulation/standing_water.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/depression_hierarchy.hpp"
#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/depressions/shore.hpp"
#include "thalweg/flow/fill_spill_merge.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerLevel = 1 << 15;

/// Of a whole number for each cell.
template <class Number>
std::int64_t sum_of_cells(std::int64_t cells, const Number& number) {
    return parallel_reduce(
        0, cells, kCellsPerLevel, std::int64_t{0},
        [&](std::int64_t first, std::int64_t last) {
            std::int64_t sum = 0;
            for (std::int64_t cell = first; cell < last; ++cell) sum += number(cell);
            return sum;
        },
        std::plus<>{});
}

/// Whether water that comes to a basin leaves the domain in the end.
class DrainedBasins {
  public:
    DrainedBasins(const DepressionHierarchy& hierarchy, const Lakes& lakes)
        : is_drained_(lakes.standing_over.size(), 0) {
        // Each lake that spills passes on to a basin: follow them until one keeps its water.
        const auto next_of = [&](std::int32_t basin) {
            const std::int32_t depression = lakes.standing_over[at(basin)];
            const bool does_spill = depression != kNoDepression && lakes.is_full[at(depression)] != 0;
            return does_spill ? hierarchy.depressions[at(depression)].spills_into : basin;
        };
        std::vector<std::int32_t> path;
        std::vector<std::uint8_t> is_known(is_drained_.size(), 0);
        is_known[kDrained] = is_drained_[kDrained] = 1;
        for (std::int32_t first = 1; first < std::ssize(is_drained_); ++first) {
            path.clear();
            std::int32_t basin = first;
            for (; is_known[at(basin)] == 0; basin = next_of(basin)) {
                is_known[at(basin)] = 1;
                path.push_back(basin);
            }
            for (const std::int32_t on_path : path) is_drained_[at(on_path)] = is_drained_[at(basin)];
        }
    }

    [[nodiscard]] bool holds(std::int32_t basin) const { return is_drained_[at(basin)] != 0; }

  private:
    std::vector<std::uint8_t> is_drained_;  // per basin
};

/// m of water.
float depth_of(std::int64_t units) {
    return static_cast<float>(static_cast<double>(units) * kElevationUnit);
}

/// Of so many m of water, which are counted as floats are.
std::int64_t units_of(double depth) {
    return std::llround(static_cast<double>(static_cast<float>(depth)) / kElevationUnit);
}

/// The water that runs down to each basin, m^3.
std::vector<double> gather(const Basins& basins, const UnitField& water, bool is_full,
                           const Progress& progress) {
    if (is_full) return std::vector<double>(at(basins.count()), std::numeric_limits<double>::infinity());
    std::vector<double> volumes(at(basins.count()), 0.0);
    for (std::int64_t cell = 0; cell < water.size(); ++cell) {
        if (cell % kCellsPerLevel == 0) progress.poll();
        const std::int32_t basin = basins.of_cell[at(cell)];
        if (basin != kNoBasin) volumes[at(basin)] += static_cast<double>(depth_of(water[cell]));
    }
    for (double& volume : volumes) volume *= water.grid().cell_area();
    return volumes;
}

/// Lakes by number, and where they spill; the water of their cells in units.
void flood(const Lakes& found, const Field<float>& elevation, const DepressionHierarchy& hierarchy,
           const Basins& basins, LevelledWater& result) {
    result.lakes.clear();
    for (const Lake& lake : found.lakes) {
        ParticleLake listed{.level = static_cast<float>(lake.level)};
        if (lake.outlet >= 0) listed.sill = hierarchy.depressions[at(lake.depression)].sill(elevation);
        result.lakes.push_back(listed);
    }
    const std::vector<std::int32_t> lake_over = lakes_over_basins(found);
    parallel_for(0, result.lake.size(), kCellsPerLevel, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const std::int32_t basin = basins.of_cell[at(cell)];
            const std::int32_t lake = basin <= kDrained ? -1 : lake_over[at(basin)];
            const double depth =
                lake < 0 ? 0.0 : found.lakes[at(lake)].level - static_cast<double>(elevation[cell]);
            const bool is_wet = depth > 0.0;
            result.lake[cell] = is_wet ? lake + 1 : 0;
            result.water.set(cell, is_wet ? units_of(depth) : 0);
        }
    });
}

/// Gives what is missing of the water of before to the first lake.
void count_water(const Lakes& found, std::int64_t before, LevelledWater& result) {
    const std::int64_t held =
        sum_of_cells(result.water.size(), [&](std::int64_t cell) { return result.water[cell]; });
    const double unit = kElevationUnit * result.water.grid().cell_area();  // m^3
    result.outflow =
        std::min<std::int64_t>(std::llround(found.outflow / unit), before - std::min(before, held));
    const std::int64_t rest = before - held - result.outflow;
    if (found.lakes.empty())
        result.outflow += rest;
    else
        result.water.add(found.lakes.front().pit, rest);
}

}  // namespace

GroundDrainage drain_ground(Field<float> elevation, const Field<std::uint8_t>& roots, Progress& progress) {
    GroundDrainage drainage;
    drainage.elevation = std::move(elevation);
    const Grid& grid = drainage.elevation.grid();
    const Lattice lattice = eight_neighbours(grid);
    drainage.direction = steepest_directions(drainage.elevation, lattice, roots);
    resolve_flats(drainage.elevation, lattice, drainage.direction, progress);
    drainage.basins = find_basins(grid, drainage.direction, progress);
    drainage.spills = find_spills(drainage.elevation, lattice, drainage.basins, progress);
    return drainage;
}

std::vector<std::uint8_t> directions_over_filled(GroundDrainage drainage) {
    const Field<float>& elevation = drainage.elevation;
    const std::vector<float> levels = full_levels(drainage.spills);
    Field<float> filled(elevation.grid());
    parallel_for(0, filled.size(), kCellsPerLevel, [&](std::int64_t first, std::int64_t last) {
        // Levels of kDrained, which stands for kNoBasin too, are -inf.
        for (std::int64_t cell = first; cell < last; ++cell)
            filled[cell] =
                std::max(elevation[cell], levels[at(std::max(drainage.basins.of_cell[at(cell)], kDrained))]);
    });
    turn_breach_paths(elevation.grid(), drainage.spills, drainage.basins, drainage.direction);
    direct_on_shores(eight_neighbours(elevation.grid()), elevation, filled, drainage.direction);
    return std::move(drainage.direction);
}

LevelledWater level_water(const GroundDrainage& drainage, UnitField water, Field<std::int32_t> lake,
                          bool is_full, Progress& progress) {
    const Field<float>& elevation = drainage.elevation;
    const Basins& basins = drainage.basins;
    const DepressionHierarchy hierarchy =
        find_depressions(elevation, eight_neighbours(elevation.grid()), basins, drainage.spills, progress);
    const Lakes found =
        fill_basins(elevation, basins, hierarchy, gather(basins, water, is_full, progress), progress);

    const std::int64_t before = sum_of_cells(water.size(), [&](std::int64_t cell) { return water[cell]; });
    LevelledWater result{.water = std::move(water), .lake = std::move(lake), .lakes = {}};
    flood(found, elevation, hierarchy, basins, result);
    if (!is_full) count_water(found, before, result);
    const DrainedBasins drained(hierarchy, found);
    const auto basin_of = [&](std::int64_t cell) { return basins.of_cell[at(cell)]; };
    const std::int64_t cells = elevation.size();
    result.cells = sum_of_cells(cells, [&](std::int64_t cell) { return basin_of(cell) == kNoBasin ? 0 : 1; });
    result.drained_cells = sum_of_cells(cells, [&](std::int64_t cell) {
        return basin_of(cell) != kNoBasin && drained.holds(basin_of(cell)) ? 1 : 0;
    });
    return result;
}

}  // namespace thalweg
