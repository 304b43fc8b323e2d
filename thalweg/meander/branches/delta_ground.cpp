#include "thalweg/meander/branches/delta_ground.hpp"

#include "thalweg/river/hydraulics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace thalweg {
namespace {

constexpr double kFront = 0.03;       // m/m, slope of the front of a lobe (empirical)
constexpr double kFrontDepth = 20.0;  // m, to which it falls

/// A cell that is lower than the top of a lobe.
struct LowCell {
    std::int64_t cell = 0;
    double distance = 0.0;  // m, from the mouth
    double depth = 0.0;     // m, below the top
};

/// The cells to which a lobe comes.
std::vector<LowCell> low_cells(const DeltaLobe& lobe, const Field<float>& ground) {
    const Grid& grid = ground.grid();
    const auto& [x, y] = lobe.mouth;
    const double reach = lobe.radius + kFrontDepth / kFront;
    const int west = std::max(0, static_cast<int>(std::ceil(grid.column_at(x - reach))));
    const int east = std::min(grid.columns - 1, static_cast<int>(std::floor(grid.column_at(x + reach))));
    const int north = std::max(0, static_cast<int>(std::ceil(grid.row_at(y + reach))));
    const int south = std::min(grid.rows - 1, static_cast<int>(std::floor(grid.row_at(y - reach))));
    std::vector<LowCell> low;
    for (int row = north; row <= south; ++row)
        for (int column = west; column <= east; ++column) {
            const std::int64_t cell = grid.index(column, row);
            const double depth = lobe.top - double{ground[cell]};
            const double dx = grid.x(column) - x;
            const double dy = grid.y(row) - y;
            const double distance = std::sqrt(dx * dx + dy * dy);
            if (depth > 0.0 && distance < reach) low.push_back({cell, distance, depth});
        }
    return low;
}

/// By how much a lobe whose top ends at `radius` raises a cell, m.
double rise_of(const LowCell& cell, double radius) {
    return std::max(0.0, cell.depth - kFront * std::max(0.0, cell.distance - radius));
}

double rise_of_all(const std::vector<LowCell>& cells, double radius) {
    double sum = 0.0;
    for (const LowCell& cell : cells) sum += rise_of(cell, radius);
    return sum;
}

/// The largest radius up to `most` whose lobe raises cells by no more than `rise` (m) in all.
double radius_of(const std::vector<LowCell>& cells, double rise, double most) {
    if (rise_of_all(cells, most) <= rise) return most;
    constexpr int kHalvings = 32;  // to less than a thousandth of a millimetre
    double low = most;
    for (const LowCell& cell : cells) low = std::min(low, cell.distance - cell.depth / kFront);
    double high = most;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = 0.5 * (low + high);
        (rise_of_all(cells, middle) <= rise ? low : high) = middle;
    }
    return low;
}

}  // namespace

double delta_load(double discharge, double concentration, double years) {
    constexpr double kKept = 0.56;           // r, 1
    constexpr double kBulkDensity = 1600.0;  // rho, kg/m^3
    return kKept * concentration * discharge * kSecondsPerYear * years / kBulkDensity;
}

LaidDown lay_down(const DeltaLobe& lobe, double volume, Field<float>& ground, Field<float>& deposit) {
    const double cell_area = ground.grid().cell_area();
    const std::vector<LowCell> cells = low_cells(lobe, ground);
    const double radius = radius_of(cells, volume / cell_area, lobe.radius);
    double rise = 0.0;
    for (const LowCell& cell : cells) {
        float& height = ground[cell.cell];
        const float before = height;
        height = std::max(before, static_cast<float>(before + rise_of(cell, radius)));
        const double raised = double{height} - double{before};
        deposit[cell.cell] += static_cast<float>(raised);
        rise += raised;
    }
    return {.volume = rise * cell_area, .is_complete = radius >= lobe.radius};
}

}  // namespace thalweg
