// A smooth surface through the banks of channels.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/meander/ground/bed_lines.hpp"

#include <span>

namespace thalweg {

/// Heights of banks and depths of channels, m, on all cells.
struct BankSurface {
    Field<float> bank;
    Field<float> depth;
};

/// Those of `lines` in the cells that they pass; of `older` ones in cells where no channel has been since, by
/// `channel_age`; between them what coarser and coarser cells have (pull-push interpolation, Gortler et al.
/// 1996, section 3.2.5): smooth, and near a line that of the line. No data everywhere without lines. O(cells
/// + points), 32 bytes a cell; the same bits on any number of threads.
BankSurface bank_surface(std::span<const BedLine> lines, std::span<const BedLine> older,
                         const Field<float>& channel_age);

}  // namespace thalweg
