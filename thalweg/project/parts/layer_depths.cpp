#include "thalweg/project/parts/layer_depths.hpp"

#include "thalweg/grid/rows.hpp"

#include <algorithm>

namespace thalweg {

Field<float> depth_between(const Field<float>& upper, const Field<float>& lower) {
    Field<float> depth(upper.grid(), kNoData);
    for_each_row(depth.grid(), [&](int row) {
        for (int column = 0; column < depth.columns(); ++column) {
            const float above = upper(column, row);
            const float below = lower(column, row);
            if (!is_no_data(above) && !is_no_data(below)) depth(column, row) = std::max(0.0F, above - below);
        }
    });
    return depth;
}

}  // namespace thalweg
