#include "thalweg/erosion/narrow_beds.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/erosion/hillslopes/mean_around.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cassert>
#include <ranges>

namespace thalweg {
namespace {

constexpr float kKeptFall = 0.1F;  // of a bed's fall to the next, at least (empirical)

/// m, of a river that drains `area`, m^2 (Bieger et al. 2015).
double bankfull_width(double area) {
    constexpr double kSquareKilometre = 1e6;  // m^2
    return 2.70 * portable_power(area / kSquareKilometre, 0.352);
}

/// How much of the mean around them channels take, but roots and the edge of the grid.
Field<float> shares_of_channels(const FlowResult& flow, const NarrowBedParameters& parameters) {
    const Grid& grid = flow.tree.grid;
    Field<float> shares(grid);
    for_each_row(grid, [&](int row) {
        if (row == 0 || row + 1 == grid.rows) return;
        for (int column = 1; column + 1 < grid.columns; ++column) {
            const auto cell = static_cast<std::int32_t>(grid.index(column, row));
            const double area = flow.drained_area(cell);
            if (flow.tree.receiver(cell) < 0 || area < parameters.channel_area) continue;
            const double wide = bankfull_width(area) / grid.cell_size;
            shares[cell] = static_cast<float>(parameters.share * std::max(0.0, 1.0 - wide));
        }
    });
    return shares;
}

float largest_around(const Field<float>& shares, int column, int row) {
    float largest = 0.0F;
    for (int y = row - 1; y <= row + 1; ++y)
        for (int x = column - 1; x <= column + 1; ++x) largest = std::max(largest, shares(x, y));
    return largest;
}

}  // namespace

Field<float> blend_narrow_beds(const Field<float>& elevation, const FlowResult& flow,
                               const NarrowBedParameters& parameters, Progress& progress) {
    assert(flow.tree.direction.size() == static_cast<std::size_t>(elevation.size()));
    constexpr float kMiddle = 2.0F;  // by the cells beside it: 1/4, 1/2, 1/4
    const Grid& grid = elevation.grid();
    const Field<float> shares = shares_of_channels(flow, parameters);
    Field<float> blended = elevation;
    for_each_row(grid, [&](int row) {
        if (row == 0 || row + 1 == grid.rows) return;
        progress.poll();
        for (int column = 1; column + 1 < grid.columns; ++column) {
            const float own = shares(column, row);
            const float share = own > 0.0F ? own : 0.5F * largest_around(shares, column, row);
            const auto cell = static_cast<std::int32_t>(grid.index(column, row));
            if (share == 0.0F || flow.tree.receiver(cell) < 0) continue;
            const float rise = share * (mean_around(elevation, column, row, kMiddle) - elevation[cell]);
            if (own > 0.0F ? rise > 0.0F : !is_no_data(rise)) blended[cell] += rise;
        }
    });
    // Lets every bed fall to the next by a tenth of what it fell before.
    for (const std::int32_t cell : flow.tree.order | std::views::reverse) {
        const std::int32_t receiver = flow.tree.receiver(cell);
        if (receiver < 0 || shares[cell] == 0.0F) continue;
        const float fall = std::max(0.0F, elevation[cell] - elevation[receiver]);
        const float highest = std::max(elevation[receiver], blended[cell] - kKeptFall * fall);
        if (shares[receiver] > 0.0F) blended[receiver] = std::min(blended[receiver], highest);
    }
    return blended;
}

}  // namespace thalweg
