#include "thalweg/water/surface/tile_water.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/water/surface/prepare_primitive.hpp"
#include "thalweg/water/surface/water_record.hpp"

#include <cmath>
#include <cstddef>

namespace thalweg {

TileWater::TileWater(const WaterSurface& surface, double time) : surface_(surface), time_(time) {
}

void TileWater::open(const WaterTile& tile) {
    const double size = surface_.buffers_.tile_size;
    tile_ = &tile;
    corner_ = {surface_.setting_.origin.x + tile.column * size, surface_.setting_.origin.y + tile.row * size};
    cell_size_ = size / tile.cells;
    if (prepared_.size() < tile.primitives) prepared_.resize(tile.primitives);
    is_prepared_.assign(tile.primitives, 0);
}

WaterPrimitive TileWater::primitive(std::uint16_t number) const {
    const WaterBuffers& buffers = surface_.buffers_;
    const std::uint32_t record = buffers.tile_primitives[tile_->first_primitive + number];
    return primitive_of(buffers.records[record], surface_.kinds_, surface_.setting_);
}

void TileWater::evaluate_other(const void* context, std::uint16_t number, const float* x, const float* y,
                               int count, float* columns) {
    const auto& self = *static_cast<const TileWater*>(context);
    const WaterPrimitive primitive = self.primitive(number);
    const WaterKindRow& row = self.surface_.kinds_[static_cast<std::size_t>(primitive.kind)];
    for (int i = 0; i < count; ++i) {
        const Position point{self.corner_.x + static_cast<double>(x[i]),
                             self.corner_.y + static_cast<double>(y[i])};
        const WaterSample sample = row.evaluate(primitive, point, self.surface_.setting_, self.time_);
        columns[i] = static_cast<float>(sample.elevation - static_cast<double>(self.tile_->datum));
        columns[i + kWidestVector] = static_cast<float>(sample.velocity_x);
        columns[i + 2 * kWidestVector] = static_cast<float>(sample.velocity_y);
        columns[i + 3 * kWidestVector] = static_cast<float>(sample.foam);
    }
}

std::span<const std::uint16_t> TileWater::program(std::int64_t column, std::int64_t row) const {
    const WaterBuffers& buffers = surface_.buffers_;
    const std::size_t start = tile_->first_start + at(row * tile_->cells + column);
    return {buffers.programs.data() + buffers.cell_starts[start],
            buffers.programs.data() + buffers.cell_starts[start + 1]};
}

void TileWater::prepare(std::span<const std::uint16_t> program) {
    for (const std::uint16_t code : program) {
        if (code >= kPushSums || is_prepared_[code] != 0) continue;
        prepared_[code] =
            prepared(primitive(code), surface_.setting_, time_, corner_, static_cast<double>(tile_->datum));
        is_prepared_[code] = 1;
    }
}

CellBase TileWater::base() const {
    const double level = surface_.base_level_;
    return {.level = static_cast<float>(level - static_cast<double>(tile_->datum)),
            .is_given = !std::isnan(level),
            .thin = static_cast<float>(kThinWaterWeight),
            .per_thin = static_cast<float>(1.0 / kThinWaterWeight)};
}

void TileWater::evaluate(std::int64_t column, std::int64_t row) {
    const std::span<const std::uint16_t> codes = program(column, row);
    prepare(codes);
    // Fill the last vector with points of the same place.
    const std::size_t padded = (x_.size() + kWidestVector - 1) / kWidestVector * kWidestVector;
    x_.resize(padded, x_.back());
    y_.resize(padded, y_.back());
    sums_.clear(padded);
    const auto count = static_cast<std::int64_t>(padded);
    in_lanes([&](auto lanes) {
        run_in_lanes<lanes()>({prepared_.data(), codes.data(), std::ssize(codes)}, others(),
                              {x_.data(), y_.data(), count}, sums_.sums());
        finish_in_lanes<lanes()>(base(), count, sums_.sums());
    });
}

}  // namespace thalweg
