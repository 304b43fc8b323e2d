// Rivers of a coarser level as a prior for the drainage area of the next finer one.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <span>
#include <vector>

namespace thalweg {

/// A cell of a coarser level that guides its children.
struct CoarseRiver {
    int column;
    int row;
    float area;  // m^2
};
using CoarseRivers = std::vector<CoarseRiver>;

/// The cells of `grid` that drain more than 1e5 m^2, by rows. area, m^2: per cell.
CoarseRivers rivers_of(const std::vector<float>& area, const Grid& grid);

/// Scales the area, m^2, of the four children of every river cell of the coarser level towards the area found
/// there, by a factor of at most 2. `area` is on the cells of `fine`, the grid of twice the resolution. Same
/// bits on any number of threads.
void apply_area_prior(const CoarseRivers& rivers, const Grid& fine, std::span<float> area);

}  // namespace thalweg
