// Where rivers lie on a view's surface.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/render/image.hpp"
#include "thalweg/river/network.hpp"

namespace thalweg {

/// Shares of a place that are water and that are river bank, 0 to 1.
struct RiverCover {
    float water = 0.0F;
    float bank = 0.0F;
};

/// River water and banks, drawn antialiased on a grid twice as fine as the view's.
class RiverPaint {
  public:
    /// Nothing anywhere.
    RiverPaint() = default;

    /// The rivers over `grid` [m]: widths grow with the root of bankfull discharge up to a share of the
    /// grid's longer side, so that they can be seen.
    RiverPaint(const RiverNetwork& rivers, const Grid& grid);

    /// Cover at a fractional column and row of the view's grid.
    [[nodiscard]] RiverCover at(float column, float row) const;

  private:
    Image paint_;  // banks in red, water in blue
};

}  // namespace thalweg
