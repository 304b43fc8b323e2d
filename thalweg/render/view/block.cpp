#include "thalweg/render/view/block.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace thalweg {

Vector3 Block::vertex(int column, int row) const {
    const float cell = static_cast<float>(surface.grid().cell_size);
    return {(static_cast<float>(column) - 0.5F * static_cast<float>(surface.columns() - 1)) * cell,
            (0.5F * static_cast<float>(surface.rows() - 1) - static_cast<float>(row)) * cell,
            surface(column, row)};
}

Block make_block(Field<float> surface, float base) {
    Block block{.surface = std::move(surface), .base = base, .solid = {}};
    const int columns = std::max(0, block.quad_columns());
    const int rows = std::max(0, block.quad_rows());
    block.solid.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    bool any = false;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const bool whole = !is_no_data(block.surface(column, row)) &&
                               !is_no_data(block.surface(column + 1, row)) &&
                               !is_no_data(block.surface(column, row + 1)) &&
                               !is_no_data(block.surface(column + 1, row + 1));
            block.solid[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)] = whole;
            any = any || whole;
        }
    }
    if (!any)
        throw Error::input(fmt::format(
            "elevation of {} x {} cells cannot be viewed: it has no 2 x 2 cells with data, and at "
            "least one such square is needed",
            block.surface.columns(), block.surface.rows()));
    return block;
}

std::vector<WallEdge> wall_edges(const Block& block) {
    std::vector<WallEdge> edges;
    for (int row = 0; row < block.quad_rows(); ++row) {
        for (int column = 0; column < block.quad_columns(); ++column) {
            if (!block.is_solid(column, row)) continue;
            const Vector3 north_west = block.vertex(column, row);
            const Vector3 north_east = block.vertex(column + 1, row);
            const Vector3 south_west = block.vertex(column, row + 1);
            const Vector3 south_east = block.vertex(column + 1, row + 1);
            if (!block.is_solid(column, row - 1)) edges.push_back({north_east, north_west});
            if (!block.is_solid(column + 1, row)) edges.push_back({south_east, north_east});
            if (!block.is_solid(column, row + 1)) edges.push_back({south_west, south_east});
            if (!block.is_solid(column - 1, row)) edges.push_back({north_west, south_west});
        }
    }
    return edges;
}

}  // namespace thalweg
