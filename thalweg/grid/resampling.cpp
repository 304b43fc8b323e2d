#include "thalweg/grid/resampling.hpp"

#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sample_place.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace thalweg {
namespace {

/// Edges of cells nearer than this to each other coincide, in source cells: far above rounding, far below
/// what can be seen.
constexpr double kSameEdge = 1e-9;

/// The source cells that one target cell overlaps along an axis: cells [first, first + weights.size()).
struct Overlap {
    int first = 0;
    std::vector<double> weights;  // length of overlap, in source cells
};

double snapped(double edge) {
    const double nearest = std::round(edge);
    return std::abs(edge - nearest) < kSameEdge ? nearest : edge;
}

/// Overlap of [begin, end) with source cells [0, cells), where source cell i covers [i, i + 1).
Overlap overlap_with(double begin, double end, int cells) {
    const double from = std::max(0.0, begin);
    const double to = std::min(static_cast<double>(cells), end);
    if (to <= from) return {.first = end <= 0.0 ? 0 : cells - 1, .weights = {1.0}};
    Overlap overlap;
    overlap.first = static_cast<int>(from);
    for (int cell = overlap.first; cell < to; ++cell)
        overlap.weights.push_back(std::min(to, cell + 1.0) - std::max(from, static_cast<double>(cell)));
    return overlap;
}

/// Overlaps of `targets` cells, the first of which begins at `origin`, each `ratio` source cells long.
std::vector<Overlap> overlaps_along(double origin, double ratio, int targets, int cells) {
    std::vector<Overlap> overlaps;
    overlaps.reserve(targets);
    for (int target = 0; target < targets; ++target)
        overlaps.push_back(
            overlap_with(snapped(origin + target * ratio), snapped(origin + (target + 1) * ratio), cells));
    return overlaps;
}

/// Mean of the field's cells in `columns` x `rows`, weighted by overlapping area.
float box_mean(const Field<float>& field, const Overlap& columns, const Overlap& rows) {
    double sum = 0.0;
    double area = 0.0;
    for (std::size_t j = 0; j < rows.weights.size(); ++j) {
        const float* values = &field(columns.first, rows.first + static_cast<int>(j));
        for (std::size_t i = 0; i < columns.weights.size(); ++i) {
            if (is_no_data(values[i])) continue;
            const double weight = columns.weights[i] * rows.weights[j];
            sum += weight * values[i];
            area += weight;
        }
    }
    return area > 0.0 ? static_cast<float>(sum / area) : kNoData;
}

Field<float> box_means(const Field<float>& field, const Grid& grid) {
    const Grid& source = field.grid();
    const double ratio = grid.cell_size / source.cell_size;
    const std::vector<Overlap> columns =
        overlaps_along((grid.west - source.west) / source.cell_size, ratio, grid.columns, source.columns);
    const std::vector<Overlap> rows =
        overlaps_along((source.north - grid.north) / source.cell_size, ratio, grid.rows, source.rows);
    Field<float> means(grid);
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column)
            means(column, row) = box_mean(field, columns[column], rows[row]);
    });
    return means;
}

Field<float> samples(const Field<float>& field, const Grid& grid, Interpolation interpolation) {
    const Grid& source = field.grid();
    std::vector<SamplePlace> columns;
    for (int column = 0; column < grid.columns; ++column)
        columns.push_back(place_along(source.column_at(grid.x(column)), source.columns));
    const auto sample_at = interpolation == Interpolation::Bicubic ? bicubic_at : bilinear_at;
    Field<float> sampled(grid);
    for_each_row(grid, [&](int row) {
        const SamplePlace along_rows = place_along(source.row_at(grid.y(row)), source.rows);
        for (int column = 0; column < grid.columns; ++column)
            sampled(column, row) = sample_at(field, columns[column], along_rows);
    });
    return sampled;
}

}  // namespace

bool same_cells(const Grid& a, const Grid& b) {
    return a.columns == b.columns && a.rows == b.rows && a.cell_size == b.cell_size && a.west == b.west &&
           a.north == b.north;
}

Field<float> resample(const Field<float>& field, const Grid& grid, Interpolation interpolation) {
    assert(!field.empty());
    if (same_cells(field.grid(), grid)) {
        Field<float> same = field;
        same.move_to(grid);
        return same;
    }
    const bool larger_cells = grid.cell_size > field.grid().cell_size * (1.0 + kSameEdge);
    return larger_cells ? box_means(field, grid) : samples(field, grid, interpolation);
}

Field<float> half_coarsen(const Field<float>& field) {
    const Grid& source = field.grid();
    Field<float> means(source.coarser());
    for_each_row(means.grid(), [&](int row) {
        const int last_row = std::min(2 * row + 1, source.rows - 1);
        for (int column = 0; column < means.columns(); ++column) {
            const int last_column = std::min(2 * column + 1, source.columns - 1);
            double sum = 0.0;
            int count = 0;
            for (int j = 2 * row; j <= last_row; ++j) {
                for (int i = 2 * column; i <= last_column; ++i) {
                    if (is_no_data(field(i, j))) continue;
                    sum += field(i, j);
                    ++count;
                }
            }
            means(column, row) = count > 0 ? static_cast<float>(sum / count) : kNoData;
        }
    });
    return means;
}

}  // namespace thalweg
