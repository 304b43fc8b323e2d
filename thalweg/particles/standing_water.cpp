#include "thalweg/particles/standing_water.hpp"

#include "thalweg/flow/depression_hierarchy.hpp"
#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/fill_spill_merge.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

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
        std::vector<std::int32_t> way;
        std::vector<std::uint8_t> is_known(is_drained_.size(), 0);
        is_known[kDrained] = is_drained_[kDrained] = 1;
        for (std::int32_t first = 1; first < std::ssize(is_drained_); ++first) {
            way.clear();
            std::int32_t basin = first;
            for (; is_known[at(basin)] == 0; basin = next_of(basin)) {
                is_known[at(basin)] = 1;
                way.push_back(basin);
            }
            for (const std::int32_t on_way : way) is_drained_[at(on_way)] = is_drained_[at(basin)];
        }
    }

    [[nodiscard]] bool holds(std::int32_t basin) const { return is_drained_[at(basin)] != 0; }

  private:
    std::vector<std::uint8_t> is_drained_;  // per basin
};

/// The runoff that lakes fill with, m.
LakeWater runoff_of(const Field<std::int64_t>& water, bool is_full) {
    if (is_full) return {};
    Field<float> depth(water.grid());
    for (std::int64_t cell = 0; cell < water.size(); ++cell)
        depth[cell] = static_cast<float>(static_cast<double>(water[cell]) * kElevationUnit);
    return {.runoff = 0.0, .runoff_of_cell = std::move(depth)};
}

/// Lakes by number, and where they spill.
void list_lakes(const Lakes& found, const Field<float>& elevation, const DepressionHierarchy& hierarchy,
                std::int64_t basins, LevelledWater& result) {
    std::vector<std::int32_t> number(at(basins), 0);
    for (const Lake& lake : found.lakes) {
        ParticleLake listed{.level = static_cast<float>(lake.level)};
        if (lake.outlet >= 0) listed.sill = hierarchy.depressions[at(lake.depression)].sill(elevation);
        result.lakes.push_back(listed);
        number[at(lake.id)] = static_cast<std::int32_t>(result.lakes.size());
    }
    for (std::int64_t cell = 0; cell < result.lake.size(); ++cell)
        result.lake[cell] = number[at(found.lake[cell])];
}

/// Counts the water of lakes in units, and gives what is missing to the first.
void count_water(const Lakes& found, std::int64_t before, bool is_full, LevelledWater& result) {
    std::int64_t held = 0;
    for (std::int64_t cell = 0; cell < result.water.size(); ++cell) {
        if (result.lake[cell] == 0) continue;
        result.water[cell] = std::llround(static_cast<double>(found.water_depth[cell]) / kElevationUnit);
        held += result.water[cell];
    }
    if (is_full) return;
    const double unit = kElevationUnit * result.water.grid().cell_area();  // m^3
    result.outflow =
        std::min<std::int64_t>(std::llround(found.outflow / unit), before - std::min(before, held));
    const std::int64_t rest = before - held - result.outflow;
    if (found.lakes.empty())
        result.outflow += rest;
    else
        result.water[found.lakes.front().pit] += rest;
}

}  // namespace

LevelledWater level_water(const Field<float>& elevation, const Field<std::uint8_t>& roots,
                          const Field<std::int64_t>& water, bool is_full, Progress& progress) {
    const Grid& grid = elevation.grid();
    const Lattice lattice = eight_neighbours(grid);
    std::vector<std::uint8_t> direction = steepest_directions(elevation, lattice, roots);
    resolve_flats(elevation, lattice, direction, progress);
    const Basins basins = find_basins(grid, direction, progress);
    const SpillTree spills = find_spills(elevation, lattice, basins, progress);
    const DepressionHierarchy hierarchy = find_depressions(elevation, lattice, basins, spills, progress);
    const Lakes found = fill_spill_merge(elevation, basins, hierarchy, runoff_of(water, is_full), progress);

    LevelledWater result{.water = Field<std::int64_t>(grid), .lake = Field<std::int32_t>(grid), .lakes = {}};
    list_lakes(found, elevation, hierarchy, basins.count(), result);
    std::int64_t before = 0;
    for (const std::int64_t of_cell : water) before += of_cell;
    count_water(found, before, is_full, result);
    const DrainedBasins drained(hierarchy, found);
    for (const std::int32_t basin : basins.of_cell) {
        if (basin == kNoBasin) continue;
        ++result.cells;
        if (drained.holds(basin)) ++result.drained_cells;
    }
    return result;
}

}  // namespace thalweg
