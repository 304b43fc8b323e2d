#include "thalweg/flow/statistics/families.hpp"

namespace thalweg {

void describe_planform(const Survey&, const RiverNetwork&, TerrainDescription&) {
}

}  // namespace thalweg
