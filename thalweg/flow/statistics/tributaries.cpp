#include "thalweg/flow/statistics/families.hpp"

namespace thalweg {

void describe_tributaries(const Survey&, const RiverNetwork&, TerrainDescription&) {
}

}  // namespace thalweg
