// The way over the ground on which a new channel takes the least digging.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Ground that a channel may take its way over: values of each cell of `grid`.
struct DiggingGround {
    Grid grid;
    double depth = 1.0;                     // m, of the channel
    std::vector<float> cut = {};            // m, to be dug besides that; infinite where no way leads
    std::vector<std::uint8_t> is_end = {};  // 1 where a way may end
};

/// Cells from `start` to the end of least cost, the first and the last included, or none where no end is
/// reached:
///
///   cost = sum over steps of length (1 + cut / depth), m,
///
/// length that of the step (8 neighbours), cut that of the cell to which it leads: digging by the channel's
/// depth costs as much as its length again. Of equal costs the cell of the lower index is taken. Nothing is
/// asked of the start. Source: Dijkstra 1959. O(n log n) of the cells nearer in cost than the end.
std::vector<std::int32_t> least_cost_path(const DiggingGround& ground, std::int32_t start);

/// The same way with as few corners as leave it no dearer: each straight between two cells of the path, where
/// the ground between them, looked at every half cell, costs no more than the path does.
std::vector<Position> straightened(const DiggingGround& ground, const std::vector<std::int32_t>& path);

}  // namespace thalweg
