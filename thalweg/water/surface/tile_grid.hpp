// The water of a grid's points that lie in one tile.
#pragma once

#include "thalweg/water/surface/tile_water.hpp"
#include "thalweg/water/water_surface.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Evaluates the points of a grid tile by tile: primitive by primitive where many points lie in a cell, else
/// cell by cell. The bits are those of single points. For one thread.
class TileGrid {
  public:
    explicit TileGrid(TileWater& water) : water_(water) {}

    /// Points (x, y), m from the corner of the tile that is open: x rises, y falls. The water at column i of
    /// row j goes to place `first + j * stride + i` of `columns`, all of which are given; what lies in cells
    /// without primitives stays.
    void evaluate(std::span<const double> x, std::span<const double> y, std::int64_t first,
                  std::int64_t stride, const WaterColumns& columns);

  private:
    /// Columns or rows that lie in the same cell.
    struct Run {
        std::int64_t first;
        std::int64_t end;
        std::int64_t cell;
    };
    /// Points of the grid.
    struct Block {
        std::int64_t left;
        std::int64_t right;
        std::int64_t top;
        std::int64_t bottom;
    };

    [[nodiscard]] std::vector<Run> runs_of(std::span<const double> coordinates) const;
    bool list_primitives();
    void evaluate_cell(const Run& across, const Run& down);
    void evaluate_block(const Block& block);
    void go_on(const Block& block);
    void put(const Block& block);

    TileWater& water_;
    std::span<const double> x_;
    std::span<const double> y_;
    std::int64_t first_ = 0;
    std::int64_t stride_ = 0;
    WaterColumns columns_;
    std::vector<Run> across_ = {};
    std::vector<Run> down_ = {};
    std::vector<std::uint8_t> is_first_ = {};  // by primitive: added before any replacement
    std::vector<std::uint8_t> is_inner_ = {};  // and behind one
    std::vector<float> block_x_ = {};
    std::vector<float> block_y_ = {};
    SumColumns sums_;
    SumColumns cell_sums_;
    std::vector<float> cell_x_ = {};
    std::vector<float> cell_y_ = {};
};

}  // namespace thalweg
