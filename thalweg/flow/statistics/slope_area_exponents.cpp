#include "thalweg/flow/statistics/families.hpp"

namespace thalweg {

void describe_slope_area(const Survey&, TerrainDescription&) {
}

}  // namespace thalweg
