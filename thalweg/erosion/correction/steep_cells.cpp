#include "thalweg/erosion/correction/steep_cells.hpp"

#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>

namespace thalweg {

void mark_steep_cells(const Lattice& lattice, const Field<float>& elevation, std::int64_t row,
                      const SteepLaw& law, std::span<std::uint8_t> steep) {
    const Grid& grid = lattice.grid;
    std::ranges::fill(steep, std::uint8_t{1});
    const bool in_vectors = row > 0 && row + 1 < grid.rows && grid.columns >= kWidestVector + 2;
    if (!in_vectors) return;
    const std::int64_t first = row * grid.columns + 1;
    SteepLaw here = law;
    if (law.celerity != nullptr) {
        here.uplift += first;
        here.celerity += first;
    }
    const SteepRow inner{.elevation = elevation.data() + first,
                         .offset_x = lattice.displaced() ? lattice.offset_x.data() + first : nullptr,
                         .offset_y = lattice.displaced() ? lattice.offset_y.data() + first : nullptr,
                         .links = lattice.links.empty() ? nullptr : lattice.links.data() + first,
                         .common_links = lattice.common_links,
                         .stride = grid.columns,
                         .count = grid.columns - 2,
                         .cell_size = static_cast<float>(grid.cell_size),
                         .law = here};
    in_lanes([&](auto lanes) { steep_in_lanes<lanes()>(inner, steep.data() + 1); });
}

}  // namespace thalweg
