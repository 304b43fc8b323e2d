// Outlines of lakes as polygons.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/fill_spill_merge.hpp"
#include "thalweg/grid/grid.hpp"

#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// The corners of a closed line in world coordinates, m, none of them twice, no three in a row on one line.
using Ring = std::vector<Position>;

/// Cells of a lake that hang together by their edges. Rings run counter-clockwise round them, clockwise round
/// their islands, and touch in single points at most.
struct LakePart {
    Ring shore;
    std::vector<Ring> islands;
};

/// A lake and where it lies. It has several parts where cells meet in corners alone, or where lakes count as
/// one that only meet at their sill.
struct LakeOutline {
    Lake lake;
    std::optional<Position> outlet;  // m, centre of its sill's cell
    std::vector<LakePart> parts;     // by their first cell, row by row
};

struct LakeOutlines {
    std::string crs;                 // of the grid
    std::vector<LakeOutline> lakes;  // by id
};

/// Follows the edges of each lake's cells, so that the polygons' area is that of the cells. O(cells), serial,
/// 5 bytes a cell; polls `progress`.
LakeOutlines outline(const Lakes& lakes, Progress& progress);

}  // namespace thalweg
