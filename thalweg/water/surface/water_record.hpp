// Primitives as records, and records as primitives.
#pragma once

#include "thalweg/water/water_surface.hpp"

#include <span>

namespace thalweg {

/// `primitive` is in its kept form.
WaterRecord record_of(const WaterPrimitive& primitive, const WaterKindRow& row, const WaterSetting& setting);

WaterPrimitive primitive_of(const WaterRecord& record, std::span<const WaterKindRow> kinds,
                            const WaterSetting& setting);

}  // namespace thalweg
