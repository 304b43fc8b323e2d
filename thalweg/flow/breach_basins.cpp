#include "thalweg/flow/breach_basins.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/flats.hpp"
#include "thalweg/flow/spill_tree.hpp"

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 15;

}  // namespace

std::vector<std::int32_t> breach_basins(const Field<float>& elevation, const Lattice& lattice,
                                        std::vector<std::uint8_t>& direction, Progress& progress) {
    const std::vector<std::uint8_t> before = direction;
    resolve_flats(elevation, lattice, direction, progress);
    const Basins basins = find_basins(lattice.grid, direction, progress);
    turn_ways_out(lattice.grid, find_spills(elevation, lattice, basins, progress), basins, direction);
    return parallel_gather<std::int32_t>(0, static_cast<std::int64_t>(direction.size()), kCellsPerTask,
                                         [&](std::int64_t cell, std::vector<std::int32_t>& turned) {
                                             if (direction[at(cell)] != before[at(cell)])
                                                 turned.push_back(static_cast<std::int32_t>(cell));
                                         });
}

}  // namespace thalweg
