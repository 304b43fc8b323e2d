#include "thalweg/erosion/floors/floor_rivers.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/floors/bankfull.hpp"
#include "thalweg/erosion/floors/river_slopes.hpp"
#include "thalweg/flow/drained_area.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsAtOnce = 1 << 16;
constexpr double kNetworkShare = 0.02;         // of floor_area, from which beds are looked at (empirical)
constexpr double kSquareKilometre = 1e6;       // m^2
constexpr double kIncisionOfHalfWidth = 5e-4;  // I_0, m/yr: floors are half as wide (by eye)
constexpr double kBankOfDrop = 0.6;   // of the drop to the receiver, that a bank has at least (by eye)
constexpr double kCrossSlope = 0.01;  // s_f, m/m, of floors of level rivers (empirical)
// Of a river's slope, that its floor falls towards it besides. With banks, it keeps tributaries on their way.
constexpr double kCrossShare = 0.5;

double value_at(const Field<float>& layer, std::int64_t cell, double otherwise) {
    return layer.empty() ? otherwise : static_cast<double>(layer[cell]);
}

/// Half of W, m.
double half_width(const ValleyFloorInputs& inputs, const ValleyFloorParameters& parameters, double area,
                  double slope, std::int64_t cell) {
    if (!(area > parameters.floor_area)) return 0.0;
    const double given = value_at(inputs.incision_rate, cell, parameters.incision_rate);
    const ErosionLaw law;
    const double incision =
        given > 0.0 ? given
                    : slope * law.celerity(area, value_at(inputs.erodibility, cell, parameters.erodibility));
    const double width = parameters.floor_width *
                         std::pow(area / kSquareKilometre, parameters.width_exponent) *
                         (1.0 - parameters.floor_area / area) / (1.0 + incision / kIncisionOfHalfWidth);
    return 0.5 * width / value_at(inputs.rock_strength, cell, parameters.rock_strength);
}

}  // namespace

FloorRivers floor_rivers(const ValleyFloorInputs& inputs, const ValleyFloorParameters& parameters,
                         Progress& progress) {
    const FlowTree& tree = inputs.tree;
    const DrainedArea area(tree);
    const RiverSlopes slopes(inputs.elevation, tree);
    FloorRivers found;
    found.number.assign(at(tree.grid.cells()), -1);
    progress.report(0.0, "finding rivers");
    const std::vector<std::int32_t> cells = parallel_gather<std::int32_t>(
        0, std::ssize(tree.order), kCellsAtOnce, [&](std::int64_t i, std::vector<std::int32_t>& rivers) {
            const std::int32_t cell = tree.order[at(i)];
            if (area(cell) >= kNetworkShare * parameters.floor_area) rivers.push_back(cell);
        });
    for_each_polled(cells, [&](std::int32_t cell) {
        FloorRiver river = {.cell = cell, .receiver = tree.receiver(cell)};
        const double depth = bankfull_depth(area(cell));
        river.bank = static_cast<float>(std::max(depth, kBankOfDrop * slopes.drop(cell, river.receiver)));
        river.length = static_cast<float>(slopes.length(cell));
        river.is_main = river.receiver >= 0 && area(cell) > 0.5 * area(river.receiver);
        const double slope = slopes.downstream(cell);
        river.cross_slope = static_cast<float>(kCrossSlope + kCrossShare * slope);
        if (river.receiver >= 0)
            river.half_width = static_cast<float>(half_width(inputs, parameters, area(cell), slope, cell));
        found.number[at(cell)] = static_cast<std::int32_t>(found.rivers.size());
        found.rivers.push_back(river);
    });
    return found;
}

}  // namespace thalweg
