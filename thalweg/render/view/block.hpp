// Block: a piece of terrain cut out of the land, as it is seen in a view.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/render/view/vector3.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Terrain as vertices in view metres: x and y from the middle of the terrain, z exaggerated elevation. A
/// quad between four vertices with data is solid; where solid meets what is not, an upright wall goes down to
/// `base`.
struct Block {
    Field<float> surface;             // z of the vertices: the cells' centres; no data outside
    float base = 0.0F;                // z of the underside
    std::vector<std::uint8_t> solid;  // per quad, row-major, (columns - 1) x (rows - 1)

    [[nodiscard]] int quad_columns() const { return surface.columns() - 1; }
    [[nodiscard]] int quad_rows() const { return surface.rows() - 1; }
    [[nodiscard]] bool is_solid(int column, int row) const {
        return column >= 0 && row >= 0 && column < quad_columns() && row < quad_rows() &&
               solid[static_cast<std::size_t>(row) * quad_columns() + static_cast<std::size_t>(column)] != 0;
    }
    [[nodiscard]] Vector3 vertex(int column, int row) const;

    /// Fractional column and row of a place; 0 is the first vertex.
    [[nodiscard]] float column_at(float x) const {
        return x / static_cast<float>(surface.grid().cell_size) +
               0.5F * static_cast<float>(surface.columns() - 1);
    }
    [[nodiscard]] float row_at(float y) const {
        return 0.5F * static_cast<float>(surface.rows() - 1) -
               y / static_cast<float>(surface.grid().cell_size);
    }
};

/// Upper edge of a piece of wall, from left to right as seen from outside.
struct WallEdge {
    Vector3 left;
    Vector3 right;
};

/// A block over `surface` [view metres, NaN outside]. Throws Error::input when it has no solid quad.
Block make_block(Field<float> surface, float base);

/// All walls, row by row.
std::vector<WallEdge> wall_edges(const Block& block);

}  // namespace thalweg
