// The beds of channels in cells.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/meander/ground/bed_lines.hpp"
#include "thalweg/meander/meander_ground.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// All cells through which a line passes, one after another: neighbours of four, but where it leaves the
/// grid.
struct CellPath {
    std::vector<std::int64_t> cells = {};
    std::vector<float> beds = {};    // m, of the line in the middle of what it passes of the cell
    std::vector<float> depths = {};  // m, from the bank
    bool is_outlet = false;
};

CellPath cell_path(const Grid& grid, const BedLine& line);

/// Beds in the cells of channels, no data elsewhere.
struct ChannelBeds {
    Field<float> bed;             // m
    Field<float> lip;             // m, at which ground beside it has to stand; no data at outlets
    Field<float> fall;            // m/m, to the steepest lower neighbour in a channel, 0 where none is lower
    Field<std::uint8_t> is_path;  // whether the middle of a channel passes
};

/// From a cell to a neighbour that lies so many columns and rows away, m.
float distance_between(const Grid& grid, int columns, int rows);

/// The cross-sections of lines (meander_ground.hpp) at the centres of cells, the lowest where several lie
/// there, and the paths of their middles, which never rise downstream. `lines` come each after those above
/// it. O(cells + points + cells within channels); the same bits on any number of threads.
ChannelBeds channel_beds(const Grid& grid, std::span<const BedLine> lines,
                         const MeanderGroundParameters& parameters, Progress& progress);

}  // namespace thalweg
