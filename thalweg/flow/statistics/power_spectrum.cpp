#include "thalweg/flow/statistics/power_spectrum.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/statistics/fourier.hpp"

#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr std::int64_t kSeriesPerTask = 8;

using Complex = std::complex<double>;

/// Elevation over a window, about its middle.
struct WindowPlane {
    double mean = 0.0;   // m
    double east = 0.0;   // m/cell
    double south = 0.0;  // m/cell
};

WindowPlane plane_of(const Field<float>& elevation, const CellRange& window) {
    const double middle = 0.5 * (window.columns() - 1), cells = 1.0 * window.columns() * window.rows();
    double sum = 0.0, along_rows = 0.0, along_columns = 0.0, squares = 0.0;
    for (int row = 0; row < window.rows(); ++row) {
        poll_cancelled();
        double row_sum = 0.0;
        for (int column = 0; column < window.columns(); ++column) {
            const auto z =
                static_cast<double>(elevation(window.first_column + column, window.first_row + row));
            row_sum += z;
            along_rows += (column - middle) * z;
        }
        sum += row_sum;
        along_columns += (row - middle) * row_sum;
        squares += (row - middle) * (row - middle) * window.columns();
    }
    return {.mean = sum / cells, .east = along_rows / squares, .south = along_columns / squares};
}

std::vector<double> hann_window(std::int64_t side) {
    std::vector<double> weights;
    for (std::int64_t i = 0; i < side; ++i)
        weights.push_back(0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(i) /
                                               static_cast<double>(side - 1)));
    return weights;
}

}  // namespace

PowerSpectrum power_spectrum(const Field<float>& elevation, const CellRange& window) {
    const std::int64_t side = window.columns(), kept = side / 2 + 1;
    const WindowPlane plane = plane_of(elevation, window);
    const std::vector<double> weight = hann_window(side);
    const FourierTransform transform(at(side));
    const double middle = 0.5 * static_cast<double>(side - 1);
    // Transform rows, and stand them up as columns.
    std::vector<Complex> columns(at(kept * side));
    parallel_for(0, side, kSeriesPerTask, [&](std::int64_t first, std::int64_t last) {
        std::vector<Complex> series(at(side));
        for (std::int64_t row = first; row < last; ++row) {
            const float* const heights =
                elevation.data() +
                elevation.grid().index(window.first_column, window.first_row + static_cast<int>(row));
            for (std::int64_t i = 0; i < side; ++i) {
                const double level = plane.mean + plane.east * (static_cast<double>(i) - middle) +
                                     plane.south * (static_cast<double>(row) - middle);
                series[at(i)] = weight[at(row)] * weight[at(i)] * (static_cast<double>(heights[i]) - level);
            }
            transform(series);
            for (std::int64_t k = 0; k < kept; ++k) columns[at(k * side + row)] = series[at(k)];
        }
    });
    double weights = 0.0;
    for (const double one : weight) weights += one * one;
    const double cells = static_cast<double>(side * side);
    PowerSpectrum spectrum{.side = side, .power = std::vector<double>(columns.size())};
    parallel_for(0, kept, kSeriesPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t k = first; k < last; ++k) {
            transform(std::span(columns).subspan(at(k * side), at(side)));
            for (std::int64_t i = k * side; i < (k + 1) * side; ++i)
                spectrum.power[at(i)] = std::norm(columns[at(i)]) / (cells * weights * weights);
        }
    });
    return spectrum;
}

}  // namespace thalweg
