#include "thalweg/erosion/hillslopes/fall_lines.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/grid/gaussian.hpp"
#include "thalweg/grid/gradient.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

namespace thalweg {
namespace {

constexpr double kFallWidth = 60.0;  // m, of the gaussian that smooths the ground
constexpr double kFallStep = 60.0;   // m
/// Weights of the places one step after the other away from a cell, which itself has 1: a Hann window.
constexpr std::array<double, 4> kFallWeights = {0.905, 0.655, 0.345, 0.095};

/// What a fall line passes: the unit vector up the slope, in columns and rows, and the field.
struct FallPlace {
    float columns = 0.0F;
    float rows = 0.0F;
    float value = 0.0F;
};

/// Unit vectors are 0 on level ground and where there is no data.
std::vector<FallPlace> fall_places(const Field<float>& field, const Field<float>& elevation) {
    const CellRange all = {.end_column = elevation.columns(), .end_row = elevation.rows()};
    const auto [east, north] = gradient(gaussian_mean(elevation, kFallWidth, all));
    std::vector<FallPlace> places(at(elevation.size()));
    for_each_row(elevation.grid(), [&](int row) {
        for (int column = 0; column < elevation.columns(); ++column) {
            const std::int64_t cell = elevation.grid().index(column, row);
            FallPlace& place = places[at(cell)];
            place.value = field[cell];
            const float slope = std::sqrt(east[cell] * east[cell] + north[cell] * north[cell]);
            if (!(slope > 0.0F) || is_no_data(elevation[cell])) continue;
            place.columns = east[cell] / slope;
            place.rows = -north[cell] / slope;
        }
    });
    return places;
}

/// As sample_bilinear, of all three numbers at once.
FallPlace between_centres(const std::vector<FallPlace>& places, const Grid& grid, double column, double row) {
    column = std::clamp(column, 0.0, static_cast<double>(grid.columns - 1));
    row = std::clamp(row, 0.0, static_cast<double>(grid.rows - 1));
    const int left = static_cast<int>(column);
    const int top = static_cast<int>(row);
    const auto x = static_cast<float>(column - left);
    const auto y = static_cast<float>(row - top);
    const FallPlace* const above = &places[at(grid.index(left, top))];
    const FallPlace* const below = above + (top + 1 < grid.rows ? grid.columns : 0);
    const std::ptrdiff_t right = left + 1 < grid.columns ? 1 : 0;
    const auto mean = [&](float FallPlace::* of) {
        const float over = above->*of + x * (above[right].*of - above->*of);
        const float under = below->*of + x * (below[right].*of - below->*of);
        return over + y * (under - over);
    };
    return {mean(&FallPlace::columns), mean(&FallPlace::rows), mean(&FallPlace::value)};
}

}  // namespace

Field<float> mean_along_fall(const Field<float>& field, const Field<float>& elevation, Progress& progress) {
    assert(field.size() == elevation.size());
    const Grid& grid = elevation.grid();
    const std::vector<FallPlace> places = fall_places(field, elevation);
    const double step = kFallStep / grid.cell_size;  // cells
    Field<float> means(grid);
    for_each_row(grid, [&](int row) {
        progress.poll();
        for (int column = 0; column < grid.columns; ++column) {
            const FallPlace& start = places[at(grid.index(column, row))];
            double sum = static_cast<double>(start.value), weights = 1.0;
            for (const double way : {step, -step}) {
                double x = column, y = row;
                FallPlace place = start;
                for (const double weight : kFallWeights) {
                    x += way * static_cast<double>(place.columns);
                    y += way * static_cast<double>(place.rows);
                    place = between_centres(places, grid, x, y);
                    sum += weight * static_cast<double>(place.value);
                    weights += weight;
                }
            }
            means(column, row) = static_cast<float>(sum / weights);
        }
    });
    return means;
}

}  // namespace thalweg
