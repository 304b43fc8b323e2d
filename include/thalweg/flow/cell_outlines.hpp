// Outlines of cells of equal labels, as polygons.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// The corners of a closed line in world coordinates, m, none of them twice, no three in a row on one line.
using Neighbourhood = std::vector<Position>;

/// Cells that hang together by their edges. Rings run counter-clockwise round them, clockwise round what they
/// enclose, and touch in single points at most.
struct OutlinePart {
    Neighbourhood outer;
    std::vector<Neighbourhood> holes;
};

/// Follows the edges of the cells of each label, so that the polygons' area is that of the cells. Labels of
/// `label` other than 0 must be in `labels`, which ascend. Per label, the parts that hang together by edges,
/// by their first cell, row by row; labels without cells have none. O(cells), serial, 5 bytes a cell; polls
/// `progress`.
///
/// Example:
///     #include <numeric>
///     const Field<std::int32_t> basin = basin_labels(flow.tree);
///     std::vector<std::int32_t> labels(at(*std::max_element(basin.begin(), basin.end())));
///     std::iota(labels.begin(), labels.end(), 1);
///     const std::vector<std::vector<OutlinePart>> outlines = outline_cells(basin, labels, progress);
std::vector<std::vector<OutlinePart>> outline_cells(const Field<std::int32_t>& label,
                                                    std::span<const std::int32_t> labels,
                                                    const Progress& progress);

}  // namespace thalweg
