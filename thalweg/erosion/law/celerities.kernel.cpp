#include "thalweg/core/vector_power.hpp"
#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/law/celerity_rows.hpp"

namespace thalweg {

template <>
void celerities_in_lanes<kLanes>(const CelerityRow& row, std::int64_t count, float* celerity) {
    for (std::int64_t i = 0; i + kLanes <= count; i += kLanes) {
        const Floats k =
            row.erodibility != nullptr ? load(row.erodibility + i) : Floats{} + row.common_erodibility;
        const Floats least = row.erodibility != nullptr
                                 ? row.least_area_at_unit * exp2_of(row.least_exponent * log2_of(k))
                                 : Floats{} + row.common_least_area;
        const Floats area = load(row.area + i);
        const Floats logarithm = log2_of(choose(area > least, area, least));
        store(celerity + i, (k * exp2_of(row.area_exponent * logarithm) + row.debris_flows) +
                                row.creep * exp2_of(row.creep_exponent * logarithm));
    }
}

}  // namespace thalweg
