// The blend-flow tree compiled: water at many places at once.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/water/blend_flow_tree.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace thalweg {

/// A primitive in 32 bytes; 16-bit numbers are IEEE 754 binary16, but for the last.
struct WaterRecord {
    float x = 0.0F;  // m, from the setting's origin
    float y = 0.0F;
    float elevation = 0.0F;           // m
    std::uint16_t radius = 0;         // m
    std::uint16_t slope = 0;          // 1
    std::uint16_t amplitude = 0;      // m
    std::uint16_t velocity_x = 0;     // m/s
    std::uint16_t velocity_y = 0;     // m/s
    std::uint16_t wavelength = 0;     // m
    std::uint16_t fall = 0;           // m
    std::uint16_t foam = 0;           // 1
    std::uint16_t special = 0;        // the number that WaterKindRow::special names
    std::uint16_t kind_and_seed = 0;  // kind in the lower 4 bits, seed in the upper 12
};
static_assert(sizeof(WaterRecord) == 32);

/// A square of the plane with cells in it: `cells` a side, row-major from the south-west.
struct WaterTile {
    std::int32_t column = 0;            // in tiles, to the east from the origin
    std::int32_t row = 0;               // to the north
    std::uint32_t first_primitive = 0;  // in WaterBuffers::tile_primitives
    std::uint32_t primitives = 0;
    std::uint32_t first_start = 0;  // in cell_starts: one for each cell, and one more
    std::uint32_t cells = 1;
    float datum = 0.0F;  // m: elevations are summed relative to it
};

/// The compiled tree as flat buffers, which a GPU can read as they are (docs/theory/water_surface.md).
struct WaterBuffers {
    double tile_size = 1.0;                           // m
    std::vector<WaterRecord> records = {};            // in Morton order of their centres
    std::vector<WaterTile> tiles = {};                // that something covers, by row, then column
    std::vector<std::uint32_t> tile_primitives = {};  // of each tile, indices of records
    std::vector<std::uint32_t> cell_starts = {};      // where a cell's program begins in `programs`
    /// Programs of cells: below 0x8000 the number of a primitive among the tile's, which is added to the
    /// sums; 0x8000 begins new sums above those so far; 0x8001 replaces the sums below by those on top;
    /// 0x8002 adds these to them.
    std::vector<std::uint16_t> programs = {};

    [[nodiscard]] std::int64_t bytes() const;
};

/// Where water is wanted: columns of as many entries as there are points; those that are empty are left out.
struct WaterColumns {
    std::span<float> elevation = {};   // m, NaN where nothing covers and there is no base level
    std::span<float> velocity_x = {};  // m/s
    std::span<float> velocity_y = {};
    std::span<float> foam = {};  // 0 to 1
};

/// The water of a grid's cell centres.
struct WaterLayers {
    Field<float> elevation;   // m, no data as in WaterColumns
    Field<float> velocity_x;  // m/s
    Field<float> velocity_y;
    Field<float> foam;  // 0 to 1
};

/// A tree compiled for evaluation at many points: the same as BlendFlowTree::at within 1e-4 m, at millions a
/// second. Depth is elevation less that of the bed, which it does not know.
///
/// Leaves become records of 32 bytes in Morton order; the tree becomes a short program for each cell of a
/// sparse grid, of the primitives alone that reach into the cell, merges first and replacements in their
/// order. Tiles are about six radii wide, cells half a radius by each tile's own. Elevations are summed in
/// float32 above a datum of the tile. O(primitives log primitives) time; in memory 32 bytes and about 50 of
/// programs a primitive. Points and cells are evaluated in vectors of 16, 8 or 4, tiles in parallel: the same
/// bits for any number of lanes and threads, and whether a place is asked for as a point or in a grid.
///
/// Throws Error::input where a tile would hold more than 32768 primitives, or by check_water_time. Polls
/// `progress` once a tile at least. Later changes of the tree do not reach the surface.
///
/// Source: Peytavie et al. 2019, section 7.1 (a regular grid with one primitive a cell); differs in: lists of
/// any length, so that primitives may lie anywhere, and programs for any tree.
///
/// Example:
///     BlendFlowTree river;
///     river.insert({.radius = 40.0, .elevation = 12.0, .velocity_x = 0.8});
///     const WaterSurface surface(river, progress);
///     const WaterLayers at_5_s = surface.on_grid(make_grid(20.0, 10.0, 200), 5.0, progress);
///     const float middle = at_5_s.elevation(100, 50);  // m
class WaterSurface {
  public:
    WaterSurface(const BlendFlowTree& tree, Progress& progress);

    /// The water at points [m] and a time [s]. O(points).
    void evaluate(std::span<const Position> points, double time, const WaterColumns& columns) const;

    /// The water at one point; weights are not kept: `weight` is 1 where there is any, else 0.
    [[nodiscard]] WaterSample water_at(Position point, double time) const;

    /// The water of a grid, or of a window of a larger one (part_of in grid/cell_range.hpp).
    [[nodiscard]] WaterLayers on_grid(const Grid& grid, double time, Progress& progress) const;

    [[nodiscard]] const WaterBuffers& buffers() const { return buffers_; }
    [[nodiscard]] const WaterSetting& setting() const { return setting_; }

  private:
    friend class TileWater;

    WaterSetting setting_;
    std::vector<WaterKindRow> kinds_;
    double base_level_;  // m, NaN: none
    WaterBuffers buffers_;
};

}  // namespace thalweg
