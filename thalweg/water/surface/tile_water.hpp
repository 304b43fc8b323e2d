// The water of one tile after the other.
#pragma once

#include "thalweg/water/surface/water_cells.hpp"
#include "thalweg/water/water_surface.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

/// Evaluates points of single cells at one time. For one thread.
class TileWater {
  public:
    TileWater(const WaterSurface& surface, double time);

    /// Goes to a tile; what was made ready of the one before is forgotten.
    void open(const WaterTile& tile);

    /// The cell of a coordinate [m] from the tile's corner.
    [[nodiscard]] std::int64_t cell_of(double offset) const {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(offset / cell_size_), 0, tile_->cells - 1);
    }

    /// Whether no primitive reaches into the cell.
    [[nodiscard]] bool is_dry(std::int64_t column, std::int64_t row) const;

    /// Forgets the points, and takes another [m from the tile's corner].
    void clear_points() {
        points_ = 0;
        x_.clear();
        y_.clear();
    }
    void add_point(double x, double y) {
        x_.push_back(static_cast<float>(x));
        y_.push_back(static_cast<float>(y));
        ++points_;
    }

    /// The water at the points, which lie in cell (column, row).
    void evaluate(std::int64_t column, std::int64_t row);

    struct Water {
        float elevation;  // m
        float velocity_x;
        float velocity_y;
        float foam;
    };
    [[nodiscard]] Water water(std::int64_t point) const {
        const auto i = static_cast<std::size_t>(point);
        const double elevation = static_cast<double>(tile_->datum) + static_cast<double>(elevation_[i]);
        return {static_cast<float>(elevation), velocity_x_[i], velocity_y_[i], foam_[i]};
    }

  private:
    [[nodiscard]] WaterPrimitive primitive(std::uint16_t number) const;
    static void evaluate_other(const void* context, std::uint16_t number, const float* x, const float* y,
                               int count, float* columns);

    const WaterSurface& surface_;
    double time_;
    const WaterTile* tile_ = nullptr;
    Position corner_;
    double cell_size_ = 1.0;
    std::vector<PreparedPrimitive> prepared_ = {};
    std::vector<std::uint8_t> is_prepared_ = {};
    std::int64_t points_ = 0;
    std::vector<float> x_ = {};
    std::vector<float> y_ = {};
    std::vector<float> elevation_ = {};
    std::vector<float> velocity_x_ = {};
    std::vector<float> velocity_y_ = {};
    std::vector<float> foam_ = {};
};

}  // namespace thalweg
