#include "thalweg/flow/statistics/families.hpp"

namespace thalweg {

void describe_valley_floors(const Survey&, TerrainDescription&) {
}

}  // namespace thalweg
