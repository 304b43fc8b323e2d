#include "thalweg/grid/sampling.hpp"

#include "thalweg/grid/sample_place.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace thalweg {
namespace {

/// A sample nearer than this to a centre is on it, in cells: far above rounding, far below what can be seen.
constexpr double kOnCentre = 1e-9;

/// The Catmull-Rom weights of the cells at -1, 0, 1, 2 for a sample at `t` in [0, 1].
std::array<double, 4> catmull_rom(double t) {
    const double t2 = t * t;
    const double t3 = t2 * t;
    return {0.5 * (-t3 + 2.0 * t2 - t), 0.5 * (3.0 * t3 - 5.0 * t2 + 2.0), 0.5 * (-3.0 * t3 + 4.0 * t2 + t),
            0.5 * (t3 - t2)};
}

}  // namespace

SamplePlace place_along(double at, int cells) {
    const double clamped = std::clamp(at, 0.0, static_cast<double>(cells - 1));
    SamplePlace place;
    place.lower = std::min(static_cast<int>(clamped), std::max(0, cells - 2));
    place.fraction = clamped - place.lower;
    if (place.fraction < kOnCentre) place.fraction = 0.0;
    if (place.fraction > 1.0 - kOnCentre) place.fraction = 1.0;
    return place;
}

float bilinear_at(const Field<float>& field, const SamplePlace& along_columns,
                  const SamplePlace& along_rows) {
    const std::array<double, 2> column_weights{1.0 - along_columns.fraction, along_columns.fraction};
    const std::array<double, 2> row_weights{1.0 - along_rows.fraction, along_rows.fraction};
    double sum = 0.0;
    double weights = 0.0;
    for (int j = 0; j < 2; ++j) {
        for (int i = 0; i < 2; ++i) {
            const double weight = row_weights[j] * column_weights[i];
            if (weight == 0.0) continue;
            const float value = field(along_columns.lower + i, along_rows.lower + j);
            if (is_no_data(value)) continue;
            sum += weight * value;
            weights += weight;
        }
    }
    return weights > 0.0 ? static_cast<float>(sum / weights) : kNoData;
}

float sample_bilinear(const Field<float>& field, Position position) {
    assert(!field.empty());
    const Grid& grid = field.grid();
    return bilinear_at(field, place_along(grid.column_at(position.x), grid.columns),
                       place_along(grid.row_at(position.y), grid.rows));
}

float bicubic_at(const Field<float>& field, const SamplePlace& along_columns, const SamplePlace& along_rows) {
    const Grid& grid = field.grid();
    const std::array<double, 4> column_weights = catmull_rom(along_columns.fraction);
    const std::array<double, 4> row_weights = catmull_rom(along_rows.fraction);
    double sum = 0.0;
    for (int j = 0; j < 4; ++j) {
        const int row = std::clamp(along_rows.lower + j - 1, 0, grid.rows - 1);
        double along_row = 0.0;
        for (int i = 0; i < 4; ++i) {
            const int column = std::clamp(along_columns.lower + i - 1, 0, grid.columns - 1);
            const float value = field(column, row);
            if (is_no_data(value)) return bilinear_at(field, along_columns, along_rows);
            along_row += column_weights[i] * value;
        }
        sum += row_weights[j] * along_row;
    }
    return static_cast<float>(sum);
}

float sample_bicubic(const Field<float>& field, Position position) {
    assert(!field.empty());
    const Grid& grid = field.grid();
    return bicubic_at(field, place_along(grid.column_at(position.x), grid.columns),
                      place_along(grid.row_at(position.y), grid.rows));
}

float sample(const Field<float>& field, Position position, Interpolation interpolation) {
    return interpolation == Interpolation::Bicubic ? sample_bicubic(field, position)
                                                   : sample_bilinear(field, position);
}

}  // namespace thalweg
