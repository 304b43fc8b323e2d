#include "thalweg/erosion/hillslopes/creep_step.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace thalweg {
namespace {

constexpr std::int64_t kPlacesAtOnce = 1 << 14;  // a multiple of kWidestVector
constexpr double kTolerance = 1e-4;              // of the cell size (empirical: slopes of 1e-4 are not seen)
constexpr double kRounding =
    1e-5;  // of strength and cell size: what floats leave of a stiff residual (empirical)
constexpr double kMostTolerance = 0.01;  // of the cell size
constexpr double kStalled = 0.5;         // of the residual before (empirical)
constexpr int kMostNewtonSteps = 40;
constexpr int kMostGradientSteps = 1000;
constexpr int kMostShortenings = 6;
constexpr double kLooseAccuracy = 0.1;  // of the first linear solves
constexpr double kLevelling = 0.3;      // of the slope along a change that may be left, uphill

/// Runs `body(lanes, first, last)` over places [first, last).
template <class Body>
void for_places(std::int64_t begin, std::int64_t end, const Body& body) {
    parallel_for(begin, end, kPlacesAtOnce, [&](std::int64_t first, std::int64_t last) {
        in_lanes([&](auto lanes) { body(lanes, first, last); });
    });
}

template <class Body>
double sum_over_places(const PaddedCells& cells, const Body& body) {
    return parallel_reduce(
        cells.begin(), cells.end(), kPlacesAtOnce, 0.0,
        [&](std::int64_t first, std::int64_t last) {
            return in_lanes([&](auto lanes) { return body(lanes, first, last); });
        },
        std::plus<>{});
}

/// Runs `body(place, cell)` for all cells of the grid.
template <class Body>
void for_cells(const PaddedCells& cells, const Body& body) {
    const std::int64_t rows_at_once = std::max<std::int64_t>(1, kPlacesAtOnce / cells.stride);
    parallel_for(0, cells.rows, rows_at_once, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row)
            for (std::int64_t column = 0; column < cells.columns; ++column)
                body(cells.row_start(row) + column, row * cells.columns + column);
    });
}

}  // namespace

CreepStep::CreepStep(const Field<float>& elevation, const CreepFields& fields,
                     const CreepParameters& parameters, double years)
    : cells_(elevation.grid()),
      inverse_cell_area_(static_cast<float>(1.0 / elevation.grid().cell_area())),
      cell_area_(elevation.grid().cell_area()),
      height_(cells_.size()),
      start_(cells_.size()),
      data_(cells_.size()),
      free_(cells_.size()),
      strength_(cells_.size()),
      inverse_square_(cells_.size()),
      weight_(cells_.size()),
      north_west_(cells_.size()),
      north_east_(cells_.size()),
      south_west_(cells_.size()),
      south_east_(cells_.size()),
      scale_(cells_.size()),
      east_(cells_.size()),
      south_(cells_.size()),
      south_east_coupling_(cells_.size()),
      south_west_coupling_(cells_.size()),
      residual_(cells_.size()),
      change_(cells_.size()) {
    set_cells(elevation, fields);
    set_corners(elevation.grid(), fields, parameters, years);
    const auto strongest = static_cast<double>(*std::ranges::max_element(strength_));
    aim_ = static_cast<float>(kTolerance * elevation.grid().cell_size);
    tolerance_ = static_cast<float>(elevation.grid().cell_size *
                                    std::max(kTolerance, std::min(kMostTolerance, kRounding * strongest)));
}

void CreepStep::set_cells(const Field<float>& elevation, const CreepFields& fields) {
    for_cells(cells_, [&](std::int64_t place, std::int64_t cell) {
        if (is_no_data(elevation[cell])) return;
        height_[at(place)] = static_cast<double>(elevation[cell]);
        data_[at(place)] = 1.0F;
        free_[at(place)] = fields.held.empty() || fields.held[cell] == 0 ? 1.0F : 0.0F;
    });
}

void CreepStep::set_corners(const Grid& grid, const CreepFields& fields, const CreepParameters& parameters,
                            double years) {
    const double flow = 0.5 * years / grid.cell_area();
    const auto mean_at = [&](std::int64_t row, std::int64_t column, const auto& value_of) {
        double sum = 0.0;
        int count = 0;
        for (std::int64_t r = row; r <= row + 1; ++r)
            for (std::int64_t c = column; c <= column + 1; ++c) {
                if (r < 0 || c < 0 || r >= cells_.rows || c >= cells_.columns) continue;
                if (data_[at(cells_.row_start(r) + c)] == 0.0F) continue;
                sum += value_of(r * cells_.columns + c);
                ++count;
            }
        return count == 0 ? 0.0 : sum / count;
    };
    const auto diffusivity = [&](std::int64_t cell) {
        return fields.diffusivity.empty() ? parameters.diffusivity
                                          : static_cast<double>(fields.diffusivity[cell]);
    };
    const auto inverse_square = [&](std::int64_t cell) {
        const double critical = fields.critical_slope.empty()
                                    ? parameters.critical_slope
                                    : static_cast<double>(fields.critical_slope[cell]);
        return 1.0 / (critical * critical);
    };
    parallel_for(-1, cells_.rows, 64, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row)
            for (std::int64_t column = -1; column < cells_.columns; ++column) {
                const std::size_t corner = at(cells_.row_start(row) + column);
                strength_[corner] = static_cast<float>(flow * mean_at(row, column, diffusivity));
                inverse_square_[corner] = static_cast<float>(mean_at(row, column, inverse_square));
            }
    });
}

SoilFluxes CreepStep::fluxes() {
    return {.height = height_.data(),
            .data = data_.data(),
            .strength = strength_.data(),
            .inverse_square = inverse_square_.data(),
            .weight = weight_.data(),
            .north_west = north_west_.data(),
            .north_east = north_east_.data(),
            .south_west = south_west_.data(),
            .south_east = south_east_.data(),
            .stride = cells_.stride,
            .inverse_cell_area = inverse_cell_area_};
}

CreepMatrix CreepStep::matrix() {
    return {.scale = scale_.data(),
            .east = east_.data(),
            .south = south_.data(),
            .south_east = south_east_coupling_.data(),
            .south_west = south_west_coupling_.data(),
            .stride = cells_.stride};
}

CreepStep::Residual CreepStep::find_residual() {
    const SoilFluxes flux = fluxes();
    // The corners above the first row, and those to the west of it, too.
    for_places(cells_.row_start(-1), cells_.end(), [&](auto lanes, std::int64_t first, std::int64_t last) {
        soil_fluxes_in_lanes<lanes()>(flux, first, last);
    });
    for_places(cells_.begin(), cells_.end(), [&](auto lanes, std::int64_t first, std::int64_t last) {
        residual_in_lanes<lanes()>(flux, start_.data(), free_.data(), residual_.data(), first, last);
    });
    return parallel_reduce(
        cells_.begin(), cells_.end(), kPlacesAtOnce, Residual{},
        [&](std::int64_t first, std::int64_t last) {
            Residual found;
            for (std::int64_t i = first; i < last; ++i) {
                const float here = residual_[at(i)];
                found.most = std::max(found.most, std::abs(here));
                found.along += static_cast<double>(here) * static_cast<double>(change_[at(i)]);
            }
            return found;
        },
        [](const Residual& a, const Residual& b) {
            return Residual{std::max(a.most, b.most), a.along + b.along};
        });
}

/// Newton's matrix at the present heights, scaled.
void CreepStep::set_matrix() {
    const SoilFluxes flux = fluxes();
    const CreepMatrix couplings = matrix();
    for_places(cells_.begin(), cells_.end(), [&](auto lanes, std::int64_t first, std::int64_t last) {
        diagonal_in_lanes<lanes()>(flux, free_.data(), couplings, first, last);
    });
    for_places(cells_.begin(), cells_.end(), [&](auto lanes, std::int64_t first, std::int64_t last) {
        couplings_in_lanes<lanes()>(flux, couplings, first, last);
    });
}

/// Solves (matrix) change = -residual by conjugate gradients, until the remainder is `accuracy` of what it
/// was. Returns how many steps that took.
int CreepStep::find_change(double accuracy) {
    set_matrix();
    // Stiffenings are not needed again until the next residual: their places hold the vectors.
    std::vector<float>&remainder = north_west_, &direction = north_east_, &product = south_west_;
    double square = sum_over_places(cells_, [&](auto, std::int64_t first, std::int64_t last) {
        double sum = 0.0;
        for (std::int64_t i = first; i < last; ++i) {
            const float value = -scale_[at(i)] * residual_[at(i)];
            remainder[at(i)] = direction[at(i)] = value;
            change_[at(i)] = 0.0F;
            sum += static_cast<double>(value) * static_cast<double>(value);
        }
        return sum;
    });
    const double goal = accuracy * accuracy * square;
    int steps = 0;
    for (; steps < kMostGradientSteps && square > goal; ++steps)
        square = descend_linearly(square, remainder, direction, product);
    parallel_for(cells_.begin(), cells_.end(), kPlacesAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) change_[at(i)] *= scale_[at(i)];
    });
    return steps;
}

/// One step of conjugate gradients; `square` and the result are those of the remainder.
double CreepStep::descend_linearly(double square, std::vector<float>& remainder,
                                   std::vector<float>& direction, std::vector<float>& product) {
    const CreepMatrix couplings = matrix();
    const double curvature = sum_over_places(cells_, [&](auto lanes, std::int64_t first, std::int64_t last) {
        return multiply_in_lanes<lanes()>(couplings, direction.data(), product.data(), first, last);
    });
    const auto length = static_cast<float>(square / curvature);
    const double left_over = sum_over_places(cells_, [&](auto lanes, std::int64_t first, std::int64_t last) {
        return advance_in_lanes<lanes()>(length, direction.data(), product.data(), change_.data(),
                                         remainder.data(), first, last);
    });
    const auto share = static_cast<float>(left_over / square);
    parallel_for(cells_.begin(), cells_.end(), kPlacesAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i)
            direction[at(i)] = remainder[at(i)] + share * direction[at(i)];
    });
    return left_over;
}

void CreepStep::add_change(double share) {
    parallel_for(cells_.begin(), cells_.end(), kPlacesAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i)
            height_[at(i)] += share * static_cast<double>(change_[at(i)]);
    });
}

CreepStep::Residual CreepStep::descend() {
    const double slope = sum_over_places(cells_, [&](auto, std::int64_t first, std::int64_t last) {
        double sum = 0.0;  // along the change, at its beginning
        for (std::int64_t i = first; i < last; ++i)
            sum += static_cast<double>(residual_[at(i)]) * static_cast<double>(change_[at(i)]);
        return sum;
    });
    double length = 1.0;
    add_change(length);
    Residual after = find_residual();
    for (int i = 0; i < kMostShortenings && after.along > -kLevelling * slope; ++i) {
        const double shorter = length * std::max(0.1, slope / (slope - after.along));
        add_change(shorter - length);
        length = shorter;
        after = find_residual();
    }
    return after;
}

void CreepStep::advance(CreepReport& report, const Progress& progress) {
    start_ = height_;
    std::ranges::fill(change_, 0.0F);
    Residual residual = find_residual();
    double accuracy = kLooseAccuracy, gain = 0.0;
    // As near as kTolerance, or as rounding lets it come.
    const auto is_near = [&] {
        return residual.most <= aim_ || (residual.most <= tolerance_ && gain > kStalled);
    };
    for (int step = 0; step < kMostNewtonSteps && !is_near(); ++step) {
        progress.poll();
        report.gradient_steps += find_change(accuracy);
        const float before = residual.most;
        residual = descend();
        gain = static_cast<double>(residual.most) / static_cast<double>(before);
        accuracy = std::clamp(gain * gain, 1e-3, kLooseAccuracy);
        ++report.newton_steps;
    }
    report.error = std::max(report.error, static_cast<double>(residual.most));
    // Let what has left one cell come to another; from far off that would be no small change.
    const double taken_off = residual.most <= tolerance_ ? 1.0 : 0.0;
    const double lost = sum_over_places(cells_, [&](auto, std::int64_t first, std::int64_t last) {
        double sum = 0.0;
        for (std::int64_t i = first; i < last; ++i) {
            height_[at(i)] -= taken_off * static_cast<double>(residual_[at(i)]);
            sum += start_[at(i)] - height_[at(i)];
        }
        return sum;
    });
    report.delivered_volume += lost * cell_area_;
}

Field<float> CreepStep::elevation(const Field<float>& start) const {
    Field<float> result(start.grid(), kNoData);
    for_cells(cells_, [&](std::int64_t place, std::int64_t cell) {
        if (!is_no_data(start[cell])) result[cell] = static_cast<float>(height_[at(place)]);
    });
    return result;
}

}  // namespace thalweg
