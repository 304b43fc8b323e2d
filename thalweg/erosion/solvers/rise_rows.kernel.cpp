#include "thalweg/erosion/solvers/rise_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/law/vector_thermal.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {

template <>
std::int64_t rises_in_lanes<kLanes>(const RiseRow& row, std::int64_t count, float* rise) {
    const Floats zero{};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        Floats slope = steady_slope_of(load(row.uplift + i), load(row.celerity + i), row.thermal_rate,
                                       row.critical_slope);
        slope = choose(slope > row.least_slope, slope, zero + row.least_slope);
        const Ints drains = load_bytes(row.direction + i) < static_cast<std::int32_t>(kRoot);
        store(rise + i, choose(drains, slope * load(row.length + i), load(rise + i)));
    }
    return i;
}

}  // namespace thalweg
