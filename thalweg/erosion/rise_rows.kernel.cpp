#include "thalweg/erosion/rise_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {

template <>
std::int64_t rises_in_lanes<kLanes>(const RiseRow& row, std::int64_t count, float* rise) {
    const float sliding_uplift = row.thermal_rate * row.critical_slope;
    const Floats zero{};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        Floats uplift = load(row.uplift + i), celerity = load(row.celerity + i);
        Floats slope = uplift / celerity;
        const Ints slides = (slope > row.critical_slope) & ((zero + row.thermal_rate) > 0.0F);
        slope = choose(slides, (uplift + sliding_uplift) / (celerity + row.thermal_rate), slope);
        slope = choose(slope > row.least_slope, slope, zero + row.least_slope);
        const Ints drains = load_bytes(row.direction + i) < static_cast<std::int32_t>(kRoot);
        store(rise + i, choose(drains, slope * load(row.length + i), load(rise + i)));
    }
    return i;
}

}  // namespace thalweg
