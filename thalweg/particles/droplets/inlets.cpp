#include "thalweg/particles/droplets/inlets.hpp"

#include "thalweg/particles/particle_state.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {

std::vector<std::int64_t> inlet_cells(const ParticleSpring& spring, const Grid& grid) {
    const double middle_x = grid.column_at(spring.x);
    const double middle_y = grid.row_at(spring.y);
    constexpr double kLeastReach = 1.0;  // cells: a plane goes through them
    const double reach = std::max(spring.radius / grid.cell_size, kLeastReach);
    const auto first = [&](double middle) {
        return std::max(static_cast<int>(std::floor(middle - reach)), 0);
    };
    const auto last = [&](double middle, int count) {
        return std::min(static_cast<int>(std::ceil(middle + reach)), count - 1);
    };
    std::vector<std::int64_t> cells;
    for (int row = first(middle_y); row <= last(middle_y, grid.rows); ++row)
        for (int column = first(middle_x); column <= last(middle_x, grid.columns); ++column)
            if (std::hypot(column - middle_x, row - middle_y) <= reach + 0.5)
                cells.push_back(grid.index(column, row));
    return cells;
}

Vector2 inlet_fall(const Field<std::int32_t>& elevation, const std::vector<std::int64_t>& cells) {
    const Grid& grid = elevation.grid();
    std::vector<std::int64_t> with_data = cells;
    std::erase_if(with_data, [&](std::int64_t cell) { return elevation[cell] == kNoGround; });
    // Take places and heights from their means.
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(with_data.size(), 1));
    double mean_x = 0.0;
    double mean_y = 0.0;
    double mean_z = 0.0;
    for (const std::int64_t cell : with_data) {
        mean_x += share * grid.x(grid.column_of(cell));
        mean_y += share * grid.y(grid.row_of(cell));
        mean_z += share * kElevationUnit * elevation[cell];
    }
    // Solve the normal equations.
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    double xz = 0.0;
    double yz = 0.0;
    for (const std::int64_t cell : with_data) {
        const double x = grid.x(grid.column_of(cell)) - mean_x;
        const double y = grid.y(grid.row_of(cell)) - mean_y;
        const double z = kElevationUnit * elevation[cell] - mean_z;
        xx += x * x;
        xy += x * y;
        yy += y * y;
        xz += x * z;
        yz += y * z;
    }
    constexpr double kLeastSpread = 1e-9;  // of the product of both variances: cells on a line have 0
    const double determinant = xx * yy - xy * xy;
    if (!(determinant > kLeastSpread * xx * yy)) return {};
    return {.x = static_cast<float>((xy * yz - yy * xz) / determinant),
            .y = static_cast<float>((xx * yz - xy * xz) / determinant)};
}

}  // namespace thalweg
