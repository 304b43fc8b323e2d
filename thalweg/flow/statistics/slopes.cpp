#include "thalweg/flow/statistics/families.hpp"

namespace thalweg {

void describe_slopes(const Survey&, TerrainDescription&) {
}

}  // namespace thalweg
