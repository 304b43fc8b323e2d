#include "thalweg/grid/curvature.hpp"

#include "thalweg/grid/rows.hpp"

#include <array>
#include <cmath>

namespace thalweg {
namespace {

/// Derivatives of the quadratic through 9 cells.
struct Derivatives {
    double p = 0.0, q = 0.0;           // m/m, to the east and to the north
    double r = 0.0, s = 0.0, t = 0.0;  // 1/m, of the east twice, of both, of the north twice
};

/// `z`: m, by rows from the north-west.
Derivatives derivatives(const std::array<double, 9>& z, double cell_size) {
    const double area = cell_size * cell_size;
    Derivatives d;
    d.p = (z[2] + z[5] + z[8] - z[0] - z[3] - z[6]) / (6.0 * cell_size);
    d.q = (z[0] + z[1] + z[2] - z[6] - z[7] - z[8]) / (6.0 * cell_size);
    d.r = (z[0] + z[2] + z[3] + z[5] + z[6] + z[8] - 2.0 * (z[1] + z[4] + z[7])) / (3.0 * area);
    d.t = (z[0] + z[1] + z[2] + z[6] + z[7] + z[8] - 2.0 * (z[3] + z[4] + z[5])) / (3.0 * area);
    d.s = (z[2] + z[6] - z[0] - z[8]) / (4.0 * area);
    return d;
}

void set_curvature(const Derivatives& d, int column, int row, Curvature& result) {
    const double steepness = d.p * d.p + d.q * d.q, cross = 2.0 * d.p * d.q * d.s;
    result.laplacian(column, row) = static_cast<float>(d.r + d.t);
    result.profile(column, row) = result.tangential(column, row) = 0.0F;
    if (!(steepness > 0.0)) return;
    const double root = std::sqrt(1.0 + steepness);
    const double along = d.p * d.p * d.r + cross + d.q * d.q * d.t;
    const double across = d.q * d.q * d.r - cross + d.p * d.p * d.t;
    result.profile(column, row) = static_cast<float>(-along / (steepness * root * (1.0 + steepness)));
    result.tangential(column, row) = static_cast<float>(-across / (steepness * root));
}

}  // namespace

Curvature curvature(const Field<float>& elevation) {
    const Grid& grid = elevation.grid();
    const Field<float> empty(grid, kNoData);
    Curvature result{.laplacian = empty, .profile = empty, .tangential = empty};
    for_each_row(grid, [&](int row) {
        if (row == 0 || row + 1 == grid.rows) return;
        for (int column = 1; column + 1 < grid.columns; ++column) {
            // About the middle, so that heights of the sea and of the Himalaya are as exact.
            std::array<double, 9> z{};
            bool is_whole = true;
            for (int i = 0; i < 9; ++i) {
                const float height = elevation(column - 1 + i % 3, row - 1 + i / 3);
                is_whole = is_whole && !is_no_data(height);
                z[static_cast<std::size_t>(i)] =
                    static_cast<double>(height) - static_cast<double>(elevation(column, row));
            }
            if (is_whole) set_curvature(derivatives(z, grid.cell_size), column, row, result);
        }
    });
    return result;
}

}  // namespace thalweg
