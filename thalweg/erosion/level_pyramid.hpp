// The levels of an erosion problem, from the grid of its result to the coarsest.
#pragma once

#include "thalweg/erosion/erosion_level.hpp"

#include <memory>
#include <vector>

namespace thalweg {

/// Cells along the longer side up to which a level is small: it gets coarse_iterations, and the keys of
/// TimeDefinition::Build are on the largest of them.
inline constexpr int kThoroughSide = 256;

/// Grids and boundary masks of every level, finest first, and the levels made of them. Halves the grid until
/// its longer side has at most kCoarsestSide cells; a baseline has one level.
class LevelPyramid {
  public:
    /// `inputs` and `parameters` must outlive it.
    LevelPyramid(const ErosionInputs& inputs, const ErosionParameters& parameters, std::uint64_t seed);

    [[nodiscard]] std::size_t count() const { return grids_.size(); }
    [[nodiscard]] const Grid& grid(std::size_t index) const { return grids_[index]; }
    [[nodiscard]] bool is_thorough(std::size_t index) const;

    /// The finest level of up to kThoroughSide cells.
    [[nodiscard]] std::size_t key_level() const;

    /// Throws as make_erosion_level.
    [[nodiscard]] std::shared_ptr<const ErosionLevel> level(std::size_t index, Progress& progress) const;

  private:
    const ErosionInputs& inputs_;
    const ErosionParameters& parameters_;
    std::uint64_t seed_;
    std::vector<Grid> grids_;
    std::vector<Field<std::uint8_t>> boundaries_;  // of each grid
};

}  // namespace thalweg
