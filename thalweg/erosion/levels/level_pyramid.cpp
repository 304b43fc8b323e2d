#include "thalweg/erosion/levels/level_pyramid.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace thalweg {
namespace {

// The network that all sizes begin with settles on the coarsest level of a mesh for next to nothing: in how
// many times coarse_iterations; and as how many networks all those before count there in the mean area: the
// first ones are worse (both empirical).
constexpr int kCoarsestTimes = 12;
constexpr int kCoarsestAveraged = 3;

int longer_side(const Grid& grid) {
    return std::max(grid.columns, grid.rows);
}

}  // namespace

LevelPyramid::LevelPyramid(const ErosionProblem& problem, bool keeps_levels)
    : problem_(problem), keeps_levels_(keeps_levels), raster_parameters_(problem.parameters) {
    grids_.push_back(problem.inputs.grid);
    boundaries_.push_back(problem.inputs.boundary);
    const ErosionParameters& parameters = problem.parameters;
    const bool refines =
        parameters.method == ErosionMethod::Analytical && parameters.network == NetworkSource::Free;
    ends_on_raster_ = refines && parameters.lattice == ErosionLattice::Mesh;
    if (ends_on_raster_) {
        raster_parameters_.lattice = ErosionLattice::EightNeighbours;
        grids_.push_back(grids_.back());
        boundaries_.push_back(boundaries_.back());
    }
    while (refines && longer_side(grids_.back()) > kCoarsestSide) {
        grids_.push_back(grids_.back().coarser());
        boundaries_.push_back(coarsen_boundary(boundaries_.back()));
    }
    kept_.resize(grids_.size());
}

bool LevelPyramid::is_thorough(std::size_t index) const {
    return longer_side(grids_[index]) <= kThoroughSide;
}

std::size_t LevelPyramid::key_level() const {
    std::size_t index = ends_on_raster_ ? 1 : 0;
    const bool at_full_size = problem_.parameters.time_definition == TimeDefinition::FullResolution;
    while (!at_full_size && !is_thorough(index)) ++index;
    return index;
}

int LevelPyramid::iterations_on(std::size_t index) const {
    const ErosionParameters& parameters = problem_.parameters;
    if (parameters.network == NetworkSource::Terrain) return 1;
    if (parameters.method == ErosionMethod::FixedPoint) return parameters.fixed_point_iterations;
    if (index == 0 && ends_on_raster_) return parameters.last_iterations;
    if (begins_a_mesh(index)) return kCoarsestTimes * parameters.coarse_iterations;
    if (is_thorough(index)) return parameters.coarse_iterations;
    return index == 0 ? parameters.last_iterations : parameters.fine_iterations;
}

int LevelPyramid::averaged_on(std::size_t index, int iteration) const {
    if (problem_.parameters.method == ErosionMethod::FixedPoint) return 0;
    return begins_a_mesh(index) ? std::min(iteration, kCoarsestAveraged) : iteration;
}

bool LevelPyramid::begins_a_mesh(std::size_t index) const {
    return index + 1 == count() && problem_.parameters.lattice == ErosionLattice::Mesh;
}

std::string LevelPyramid::phrase_on(std::size_t index) const {
    return fmt::format("eroding at {} x {} cells", grids_[index].columns, grids_[index].rows);
}

std::shared_ptr<const ErosionLevel> LevelPyramid::level(std::size_t index, Progress& progress) {
    if (kept_[index]) return kept_[index];
    auto level = std::make_shared<const ErosionLevel>(make_erosion_level(
        problem_.inputs, grids_[index], boundaries_[index],
        index == 0 && ends_on_raster_ ? raster_parameters_ : problem_.parameters, problem_.seed, progress));
    if (keeps_levels_) kept_[index] = level;
    return level;
}

}  // namespace thalweg
