// Stratigraphy: formations and beds by stratigraphic height.
#pragma once

#include "thalweg/rock/rock_parameters.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// What a surface cuts at one height of the column.
struct Bed {
    double ln_factor = 0.0;      // 1, of formation and beds, averaged
    std::uint8_t formation = 0;  // at the height itself
};

/// A column of formations that repeats itself, with beds within. Not for several threads at once: it
/// remembers the repeat that it was last asked about.
class Stratigraphy {
  public:
    Stratigraphy(const RockParameters& resolved, std::uint64_t seed);

    /// At height `s` [m], averaged over `window` [m]. O(formations + window / bed thickness).
    [[nodiscard]] Bed at(double s, double window);

  private:
    [[nodiscard]] std::uint8_t formation_at(double depth);
    void look_at_repeat(std::int64_t repeat);
    [[nodiscard]] double beds_between(double bottom, double top) const;

    const RockParameters& parameters_;
    std::uint64_t seed_;
    double period_ = 0.0;              // m, thickness of the column
    std::vector<double> ln_factors_;   // of the formations
    std::int64_t repeat_ = INT64_MIN;  // of floors_
    std::vector<double> floors_;       // m, depth of each formation's foot within the repeat
};

}  // namespace thalweg
