#include "thalweg/erosion/network/outlets.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/graph/linked_cells.hpp"

#include <algorithm>
#include <vector>

namespace thalweg {

void share_outlet_celerity(const Field<std::uint8_t>& roots, std::span<float> celerity) {
    const Lattice lattice = eight_neighbours(roots.grid());
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    std::vector<std::uint8_t> seen(celerity.size(), 0);
    std::vector<std::int64_t> outlet;
    for (std::int64_t first = 0; first < roots.size(); ++first) {
        if (roots[first] == 0 || seen[at(first)] != 0) continue;
        outlet.assign(1, first);
        seen[at(first)] = 1;
        float largest = 0.0F;
        for (std::size_t i = 0; i < outlet.size(); ++i) {
            const std::int64_t cell = outlet[i];
            largest = std::max(largest, celerity[at(cell)]);
            for_each_linked(lattice, steps, cell, [&](std::int64_t other, int) {
                if (roots[other] == 0 || seen[at(other)] != 0) return;
                seen[at(other)] = 1;
                outlet.push_back(other);
            });
        }
        for (const std::int64_t cell : outlet) celerity[at(cell)] = largest;
    }
}

}  // namespace thalweg
