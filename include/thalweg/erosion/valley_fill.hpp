// Alluvium in valleys: rivers raise their beds, and the ground beside them becomes flat.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/valley_floors.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// How much rivers have laid down.
struct ValleyFillParameters {
    double fill = 0.0;         // T_0, m, of alluvium under a level river that drains 100 km^2; 0: none
    double fill_slope = 0.03;  // S_f, m/m: rivers so steep carry everything on

    static void declare(Declaration<ValleyFillParameters>& declaration);
};

struct ValleyFill {
    Field<float> elevation;         // m
    Field<float> thickness;         // m, of alluvium
    std::int64_t filled_cells = 0;  // that were raised
    double volume = 0.0;            // m^3, of alluvium
};

/// The terrain with its valleys filled by alluvium:
///
///   T = min(T_0 (A / 100 km^2)^b max(0, 1 - A_v / A) max(0, 1 - S / S_f), H / 2)
///   z' = max(z + T, z'_r + min(0.01, (z - z_r) / (2 l)) l)
///
/// z: elevation, z' with the fill; r: the receiver, and l the way to it; A: drainage area; b and A_v:
/// exponent and least area of `floors`; S: the river's slope over 500 m. Where the receiver was not raised
/// and T is 0, z' = z. T grows upstream by 0.02 m/m at most, from 0 where water leaves, which keeps its
/// elevation. So rivers keep their way, valleys that come to a filled one are filled behind it, and ground
/// beside a river is flat as far as the fill reaches. A closure by eye.
///
/// `flow`: by steepest descent, depressions breached or filled. Every cell that was not level
/// lies above its receiver: no pit comes of it. O(cells + cells of rivers x 3 km), 8 bytes a cell; serial,
/// the same bits on any number of threads; polls `progress`.
///
/// Example:
///     const ValleyFill filled = fill_valleys(flow, {.fill = 20.0}, {}, progress);
ValleyFill fill_valleys(const FlowResult& flow, const ValleyFillParameters& parameters,
                        const ValleyFloorParameters& floors, Progress& progress);

}  // namespace thalweg
