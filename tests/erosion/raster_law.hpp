// Whether a raster obeys the stream power law as any other program would find it: a plain D8 router and
// implicit stepping, written for the tests alone and slow.
#pragma once

#include "thalweg/grid/field.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

namespace thalweg::raster_law {

/// Steepest of 8 neighbours, edge cells drain out. Indices of cells; -1: none.
struct D8Drainage {
    std::vector<std::int64_t> receiver;
    std::vector<double> distance;             // m, to the receiver
    std::vector<std::int64_t> downstream_up;  // all cells, receivers before their donors
    std::vector<double> area;                 // m^2
    std::int64_t pits = 0;                    // cells off the edge without a lower neighbour
};

template <class Visit>
void for_neighbours(const Grid& grid, std::int64_t cell, const Visit& visit) {
    const int column = grid.column_of(cell), row = grid.row_of(cell);
    for (int r = row - 1; r <= row + 1; ++r)
        for (int c = column - 1; c <= column + 1; ++c)
            if ((r != row || c != column) && grid.contains(c, r))
                visit(grid.index(c, r), grid.cell_size * std::hypot(c - column, r - row));
}

/// `elevation` m, all finite.
inline D8Drainage route_d8(const Grid& grid, const std::vector<double>& elevation) {
    D8Drainage drainage;
    const std::size_t cells = elevation.size();
    drainage.receiver.assign(cells, -1);
    drainage.distance.assign(cells, 0.0);
    for (std::size_t i = 0; i < cells; ++i) {
        const auto cell = static_cast<std::int64_t>(i);
        if (grid.on_edge(grid.column_of(cell), grid.row_of(cell))) continue;
        double steepest = 0.0;
        for_neighbours(grid, cell, [&](std::int64_t other, double distance) {
            const double slope = (elevation[i] - elevation[static_cast<std::size_t>(other)]) / distance;
            if (!(slope > steepest)) return;
            steepest = slope;
            drainage.receiver[i] = other;
            drainage.distance[i] = distance;
        });
        drainage.pits += drainage.receiver[i] < 0 ? 1 : 0;
    }
    drainage.downstream_up.resize(cells);
    std::iota(drainage.downstream_up.begin(), drainage.downstream_up.end(), std::int64_t{0});
    std::stable_sort(
        drainage.downstream_up.begin(), drainage.downstream_up.end(), [&](std::int64_t a, std::int64_t b) {
            return elevation[static_cast<std::size_t>(a)] < elevation[static_cast<std::size_t>(b)];
        });
    drainage.area.assign(cells, grid.cell_area());
    for (auto cell = drainage.downstream_up.rbegin(); cell != drainage.downstream_up.rend(); ++cell) {
        const std::int64_t receiver = drainage.receiver[static_cast<std::size_t>(*cell)];
        if (receiver >= 0)
            drainage.area[static_cast<std::size_t>(receiver)] +=
                drainage.area[static_cast<std::size_t>(*cell)];
    }
    return drainage;
}

inline std::vector<double> doubles(const Field<float>& field) {
    return {field.begin(), field.end()};
}

/// Of all cells that drain more than `least_area` [m^2]: fits by least squares.
struct ChannelFit {
    double chi_slope = 0.0;  // of elevation over chi = sum of dx / A^m, m/yr over m^(1-2m)/yr: U/K by the law
    double area_exponent = 0.0;  // of slope over drainage area: -m by the law
    std::int64_t cells = 0;
};

inline double slope_of_fit(const std::vector<double>& x, const std::vector<double>& y) {
    const double count = static_cast<double>(x.size());
    const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / count;
    const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / count;
    double xy = 0.0, xx = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        xx += (x[i] - mean_x) * (x[i] - mean_x);
    }
    return xy / xx;
}

inline ChannelFit fit_channels(const Field<float>& elevation, double area_exponent, double least_area) {
    const std::vector<double> z = doubles(elevation);
    const D8Drainage drainage = route_d8(elevation.grid(), z);
    std::vector<double> chi(z.size(), 0.0), chis, heights, log_areas, log_slopes;
    for (const std::int64_t cell : drainage.downstream_up) {
        const auto i = static_cast<std::size_t>(cell);
        if (drainage.receiver[i] < 0) continue;
        const auto r = static_cast<std::size_t>(drainage.receiver[i]);
        chi[i] = chi[r] + drainage.distance[i] * std::pow(drainage.area[i], -area_exponent);
        if (drainage.area[i] <= least_area) continue;
        chis.push_back(chi[i]);
        heights.push_back(z[i]);
        log_areas.push_back(std::log(drainage.area[i]));
        log_slopes.push_back(std::log((z[i] - z[r]) / drainage.distance[i]));
    }
    return {slope_of_fit(chis, heights), slope_of_fit(log_areas, log_slopes),
            static_cast<std::int64_t>(chis.size())};
}

/// Priority-Flood with the next representable value: every cell off the edge gets a lower neighbour.
inline std::vector<double> filled(const Grid& grid, std::vector<double> elevation) {
    using Entry = std::pair<double, std::int64_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    std::vector<bool> seen(elevation.size(), false);
    for (std::size_t i = 0; i < elevation.size(); ++i) {
        const auto cell = static_cast<std::int64_t>(i);
        if (!grid.on_edge(grid.column_of(cell), grid.row_of(cell))) continue;
        seen[i] = true;
        open.emplace(elevation[i], cell);
    }
    while (!open.empty()) {
        const auto [height, cell] = open.top();
        open.pop();
        for_neighbours(grid, cell, [&, height = height](std::int64_t other, double) {
            const auto o = static_cast<std::size_t>(other);
            if (seen[o]) return;
            seen[o] = true;
            elevation[o] =
                std::max(elevation[o], std::nextafter(height, std::numeric_limits<double>::infinity()));
            open.emplace(elevation[o], other);
        });
    }
    return elevation;
}

/// K, m, U of dz/dt = U - K A^m S.
struct StreamPower {
    double erodibility;    // m^(1-2m)/yr
    double area_exponent;  // 1
    double uplift;         // m/yr
};

/// Implicit steps in time (Braun and Willett 2013) on 8 neighbours, edges kept.
inline std::vector<double> stepped(const Grid& grid, std::vector<double> elevation, const StreamPower& law,
                                   double years, int steps) {
    const double dt = years / steps;
    for (int step = 0; step < steps; ++step) {
        const D8Drainage drainage = route_d8(grid, filled(grid, elevation));
        for (const std::int64_t cell : drainage.downstream_up) {
            const auto i = static_cast<std::size_t>(cell);
            if (drainage.receiver[i] < 0) continue;
            const double below = elevation[static_cast<std::size_t>(drainage.receiver[i])];
            const double lifted = elevation[i] + law.uplift * dt;
            const double f =
                law.erodibility * std::pow(drainage.area[i], law.area_exponent) * dt / drainage.distance[i];
            elevation[i] = lifted > below ? (lifted + f * below) / (1.0 + f) : lifted;
        }
    }
    return elevation;
}

inline double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace thalweg::raster_law
