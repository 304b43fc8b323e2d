#include "thalweg/render/shading/surroundings.hpp"

#include "thalweg/grid/gaussian.hpp"
#include "thalweg/grid/resampling.hpp"

#include <algorithm>

namespace thalweg {

Field<float> mean_around(const Field<float>& field, double share) {
    const Grid& grid = field.grid();
    const Field<float> coarse = half_coarsen(half_coarsen(field));
    const double width =
        std::max(share * std::max(grid.width(), grid.height()), 0.5 * coarse.grid().cell_size);
    const CellRange all{.end_column = coarse.columns(), .end_row = coarse.rows()};
    return resample(gaussian_mean(coarse, width, all), grid);
}

}  // namespace thalweg
