#include "thalweg/flow/statistics/families.hpp"

namespace thalweg {

void describe_junctions(const Survey&, const RiverNetwork&, TerrainDescription&) {
}

}  // namespace thalweg
