// Which neighbours of a cell lie lower, over runs of cells, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// Sets bit d of each of `count` >= 16 cells of one row where the neighbour in direction d (directions.hpp)
/// lies lower, and no other bit; where one of both has no data, it does not. None of the cells is at the
/// grid's edge. elevation: m, by a pointer to the first cell; stride: cells from one row to the next. With
/// vectors of 4, 8 or 16; the same for each.
template <int Lanes>
void lower_in_lanes(const float* elevation, std::int64_t stride, std::int64_t count, std::uint8_t* bits);

}  // namespace thalweg
