#include "thalweg/water/surface/water_record.hpp"

#include "thalweg/water/primitives/half_float.hpp"

#include <cstddef>

namespace thalweg {
namespace {

std::uint16_t as_half_bits(double value) {
    return half_of(static_cast<float>(value));
}

double from_half_bits(std::uint16_t bits) {
    return float_of(bits);
}

}  // namespace

WaterRecord record_of(const WaterPrimitive& primitive, const WaterKindRow& row, const WaterSetting& setting) {
    return {.x = static_cast<float>(primitive.x - setting.origin.x),
            .y = static_cast<float>(primitive.y - setting.origin.y),
            .elevation = static_cast<float>(primitive.elevation),
            .radius = as_half_bits(primitive.radius),
            .slope = as_half_bits(primitive.slope),
            .amplitude = as_half_bits(primitive.amplitude),
            .velocity_x = as_half_bits(primitive.velocity_x),
            .velocity_y = as_half_bits(primitive.velocity_y),
            .wavelength = as_half_bits(primitive.wavelength),
            .fall = as_half_bits(primitive.fall),
            .foam = as_half_bits(primitive.foam),
            .special = row.special != nullptr ? as_half_bits(primitive.*row.special) : std::uint16_t{0},
            .kind_and_seed = static_cast<std::uint16_t>(static_cast<std::uint32_t>(primitive.kind) |
                                                        (static_cast<std::uint32_t>(primitive.seed) << 4))};
}

WaterPrimitive primitive_of(const WaterRecord& record, std::span<const WaterKindRow> kinds,
                            const WaterSetting& setting) {
    WaterPrimitive primitive{.kind = static_cast<WaterKind>(record.kind_and_seed & 0xfU),
                             .x = setting.origin.x + static_cast<double>(record.x),
                             .y = setting.origin.y + static_cast<double>(record.y),
                             .radius = from_half_bits(record.radius),
                             .elevation = record.elevation,
                             .slope = from_half_bits(record.slope),
                             .amplitude = from_half_bits(record.amplitude),
                             .velocity_x = from_half_bits(record.velocity_x),
                             .velocity_y = from_half_bits(record.velocity_y),
                             .wavelength = from_half_bits(record.wavelength),
                             .fall = from_half_bits(record.fall),
                             .foam = from_half_bits(record.foam),
                             .seed = record.kind_and_seed >> 4};
    const WaterKindRow& row = kinds[static_cast<std::size_t>(primitive.kind)];
    if (row.special != nullptr) primitive.*row.special = from_half_bits(record.special);
    return primitive;
}

}  // namespace thalweg
