// The water of one tile after the other.
#pragma once

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/water/surface/water_cells.hpp"
#include "thalweg/water/water_surface.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Columns of sums (water_cells.hpp).
struct SumColumns {
    /// Zeros, for so many points.
    void clear(std::size_t points) {
        for (std::vector<float>* const column : {&weight, &elevation, &velocity_x, &velocity_y, &foam})
            column->assign(points + kWidestVector, 0.0F);
    }
    [[nodiscard]] WaterSums sums() {
        return {weight.data(), elevation.data(), velocity_x.data(), velocity_y.data(), foam.data()};
    }

    std::vector<float> weight = {};
    std::vector<float> elevation = {};
    std::vector<float> velocity_x = {};
    std::vector<float> velocity_y = {};
    std::vector<float> foam = {};
};

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

    /// What is evaluated in cell (column, row); nothing where no primitive reaches into it.
    [[nodiscard]] std::span<const std::uint16_t> program(std::int64_t column, std::int64_t row) const;

    /// Makes the program's primitives ready, those of the tile by their numbers.
    void prepare(std::span<const std::uint16_t> program);
    [[nodiscard]] const std::vector<PreparedPrimitive>& primitives() const { return prepared_; }

    [[nodiscard]] OtherKinds others() const { return {evaluate_other, this}; }
    [[nodiscard]] CellBase base() const;
    [[nodiscard]] const WaterTile& tile() const { return *tile_; }
    [[nodiscard]] double tile_size() const { return surface_.buffers_.tile_size; }

    /// Forgets the points, and takes another [m from the tile's corner].
    void clear_points() {
        x_.clear();
        y_.clear();
    }
    void add_point(double x, double y) {
        x_.push_back(static_cast<float>(x));
        y_.push_back(static_cast<float>(y));
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
        return {elevation_of(sums_.elevation[i]), sums_.velocity_x[i], sums_.velocity_y[i], sums_.foam[i]};
    }

    /// m, of one above the tile's datum.
    [[nodiscard]] float elevation_of(float above) const {
        return static_cast<float>(static_cast<double>(tile_->datum) + static_cast<double>(above));
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
    std::vector<float> x_ = {};
    std::vector<float> y_ = {};
    SumColumns sums_;
};

}  // namespace thalweg
