#include "thalweg/flow/depressions/breach_basins.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/sparse_loops.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/spill_tree.hpp"

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 15;

/// The cells whose direction is not what it was, in their order.
std::vector<std::int32_t> changed(const std::vector<std::uint8_t>& before,
                                  const std::vector<std::uint8_t>& after) {
    return parallel_concat<std::int32_t>(
        0, static_cast<std::int64_t>(after.size()), kCellsPerTask,
        [was = before.data(), is = after.data()](std::int64_t first, std::int64_t last) {
            std::vector<std::int32_t> cells;
            for_each_where(
                first, last, [=](std::int64_t cell) { return was[cell] != is[cell]; },
                [&](std::int64_t cell) { cells.push_back(static_cast<std::int32_t>(cell)); });
            return cells;
        });
}

}  // namespace

std::vector<std::int32_t> breach_basins(const Field<float>& elevation, const Lattice& lattice,
                                        std::vector<std::uint8_t>& direction, Progress& progress) {
    const std::vector<std::uint8_t> before = direction;
    resolve_flats(elevation, lattice, direction, progress);
    const Basins basins = find_basins(lattice.grid, direction, progress);
    turn_breach_paths(lattice.grid, find_spills(elevation, lattice, basins, progress), basins, direction);
    return changed(before, direction);
}

}  // namespace thalweg
