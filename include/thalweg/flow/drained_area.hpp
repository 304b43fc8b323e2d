// Drainage areas of single cells.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// m^2 that drain through cells of a tree, which must outlive it: by the tree's counts where it has no
/// sources, and else held, 8 bytes a cell.
///
/// Example:
///     const DrainedArea area(flow.tree);
///     const double at_outlet = area(0);  // m^2
class DrainedArea {
  public:
    explicit DrainedArea(const FlowTree& tree) : tree_(tree) {
        if (!tree.sources.empty()) area_ = drainage_area(tree);
    }
    [[nodiscard]] double operator()(std::int64_t cell) const {
        return area_.empty() ? tree_.upstream_cells[at(cell)] * tree_.grid.cell_area() : area_[cell];
    }

  private:
    const FlowTree& tree_;
    Field<double> area_;
};

}  // namespace thalweg
