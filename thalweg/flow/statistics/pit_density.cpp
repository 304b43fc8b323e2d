#include "thalweg/flow/statistics/families.hpp"

namespace thalweg {

void describe_pits(const Survey&, Progress&, TerrainDescription&) {
}

}  // namespace thalweg
