// Slopes along rivers.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cmath>
#include <cstdint>

namespace thalweg {

/// Elevation along the rivers, and how far it is from cell to cell.
class RiverSlopes {
  public:
    RiverSlopes(const Field<float>& elevation, const FlowTree& tree) : elevation_(elevation), tree_(tree) {}

    /// Mean over 500 m downstream, m/m.
    [[nodiscard]] double downstream(std::int32_t cell) const {
        constexpr double kSlopeReach = 500.0;  // m (empirical)
        double way = 0.0;
        std::int32_t end = cell;
        while (way < kSlopeReach) {
            const std::int32_t next = tree_.receiver(end);
            if (next < 0) break;
            way += length(end);
            end = next;
        }
        return way > 0.0 ? drop(cell, end) / way : 0.0;
    }

    /// From one cell to another, m; 0 where there is no other.
    [[nodiscard]] double drop(std::int32_t cell, std::int32_t below) const {
        return below < 0 ? 0.0
                         : static_cast<double>(elevation_[cell]) - static_cast<double>(elevation_[below]);
    }

    /// To the receiver, m.
    [[nodiscard]] double length(std::int32_t cell) const {
        return tree_.grid.cell_size * (tree_.direction[at(cell)] % 2 == 0 ? 1.0 : std::sqrt(2.0));
    }

  private:
    const Field<float>& elevation_;
    const FlowTree& tree_;
};

}  // namespace thalweg
