#include "thalweg/flow/statistics/families.hpp"

namespace thalweg {

void describe_curvature(const Survey&, TerrainDescription&) {
}

}  // namespace thalweg
