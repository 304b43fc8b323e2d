#include "thalweg/core/cancelling.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/statistics/families.hpp"

#include <array>

namespace thalweg {
namespace {

constexpr float kLeastDepth = 5.0F;      // m
constexpr double kLeastPit = 2e4;        // m^2
constexpr double kDensityArea = 1000e6;  // m^2, for which pits are counted

/// Takes a pit off the mask, from one of its cells on to neighbours along rows and columns; how many cells.
std::int64_t take_pit(Field<std::uint8_t>& is_deep, std::int64_t first) {
    constexpr std::array kSteps = {std::array{1, 0}, std::array{0, 1}, std::array{-1, 0}, std::array{0, -1}};
    const Grid& grid = is_deep.grid();
    std::vector<std::int64_t> waiting = {first};
    is_deep[first] = 0;
    std::int64_t cells = 0;
    for (; !waiting.empty(); ++cells) {
        const std::int64_t cell = waiting.back();
        waiting.pop_back();
        for (const auto& [east, south] : kSteps) {
            const int column = grid.column_of(cell) + east, row = grid.row_of(cell) + south;
            if (!grid.contains(column, row) || is_deep(column, row) == 0) continue;
            is_deep(column, row) = 0;
            waiting.push_back(grid.index(column, row));
        }
    }
    return cells;
}

}  // namespace

void describe_pits(const Survey& survey, Progress& progress, TerrainDescription& description) {
    const Field<float>& elevation = survey.elevation;
    const Field<float> filled =
        fill_depressions(elevation, edge_roots(elevation), FilledSurface::Level, progress).elevation;
    Field<std::uint8_t> is_deep(elevation.grid());
    for_each_polled(0, is_deep.size(), [&](std::int64_t cell) {
        is_deep[cell] = filled[cell] - elevation[cell] > kLeastDepth ? 1 : 0;  // not where they are NaN
    });
    const double cell_area = elevation.grid().cell_area();
    double pits = 0.0;
    for_each_polled(0, is_deep.size(), [&](std::int64_t cell) {
        if (is_deep[cell] != 0 && static_cast<double>(take_pit(is_deep, cell)) * cell_area > kLeastPit)
            pits += 1.0;
    });
    description.statistics.pit_density =
        pits / (static_cast<double>(survey.cells_with_data) * cell_area / kDensityArea);
}

}  // namespace thalweg
