#include "thalweg/flow/multiple_flow.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/graph/receiver_sets.hpp"
#include "thalweg/flow/routing/freeman_walk.hpp"
#include "thalweg/flow/routing/topological_accumulation.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerPoll = 1 << 18;

void clear_outside(const std::vector<std::uint8_t>& direction, Field<double>& weight) {
    for_each_row(weight.grid(), [&](int row) {
        const std::int64_t first = weight.grid().index(0, row);
        const std::uint8_t* const begin = direction.data() + first;
        const std::uint8_t* const end = begin + weight.columns();
        for (const std::uint8_t* cell = std::find(begin, end, kOutside); cell != end;
             cell = std::find(cell + 1, end, kOutside))
            weight[first + (cell - begin)] = 0.0;
    });
}

/// The slopes from a cell to its 8 neighbours; NaN where there is none.
std::array<double, 8> drops_around(const Field<float>& elevation, int column, int row) {
    std::array<double, 8> drops{};
    const double here = static_cast<double>(elevation(column, row));
    for (std::size_t d = 0; d < 8; ++d) {
        const int c = column + kColumnStep[d], r = row + kRowStep[d];
        drops[d] = elevation.grid().contains(c, r) ? here - static_cast<double>(elevation(c, r))
                                                   : std::numeric_limits<double>::quiet_NaN();
    }
    return drops;
}

/// The steepest way down so far.
struct Descent {
    double slope = 0.0;    // squared, m^2 per cell^2: exact, so that equal slopes are equal numbers
    double bearing = 0.0;  // eighths of a turn, clockwise from east
};

/// Looks at the plane between directions d and d + 1: of Tarboton's e1 and e2 the axis and the diagonal.
void consider_plane(const std::array<double, 8>& drops, int d, Descent& steepest) {
    const int next = (d + 1) & 7;
    const int axis = d % 2 == 0 ? d : next, diagonal = d % 2 == 0 ? next : d;
    const double along = drops[at(axis)], oblique = drops[at(diagonal)];
    const double across = oblique - along;  // s2 of eq. 2, in the units of s1
    const auto take = [&](double slope, double bearing) {
        if (slope > steepest.slope) steepest = {slope, bearing};
    };
    // Steeper along an edge of the plane than inside, or the other neighbour is missing.
    if (!(across > 0.0) && along > 0.0) take(along * along, axis);
    if (!(across < along) && oblique > 0.0) take(oblique * oblique / 2.0, diagonal);
    const double slope = along * along + across * across;
    if (!(along > 0.0 && across > 0.0 && across < along && slope > steepest.slope)) return;
    const double share = std::atan(across / along) / (std::numbers::pi / 4.0);  // of the diagonal
    steepest = {slope, d % 2 == 0 ? d + share : d + 1 - share};
}

float bearing_of(const Field<float>& elevation, std::uint8_t direction, int column, int row) {
    if (direction >= kRoot) return kNoData;
    const std::array<double, 8> drops = drops_around(elevation, column, row);
    Descent steepest;
    for (int d = 0; d < 8; ++d) consider_plane(drops, d, steepest);
    if (steepest.slope == 0.0) return static_cast<float>(direction);
    const float bearing = static_cast<float>(steepest.bearing);
    return bearing >= 8.0F ? bearing - 8.0F : bearing;
}

/// The two receivers that a bearing points between.
struct Shares {
    std::size_t first;
    std::size_t second;
    double of_second;
};
Shares shares_of(float bearing) {
    const auto first = static_cast<std::size_t>(bearing);
    return {first, (first + 1) & 7, static_cast<double>(bearing - static_cast<float>(first))};
}

std::uint8_t receivers_along(float bearing) {
    if (is_no_data(bearing)) return 0;
    const Shares shares = shares_of(bearing);
    return static_cast<std::uint8_t>(1U << shares.first |
                                     (shares.of_second > 0.0 ? 1U << shares.second : 0U));
}

/// Makes sums of weights along the one or two receivers of each cell.
void gather_dinf(const Field<float>& bearing, const std::vector<std::uint8_t>& receivers, Field<double>& sum,
                 Progress& progress) {
    const Grid& grid = sum.grid();
    std::vector<std::uint8_t> pending_donors = count_donors(grid, receivers);
    // One more than cells: where a cell is tried that is not ready.
    const auto ready = std::make_unique_for_overwrite<std::int32_t[]>(at(grid.cells()) + 1);
    TopologicalAccumulation state{.receivers = receivers.data(),
                                  .pending_donors = pending_donors.data(),
                                  .sum = sum.data(),
                                  .ready = ready.get(),
                                  .cells = grid.cells()};
    for (std::size_t d = 0; d < 8; ++d) state.steps[d] = kRowStep[d] * grid.columns + kColumnStep[d];
    std::size_t first = 0;
    double of_first = 0.0, of_second = 0.0;
    const auto share_out = [&](std::int32_t cell, std::uint8_t to, double total) {
        if (to == 0) return;
        const Shares shares = shares_of(bearing[cell]);
        first = shares.first;
        of_second = total * shares.of_second;
        of_first = total - of_second;
    };
    const auto part_of = [&](int d) { return at(d) == first ? of_first : of_second; };
    do progress.poll();
    while (accumulate_some(state, kCellsPerPoll, share_out, part_of));
}

std::uint8_t drawn_direction(const Field<float>& elevation, std::uint8_t direction, std::uint64_t seed,
                             std::int64_t cell) {
    const Grid& grid = elevation.grid();
    if (direction >= kRoot) return direction;
    const std::array<double, 8> drops = drops_around(elevation, grid.column_of(cell), grid.row_of(cell));
    std::array<double, 8> slopes{};
    double total = 0.0;
    for (std::size_t d = 0; d < 8; ++d) {
        if (drops[d] > 0.0) slopes[d] = d % 2 == 0 ? drops[d] : drops[d] / std::numbers::sqrt2;
        total += slopes[d];
    }
    double left = total * unit_double(random_bits(seed, Stream::Receiver, static_cast<std::uint64_t>(cell)));
    std::uint8_t drawn = direction;
    for (std::uint8_t d = 0; d < 8; ++d) {
        if (slopes[d] == 0.0) continue;
        drawn = d;
        if (left < slopes[d]) break;
        left -= slopes[d];
    }
    return drawn;
}

}  // namespace

void RoutingParameters::declare(Declaration<RoutingParameters>& d) {
    d.choice(
        "routing", &RoutingParameters::routing,
        {{"d8", Routing::D8, "The steepest lower neighbour takes all of it."},
         {"random", Routing::Random, "One lower neighbour, drawn in proportion to slope, takes all of it."},
         {"freeman", Routing::Freeman, "All lower neighbours share it by a power of slope."},
         {"dinf", Routing::Dinf, "Two neighbours share it by the angle of steepest descent."}},
        {.label = "Routing",
         .group = "Routing",
         .unit = "",
         .sentence = "Which lower neighbours take a cell's water: the steepest (d8), one drawn by slope "
                     "(random), all by slope (freeman), or two by the angle of steepest descent (dinf).",
         .source = "O'Callaghan and Mark 1984, Freeman 1991, Tarboton 1997"});
    d.number("freeman_exponent", &RoutingParameters::freeman_exponent,
             {.label = "Freeman exponent",
              .group = "Routing",
              .unit = "1",
              .sentence = "Exponent of slope in the shares of freeman; the larger, the less water parts.",
              .minimum = 0.0,
              .maximum = 1000.0,
              .usual = {0.5, 10.0},
              .source = "Freeman 1991",
              .enabled_when = {equals("routing", {"freeman"})}});
}

std::vector<std::uint8_t> random_directions(const Field<float>& elevation,
                                            const std::vector<std::uint8_t>& direction, std::uint64_t seed) {
    std::vector<std::uint8_t> drawn(direction.size());
    for_each_row(elevation.grid(), [&](int row) {
        const std::int64_t first = elevation.grid().index(0, row);
        for (std::int64_t cell = first; cell < first + elevation.columns(); ++cell)
            drawn[at(cell)] = drawn_direction(elevation, direction[at(cell)], seed, cell);
    });
    return drawn;
}

Field<float> dinf_bearings(const Field<float>& elevation, const std::vector<std::uint8_t>& direction) {
    const Grid& grid = elevation.grid();
    Field<float> bearing(grid);
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column)
            bearing(column, row) = bearing_of(elevation, direction[at(grid.index(column, row))], column, row);
    });
    return bearing;
}

Field<double> accumulate_freeman(const Field<float>& elevation, const std::vector<std::uint8_t>& direction,
                                 double exponent, Field<double> weight, Progress& progress) {
    clear_outside(direction, weight);
    gather_freeman(elevation, lower_receivers(elevation, direction), exponent, weight, progress);
    return weight;
}

Field<double> accumulate_dinf(const Field<float>& bearing, const std::vector<std::uint8_t>& direction,
                              Field<double> weight, Progress& progress) {
    std::vector<std::uint8_t> receivers(direction.size());
    for_each_row(bearing.grid(), [&](int row) {
        const std::int64_t first = bearing.grid().index(0, row);
        for (std::int64_t cell = first; cell < first + bearing.columns(); ++cell)
            receivers[at(cell)] = receivers_along(bearing[cell]);
    });
    clear_outside(direction, weight);
    gather_dinf(bearing, receivers, weight, progress);
    return weight;
}

Field<float> compass_degrees(const Field<float>& bearing) {
    constexpr float kDegrees = 45.0F;  // in an eighth of a turn
    constexpr float kNorth = 6.0F;     // as a bearing
    Field<float> degrees(bearing.grid());
    for_each_row(bearing.grid(), [&](int row) {
        for (int column = 0; column < bearing.columns(); ++column) {
            const float from_north = bearing(column, row) - kNorth;
            degrees(column, row) = kDegrees * (from_north < 0.0F ? from_north + 8.0F : from_north);
        }
    });
    return degrees;
}

Field<float> specific_area(const Field<double>& drainage_area, const Field<float>& bearing) {
    Field<float> specific(bearing.grid());
    const double cell_size = bearing.grid().cell_size;
    for_each_row(bearing.grid(), [&](int row) {
        for (int column = 0; column < bearing.columns(); ++column) {
            const double eighths = static_cast<double>(bearing(column, row));
            const double off_axis = std::abs(std::remainder(eighths, 2.0)) * std::numbers::pi / 4.0;
            const double width = std::isnan(eighths) ? cell_size : cell_size * std::cos(off_axis);
            specific(column, row) = static_cast<float>(drainage_area(column, row) / width);
        }
    });
    return specific;
}

}  // namespace thalweg
