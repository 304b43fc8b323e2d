// What channels lay down, keep moist and let grow.
#include "thalweg/core/error.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/meander/maps/channel_strips.hpp"
#include "thalweg/meander/maps/crevasse_lobes.hpp"
#include "thalweg/meander/maps/instants.hpp"
#include "thalweg/meander/meander_maps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace thalweg {
namespace {

constexpr float kHalfWidth = 0.5F;     // widths: where a channel's bank is
constexpr float kSharpBend = 0.25F;    // w |kappa| at which an inner bank takes all (empirical)
constexpr double kFineSediment = 0.5;  // m of sediment on which plants are dense (empirical)

/// Falls from 1 at 0 to 0 at 1, flat at both.
float falling(float u) {
    const float rest = 1.0F - std::clamp(u, 0.0F, 1.0F);
    return rest * rest * (3.0F - 2.0F * rest);
}

/// A levee: highest on the bank.
float levee(float distance, float radius) {
    if (distance < kHalfWidth) return falling(1.0F - distance / kHalfWidth);
    const float rest = std::max(0.0F, 1.0F - (distance - kHalfWidth) / (radius - kHalfWidth));
    return rest * rest * rest;
}

void check_maps(const MeanderHistory& history, const Grid& grid) {
    check_grid(grid);
    check_history(history);
}

double end_of(const MeanderHistory& history, std::optional<double> year) {
    const std::size_t networks =
        networks_until(history, year.value_or(std::numeric_limits<double>::infinity()));
    return networks == 0 ? 0.0 : history.networks[networks - 1].year;
}

void check_same_grid(const Grid& grid, const Grid& other, const char* name) {
    if (!(grid == other)) throw Error::input(std::string(name) + " must be on the grid of the other layers");
}

/// How far it is from one year's bank to that of the next, cells.
double cells_a_year(const Field<float>& age, int column, int row) {
    const auto step = [&](int dc, int dr) {
        const int a = std::clamp(column - dc, 0, age.columns() - 1);
        const int b = std::clamp(column + dc, 0, age.columns() - 1);
        const int c = std::clamp(row - dr, 0, age.rows() - 1);
        const int d = std::clamp(row + dr, 0, age.rows() - 1);
        const double difference = (double{age(b, d)} - age(a, c)) / std::max(1, b - a + d - c);
        return std::isfinite(difference) ? difference : 0.0;
    };
    return 1.0 / std::max(1e-9, std::hypot(step(1, 0), step(0, 1)));
}

/// Adds the bars on what channels have left.
void add_bars(Field<float>& deposit, const Field<float>& age, double now,
              const MeanderMapParameters& parameters) {
    constexpr double kRelief = 0.3;         // of ridges, share of a bar's height (empirical)
    constexpr double kClosestRidges = 3.0;  // cells
    for_each_row(age.grid(), [&](int row) {
        for (int column = 0; column < age.columns(); ++column) {
            const double years = age(column, row);
            if (!(years > 0.0)) continue;
            double relief = 0.0;
            if (parameters.scroll_period > 0.0) {
                const double spacing = parameters.scroll_period * cells_a_year(age, column, row);
                relief = kRelief * std::clamp(spacing / kClosestRidges - 1.0, 0.0, 1.0) *
                         scroll_ridge(now - years, parameters.scroll_period);
            }
            const double grown =
                parameters.bar_growth_time > 0.0 ? 1.0 - std::exp(-years / parameters.bar_growth_time) : 1.0;
            deposit(column, row) += static_cast<float>(parameters.bar_height * grown * (1.0 + relief));
        }
    });
}

}  // namespace

double scroll_ridge(double year, double period) {
    const double t = year / period;
    const double phase = t + 0.25 * std::sin(1.7 * t) + 0.2 * std::sin(0.61 * t + 1.0);
    const double strength = 0.6 + 0.25 * std::sin(0.93 * t + 2.0) + 0.15 * std::sin(2.3 * t);
    return -strength * std::cos(2.0 * std::numbers::pi * phase);
}

Field<float> meander_moisture(const MeanderHistory& history, const Grid& grid,
                              const MeanderMapParameters& parameters, Progress& progress,
                              std::optional<double> year, const Field<float>* stream_power) {
    check_maps(history, grid);
    if (stream_power != nullptr) check_same_grid(grid, stream_power->grid(), "stream power");
    const double now = end_of(history, year);
    const auto radius = static_cast<float>(parameters.moisture_radius);
    Field<float> sum(grid, 0.0F);
    ChannelStrips strips(grid, parameters.moisture_radius + double{kHalfWidth});
    for_each_instant(history, year, progress, [&](const Instant& instant) {
        const auto amount = static_cast<float>(parameters.moisture_rate * instant.years *
                                               std::exp((instant.year - now) / parameters.moisture_memory));
        strips.for_each_cell(instant.courses, [&](std::int64_t cell, const NearestChannel& nearest) {
            sum[cell] += amount * falling((nearest.distance - kHalfWidth) / radius);
        });
    });
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            float& here = sum(column, row);
            if (stream_power != nullptr && (*stream_power)(column, row) > 0.0F)
                here += static_cast<float>(parameters.stream_power_share) * (*stream_power)(column, row);
            here = 1.0F - std::exp(-here);
        }
    });
    return sum;
}

Field<float> meander_deposit(const MeanderHistory& history, const Grid& grid,
                             const MeanderMapParameters& parameters, Progress& progress,
                             std::optional<double> year) {
    check_maps(history, grid);
    const bool has_bars = parameters.deposit_form == DepositForm::Bars;
    const auto radius = static_cast<float>(std::max(parameters.deposit_radius, 0.6));
    Field<float> deposit(grid, 0.0F);
    ChannelStrips strips(grid, radius);
    ProgressPart following(progress, 0.0, has_bars ? 0.75 : 1.0);
    const std::vector<CrevasseLobe> lobes = crevasse_lobes(history, end_of(history, year), parameters);
    auto next = lobes.begin();
    const auto lay_lobes = [&](double until) {
        for (; next != lobes.end() && next->year <= until; ++next) next->lay_down(deposit);
    };
    for_each_instant(history, year, following, [&](const Instant& instant) {
        lay_lobes(instant.year);
        const auto amount = static_cast<float>(parameters.deposit_rate * instant.years);
        strips.for_each_cell(instant.courses, [&](std::int64_t cell, const NearestChannel& nearest) {
            if (has_bars && nearest.distance <= kHalfWidth) {
                deposit[cell] = 0.0F;
                return;
            }
            const float inside = has_bars ? std::clamp(nearest.inside / kSharpBend, -1.0F, 1.0F) : 0.0F;
            deposit[cell] += amount * levee(nearest.distance, radius) * (1.0F + inside);
        });
    });
    lay_lobes(std::numeric_limits<double>::infinity());
    if (!has_bars) return deposit;
    ProgressPart mapping(progress, 0.75, 1.0);
    const Field<float> age = channel_age(history, grid, mapping, year);
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column)
            if (age(column, row) == 0.0F) deposit(column, row) = 0.0F;
    });
    add_bars(deposit, age, end_of(history, year), parameters);
    return deposit;
}

Field<float> meander_vegetation(const VegetationInputs& inputs, const MeanderMapParameters& parameters) {
    const Grid& grid = inputs.channel_age.grid();
    check_same_grid(grid, inputs.moisture.grid(), "moisture");
    check_same_grid(grid, inputs.deposit.grid(), "deposit");
    check_same_grid(grid, inputs.water_depth.grid(), "water depth");
    Field<float> vegetation(grid, 0.0F);
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            if (inputs.water_depth(column, row) > 0.0F) continue;
            const double age = inputs.channel_age(column, row);
            const double fine = 1.0 - std::exp(-inputs.deposit(column, row) / kFineSediment);
            const double wet = 1.0 - (1.0 - inputs.moisture(column, row)) * (1.0 - 0.5 * fine);
            const double dense = parameters.dry_vegetation + (1.0 - parameters.dry_vegetation) * wet;
            const double covered =
                std::isnan(age) ? 1.0 : 1.0 - std::exp(-age / std::max(parameters.vegetation_time, 1e-9));
            vegetation(column, row) = static_cast<float>(covered * dense);
        }
    });
    return vegetation;
}

}  // namespace thalweg
