#include "thalweg/erosion/gullies.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"

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

}  // namespace

Field<float> cut_gullies(const Field<float>& elevation, const FlowTree& tree, const GullyFields& fields,
                         const GullyParameters& parameters, Progress& progress) {
    check_amount("time", parameters.time);
    check_amount("head_area", parameters.head_area);
    check_amount("erodibility", parameters.erodibility);
    check_amount("area_exponent", parameters.area_exponent);
    assert(tree.direction.size() == static_cast<std::size_t>(elevation.size()));
    Field<float> cut = elevation;
    const double cell_area = tree.grid.cell_area();
    const double at_head = portable_power(parameters.head_area, parameters.area_exponent);
    for (std::size_t i = 0; i < tree.order.size(); ++i) {
        if (i % kCellsAPoll == 0) progress.poll();
        const std::int32_t cell = tree.order[i];
        const std::int32_t receiver = tree.receiver(cell);
        const double area = tree.upstream_cells[at(cell)] * cell_area;
        if (receiver < 0 || area <= parameters.head_area) continue;
        if (!fields.held.empty() && fields.held[cell] != 0) continue;
        const double k = fields.erodibility.empty() ? parameters.erodibility
                                                    : static_cast<double>(fields.erodibility[cell]);
        const bool is_diagonal =
            kRowStep[tree.direction[at(cell)]] != 0 && kColumnStep[tree.direction[at(cell)]] != 0;
        const double length = tree.grid.cell_size * (is_diagonal ? std::numbers::sqrt2 : 1.0);
        // How many cells the gully grows back.
        const double reach =
            k * (portable_power(area, parameters.area_exponent) - at_head) * parameters.time / length;
        const auto below = static_cast<double>(cut[receiver]);
        const double lowered = (static_cast<double>(cut[cell]) + reach * below) / (1.0 + reach);
        if (lowered < static_cast<double>(cut[cell])) cut[cell] = static_cast<float>(lowered);
    }
    return cut;
}

}  // namespace thalweg
