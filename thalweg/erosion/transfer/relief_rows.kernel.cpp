#include "thalweg/erosion/transfer/relief_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/law/vector_thermal.hpp"

namespace thalweg {
namespace {

[[gnu::always_inline]] inline Floats smaller(Floats a, Floats b) {
    return choose(b < a, b, a);
}

}  // namespace

template <>
std::int64_t add_relief_in_lanes<kLanes>(const ReliefRow& row, std::int64_t count, float* elevation) {
    const Floats zero{};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const Floats given = load(row.uplift + i);
        const Floats uplift = choose(given < 0.0F, zero, given);
        const Floats celerity = row.celerity != nullptr ? load(row.celerity + i) : zero + row.common_celerity;
        const SteadyLaw law = steady_law_of(uplift, celerity, row.thermal_rate, row.critical_slope);
        const Floats hillslope = row.height * law.uplift / law.celerity;
        const Floats relief = hillslope * smaller(zero + 1.0F, row.river_area / load(row.area + i));
        const Ints stays = load_bytes(row.roots + i) != 0;
        store(elevation + i, load(elevation + i) + choose(stays, zero, relief));
    }
    return i;
}

}  // namespace thalweg
