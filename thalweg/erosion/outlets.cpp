#include "thalweg/erosion/outlets.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/directions.hpp"

#include <algorithm>
#include <vector>

namespace thalweg {

void share_outlet_celerity(const Field<std::uint8_t>& roots, std::span<float> celerity) {
    const Grid& grid = roots.grid();
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
            for (std::size_t d = 0; d < 8; ++d) {
                const int column = grid.column_of(cell) + kColumnStep[d];
                const int row = grid.row_of(cell) + kRowStep[d];
                if (!grid.contains(column, row)) continue;
                const std::int64_t other = grid.index(column, row);
                if (roots[other] == 0 || seen[at(other)] != 0) continue;
                seen[at(other)] = 1;
                outlet.push_back(other);
            }
        }
        for (const std::int64_t cell : outlet) celerity[at(cell)] = largest;
    }
}

}  // namespace thalweg
