// Ground that channels have come to.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/meander/channel_line.hpp"

#include <cstddef>

namespace thalweg {

/// Lowers the ground within half a width of a line's point to the bank there, where it is higher.
void lower_to_bank(Field<float>& elevation, const ChannelLine& line, std::size_t point);

/// Lowers the ground along a line from point `first` to `last`, both of it, to its banks: within half a width
/// of its points, and in each cell that its middle passes, however narrow it is.
void cut_course(Field<float>& elevation, const ChannelLine& line, std::size_t first, std::size_t last);

}  // namespace thalweg
