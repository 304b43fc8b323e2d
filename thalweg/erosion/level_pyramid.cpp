#include "thalweg/erosion/level_pyramid.hpp"

#include <algorithm>

namespace thalweg {
namespace {

int longer_side(const Grid& grid) {
    return std::max(grid.columns, grid.rows);
}

}  // namespace

LevelPyramid::LevelPyramid(const ErosionInputs& inputs, const ErosionParameters& parameters,
                           std::uint64_t seed)
    : inputs_(inputs), parameters_(parameters), seed_(seed) {
    grids_.push_back(inputs.grid);
    boundaries_.push_back(inputs.boundary);
    while (parameters.method == ErosionMethod::Analytical && longer_side(grids_.back()) > kCoarsestSide) {
        grids_.push_back(grids_.back().coarser());
        boundaries_.push_back(coarsen_boundary(boundaries_.back()));
    }
}

bool LevelPyramid::is_thorough(std::size_t index) const {
    return longer_side(grids_[index]) <= kThoroughSide;
}

std::size_t LevelPyramid::key_level() const {
    std::size_t index = 0;
    while (!is_thorough(index)) ++index;
    return index;
}

std::shared_ptr<const ErosionLevel> LevelPyramid::level(std::size_t index, Progress& progress) const {
    return std::make_shared<const ErosionLevel>(
        make_erosion_level(inputs_, grids_[index], boundaries_[index], parameters_, seed_, progress));
}

}  // namespace thalweg
