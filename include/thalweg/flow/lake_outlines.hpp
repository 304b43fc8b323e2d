// Outlines of lakes as polygons.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/cell_outlines.hpp"
#include "thalweg/flow/fill_spill_merge.hpp"
#include "thalweg/grid/grid.hpp"

#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// A lake and where it lies. It has several parts where cells meet in corners alone, or where lakes count as
/// one that only meet at their sill.
struct LakeOutline {
    Lake lake;
    std::optional<Position> outlet;  // m, centre of its sill's cell
    std::vector<OutlinePart> parts;  // by their first cell, row by row
};

/// All lakes of one terrain.
struct LakeOutlines {
    std::string crs;                 // of the grid
    std::vector<LakeOutline> lakes;  // by id
};

/// The outlines of all lakes (cell_outlines.hpp). O(cells), serial, 5 bytes a cell; polls `progress`.
///
/// Example:
///     const FlowParameters lakes = {.conditioning = {.depressions = Depressions::Lakes}};
///     const FlowResult filled = route(elevation, lakes, progress);
///     const LakeOutlines outlines = outline(*filled.lakes, progress);
LakeOutlines outline(const Lakes& lakes, Progress& progress);

}  // namespace thalweg
