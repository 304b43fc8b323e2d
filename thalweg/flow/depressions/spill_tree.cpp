#include "thalweg/flow/spill_tree.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/depressions/basin_links.hpp"
#include "thalweg/flow/depressions/spanning_forest.hpp"
#include "thalweg/flow/directions.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kBasinsPerTask = 1 << 11;

/// Calls body(basin) for every basin from `first` up to `end`, at the same time.
template <class Body>
void for_basins(std::int64_t first, std::int64_t end, const Body& body) {
    parallel_for(first, end, kBasinsPerTask, [&](std::int64_t begin, std::int64_t last) {
        for (std::int64_t basin = begin; basin < last; ++basin) body(at(basin));
    });
}

}  // namespace

SpillTree find_spills(const Field<float>& elevation, const Lattice& lattice, const Basins& basins,
                      Progress& progress) {
    const std::vector<BasinLink> forest =
        spanning_forest(find_basin_links(elevation, lattice, basins, progress), basins.count(), progress);
    progress.poll();
    std::vector<float> pit_elevation(basins.pits.size());
    for_basins(1, basins.count(),
               [&](std::size_t basin) { pit_elevation[basin - 1] = elevation[basins.pits[basin - 1]]; });
    RootedForest rooted = root_forest(forest, pit_elevation);
    SpillTree tree;
    tree.order = std::move(rooted.order);
    tree.closed_components = rooted.closed_components;
    tree.spills.resize(rooted.links.size());
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    for_basins(0, basins.count(), [&](std::size_t basin) {
        const SpillLink& path = rooted.links[basin];
        if (path.link < 0) return;
        const BasinLink& link = forest[at(path.link)];
        std::int32_t from = static_cast<std::int32_t>(link.key.cell());
        std::int32_t to = from + steps[link.key.direction()];
        if (at(link.a) != basin) std::swap(from, to);
        tree.spills[basin] = {path.into, from, to, std::max(elevation[from], elevation[to])};
    });
    return tree;
}

std::vector<float> full_levels(const SpillTree& tree) {
    std::vector<float> levels(tree.spills.size(), -std::numeric_limits<float>::infinity());
    for (const std::int32_t basin : tree.order) {
        const Spill& spill = tree.spills[at(basin)];
        if (spill.into != kNoBasin) levels[at(basin)] = std::max(spill.saddle, levels[at(spill.into)]);
    }
    return levels;
}

void turn_breach_path(const Grid& grid, const Spill& spill, std::int32_t pit,
                      std::vector<std::uint8_t>& direction) {
    const std::array<std::int32_t, 8> steps = eight_neighbours(grid).index_steps();
    std::int32_t cell = spill.from;
    std::uint8_t onwards = direction_between(grid, cell, spill.to);
    for (;;) {
        const std::uint8_t downhill = direction[at(cell)];
        direction[at(cell)] = onwards;
        if (cell == pit) return;
        cell += steps[downhill];
        onwards = static_cast<std::uint8_t>(opposite(downhill));
    }
}

void turn_breach_paths(const Grid& grid, const SpillTree& tree, const Basins& basins,
                       std::vector<std::uint8_t>& direction) {
    // No way leaves its basin: none meets another.
    for_basins(1, basins.count(), [&](std::size_t basin) {
        const Spill& spill = tree.spills[basin];
        const std::int32_t pit = basins.pits[basin - 1];
        if (spill.into == kNoBasin) {
            direction[at(pit)] = kRoot;
        } else {
            turn_breach_path(grid, spill, pit, direction);
        }
    });
}

}  // namespace thalweg
