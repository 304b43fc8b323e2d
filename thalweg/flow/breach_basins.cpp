#include "thalweg/flow/breach_basins.hpp"

#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/flats.hpp"
#include "thalweg/flow/spill_tree.hpp"

namespace thalweg {

std::vector<std::int32_t> breach_basins(const Field<float>& elevation, const Lattice& lattice,
                                        std::vector<std::uint8_t>& direction, Progress& progress) {
    const std::vector<std::uint8_t> before = direction;
    resolve_flats(elevation, lattice, direction, progress);
    const Basins basins = find_basins(lattice.grid, direction, progress);
    turn_ways_out(lattice.grid, find_spills(elevation, lattice, basins, progress), basins, direction);
    std::vector<std::int32_t> turned;
    for (std::size_t cell = 0; cell < direction.size(); ++cell)
        if (direction[cell] != before[cell]) turned.push_back(static_cast<std::int32_t>(cell));
    return turned;
}

}  // namespace thalweg
