#include "thalweg/erosion/gullies.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::size_t kCellsAPoll = 1 << 16;

void check_amount(const char* name, double value) {
    if (std::isfinite(value) && value >= 0.0) return;
    throw Error::input(fmt::format("{} = {} is not allowed: give 0 or more", name, value));
}

void check_river_area(double area) {
    if (!(area >= 0.0))
        throw Error::input(fmt::format("river_area = {} m^2 is not allowed: give 0 or more, or inf", area));
}

/// A_h over A_g, 1.
double head_share(const GullyFields& fields, double head_slope, std::int32_t cell) {
    if (fields.slope.empty()) return 1.0;
    const double ratio = head_slope / static_cast<double>(fields.slope[cell]);
    return std::max(1.0, ratio * ratio);
}

}  // namespace

Field<float> cut_gullies(const Field<float>& elevation, const FlowTree& tree, const GullyFields& fields,
                         const GullyParameters& parameters, Progress& progress) {
    check_amount("time", parameters.time);
    check_amount("head_area", parameters.head_area);
    check_amount("head_slope", parameters.head_slope);
    check_river_area(parameters.river_area);
    check_amount("erodibility", parameters.erodibility);
    check_amount("area_exponent", parameters.area_exponent);
    assert(tree.direction.size() == static_cast<std::size_t>(elevation.size()));
    Field<float> cut = elevation;
    const double cell_area = tree.grid.cell_area();
    for (std::size_t i = 0; i < tree.order.size(); ++i) {
        if (i % kCellsAPoll == 0) progress.poll();
        const std::int32_t cell = tree.order[i];
        const std::int32_t receiver = tree.receiver(cell);
        const double area = tree.upstream_cells[at(cell)] * cell_area;
        const double head_area = parameters.head_area * head_share(fields, parameters.head_slope, cell);
        if (receiver < 0 || !(area > head_area) || area >= parameters.river_area) continue;
        if (!fields.held.empty() && fields.held[cell] != 0) continue;
        const bool is_diagonal =
            kRowStep[tree.direction[at(cell)]] != 0 && kColumnStep[tree.direction[at(cell)]] != 0;
        const double length = tree.grid.cell_size * (is_diagonal ? std::numbers::sqrt2 : 1.0);
        const double power = portable_power(area, parameters.area_exponent) -
                             portable_power(head_area, parameters.area_exponent);
        const double reach =
            parameters.erodibility * power * parameters.time / length;  // cells that the gully grows back
        const auto below = static_cast<double>(cut[receiver]);
        const double lowered = (static_cast<double>(cut[cell]) + reach * below) / (1.0 + reach);
        if (lowered < static_cast<double>(cut[cell])) cut[cell] = static_cast<float>(lowered);
    }
    return cut;
}

}  // namespace thalweg
