// Where rivers begin.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace thalweg {

/// What says that a river begins: river_heads gives their laws.
enum class Headwaters { Area, SlopeArea, Springs };

/// A place where a river comes out of the ground.
struct Spring {
    double x = 0.0;  // m
    double y = 0.0;  // m

    static void declare(Declaration<Spring>& declaration);
};

/// Throws Error::input for a spring outside the grid of `elevation` or on a cell without data; `origin`
/// begins the message. O(springs).
void check_springs(std::span<const Spring> springs, const Field<float>& elevation,
                   const std::string& origin = "");

struct NetworkParameters;

/// 1 for each cell that is a river whatever lies above it, by `parameters.headwaters`:
///
///   area         A >= min_area
///   slope_area   A S^k >= C, with S the slope to the receiver (0 at outlets and where it does not fall), k =
///                slope_area_exponent, C = slope_area_threshold in m^2 (Montgomery and Dietrich 1992: k = 2)
///   springs      the cells that hold a spring
///
/// and for the cells `parameters.drawn`. All cells below them are river cells too, which is left to the
/// caller. drainage_area A in m^2 and elevation in m lie on the tree's grid; springs must have passed
/// check_springs. O(cells), 1 byte per cell.
///
/// Example:
///     const Field<std::uint8_t> heads =
///         river_heads(flow.tree, flow.drainage_area, flow.elevation, {.headwaters = Headwaters::SlopeArea});
Field<std::uint8_t> river_heads(const FlowTree& tree, const Field<double>& drainage_area,
                                const Field<float>& elevation, const NetworkParameters& parameters);

}  // namespace thalweg
