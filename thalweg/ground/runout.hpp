// Debris and snow that fall from steep ground and come to rest below.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Where what runs out comes to rest.
struct RestingSlopes {
    float gentle = 0.0F;  // m/m, at which and below all rests within `length`
    float steep = 0.0F;   // m/m, at which and above nothing does
    float length = 1.0F;  // m, in which on gentle ground all but 1/e rests
};

/// The ways down a terrain, for several loads.
class Runout {
  public:
    /// elevation: m, NaN is no data; must outlive this. O(cells), 6 bytes a cell, serial but for a part.
    Runout(const Field<float>& elevation, Progress& progress);

    /// Takes what lies on each cell of `load` (m) down to all lower neighbours of 8, in proportion to slope,
    /// and leaves in its place what comes to rest, m:
    ///
    ///   rests = q (1 - e^(-r c)),  r = (1 - step(S)) / length
    ///
    /// of what passes a cell, q, on the way c across it; step rises smoothly from 0 at `gentle` to 1 at
    /// `steep`. Less than 1 mm stays where it comes. Cells without a lower neighbour keep all; at the edge of
    /// the data it leaves. slope: m/m.
    /// O(cells); serial; polls `progress`.
    void take_down(Field<float>& load, const Field<float>& slope, const RestingSlopes& rest,
                   Progress& progress) const;

  private:
    [[nodiscard]] bool is_at_edge(std::int32_t cell) const;

    const Field<float>& elevation_;
    Field<std::uint8_t> lower_;        // bit d: the neighbour in direction d is lower
    std::vector<std::int32_t> order_;  // cells with data, every one before its lower neighbours
};

}  // namespace thalweg
