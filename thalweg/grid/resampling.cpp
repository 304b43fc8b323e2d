#include "thalweg/grid/resampling.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sample_place.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <type_traits>
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

/// Whether target cells cover whole source cells, each as many as the first.
bool are_whole(const std::vector<Overlap>& overlaps) {
    return std::all_of(overlaps.begin(), overlaps.end(), [&](const Overlap& overlap) {
        return overlap.weights.size() == overlaps.front().weights.size() &&
               std::all_of(overlap.weights.begin(), overlap.weights.end(),
                           [](double weight) { return weight == 1.0; });
    });
}

constexpr int kBoxesAtOnce = 4;  // one addition waits for the one before: others go on in the meantime

/// Sums of as many boxes as `columns` begins with, all of whole cells; NaN where there is no data. `width`: a
/// box's columns, maybe known at compile time.
template <class Width>
std::array<double, kBoxesAtOnce> whole_sums(const Field<float>& field, const Overlap* columns,
                                            const Overlap& rows, Width width) {
    std::array<double, kBoxesAtOnce> sums{};
    for (std::size_t j = 0; j < rows.weights.size(); ++j) {
        std::array<const float*, kBoxesAtOnce> values{};
        for (std::size_t box = 0; box < kBoxesAtOnce; ++box)
            values[box] = &field(columns[box].first, rows.first + static_cast<int>(j));
        for (std::size_t i = 0; i < width; ++i)
            for (std::size_t box = 0; box < kBoxesAtOnce; ++box) sums[box] += values[box][i];
    }
    return sums;
}

/// As box_mean for a row of boxes of whole cells.
template <class Width>
void whole_means(const Field<float>& field, const std::vector<Overlap>& columns, const Overlap& rows,
                 Width width, float* means) {
    const double area = static_cast<double>(width * rows.weights.size());
    std::size_t column = 0;
    for (; column + kBoxesAtOnce <= columns.size(); column += kBoxesAtOnce) {
        const std::array<double, kBoxesAtOnce> sums = whole_sums(field, &columns[column], rows, width);
        for (std::size_t box = 0; box < kBoxesAtOnce; ++box)
            means[column + box] = std::isnan(sums[box]) ? box_mean(field, columns[column + box], rows)
                                                        : static_cast<float>(sums[box] / area);
    }
    for (; column < columns.size(); ++column) means[column] = box_mean(field, columns[column], rows);
}

/// The next coarser levels of a pyramid have boxes of 2 and 4 columns.
void whole_row(const Field<float>& field, const std::vector<Overlap>& columns, const Overlap& rows,
               float* means) {
    switch (const std::size_t width = columns.front().weights.size()) {
        case 2:
            return whole_means(field, columns, rows, std::integral_constant<std::size_t, 2>(), means);
        case 4:
            return whole_means(field, columns, rows, std::integral_constant<std::size_t, 4>(), means);
        default:
            return whole_means(field, columns, rows, width, means);
    }
}

Field<float> box_means(const Field<float>& field, const Grid& grid) {
    const Grid& source = field.grid();
    const double ratio = grid.cell_size / source.cell_size;
    const std::vector<Overlap> columns =
        overlaps_along((grid.west - source.west) / source.cell_size, ratio, grid.columns, source.columns);
    const std::vector<Overlap> rows =
        overlaps_along((source.north - grid.north) / source.cell_size, ratio, grid.rows, source.rows);
    Field<float> means(grid);
    const bool whole = are_whole(columns) && are_whole(rows);
    for_each_row(grid, [&](int row) {
        if (whole) return whole_row(field, columns, rows[row], &means(0, row));
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
    if (same_cells(field.grid(), grid)) return {grid, polled_copy(field.values())};
    const bool larger_cells = grid.cell_size > field.grid().cell_size * (1.0 + kSameEdge);
    return larger_cells ? box_means(field, grid) : samples(field, grid, interpolation);
}

Field<float> resample_nearest(const Field<float>& field, const Grid& grid) {
    assert(!field.empty());
    const Grid& source = field.grid();
    const auto cell_at = [](double place, int cells) {
        return static_cast<int>(std::clamp(std::floor(place + 0.5), 0.0, cells - 1.0));
    };
    std::vector<int> columns;
    for (int column = 0; column < grid.columns; ++column)
        columns.push_back(cell_at(source.column_at(grid.x(column)), source.columns));
    Field<float> values(grid);
    for_each_row(grid, [&](int row) {
        const int source_row = cell_at(source.row_at(grid.y(row)), source.rows);
        for (int column = 0; column < grid.columns; ++column)
            values(column, row) = field(columns[column], source_row);
    });
    return values;
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
