// The levels of an erosion problem, from the grid of its result to the coarsest.
#pragma once

#include "thalweg/erosion/levels/erosion_level.hpp"

#include <memory>
#include <string>
#include <vector>

namespace thalweg {

/// Cells along the longer side up to which a level is small: it gets coarse_iterations, and the keys of
/// TimeDefinition::Multilevel are on the largest of them.
inline constexpr int kThoroughSide = 256;

/// Grids and boundary masks of every level, finest first, and the levels made of them. Halves the grid until
/// its longer side has at most kCoarsestSide cells; a baseline and a network that is kept have one level.
/// Levels of a mesh end on the raster that is returned, of the finest mesh's size: its cells and their 8
/// neighbours, so that it obeys the law as others route it.
class LevelPyramid {
  public:
    /// What `problem` refers to must outlive it. With `keeps_levels` each level is made once.
    explicit LevelPyramid(const ErosionProblem& problem, bool keeps_levels = false);

    [[nodiscard]] std::size_t count() const { return grids_.size(); }
    [[nodiscard]] const Grid& grid(std::size_t index) const { return grids_[index]; }
    [[nodiscard]] bool is_thorough(std::size_t index) const;

    /// Whether level 0 is the raster after a mesh of its size.
    [[nodiscard]] bool ends_on_raster() const { return ends_on_raster_; }

    /// The level that checkpoint times are on: the finest, a mesh where there is one; for
    /// TimeDefinition::Multilevel of up to kThoroughSide cells.
    [[nodiscard]] std::size_t key_level() const;

    /// How often network and terrain are found in turns there.
    [[nodiscard]] int iterations_on(std::size_t index) const;

    /// As how many networks all those before count in the mean area of an iteration there.
    [[nodiscard]] int averaged_on(std::size_t index, int iteration) const;

    /// What progress says of work there.
    [[nodiscard]] std::string phrase_on(std::size_t index) const;

    /// Throws as make_erosion_level.
    [[nodiscard]] std::shared_ptr<const ErosionLevel> level(std::size_t index, Progress& progress);

  private:
    [[nodiscard]] bool begins_a_mesh(std::size_t index) const;

    ErosionProblem problem_;
    bool keeps_levels_;
    bool ends_on_raster_;
    ErosionParameters raster_parameters_;  // of level 0, where that is the raster after a mesh
    std::vector<Grid> grids_;
    std::vector<Field<std::uint8_t>> boundaries_;            // of each grid
    std::vector<std::shared_ptr<const ErosionLevel>> kept_;  // of each grid; null: not made yet
};

}  // namespace thalweg
