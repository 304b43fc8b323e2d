#include "thalweg/erosion/erosion_inputs.hpp"

#include "thalweg/flow/flow_tree.hpp"

namespace thalweg {

Field<std::uint8_t> root_cells(const Field<float>& elevation, const Field<std::uint8_t>& boundary) {
    if (boundary.empty()) return edge_roots(elevation);
    Field<std::uint8_t> roots(elevation.grid(), 0);
    for (std::int64_t cell = 0; cell < roots.size(); ++cell)
        roots[cell] = boundary[cell] != 0 && !is_no_data(elevation[cell]) ? 1 : 0;
    return roots;
}

}  // namespace thalweg
