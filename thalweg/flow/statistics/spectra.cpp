#include "thalweg/flow/statistics/families.hpp"

namespace thalweg {

void describe_spectra(const Survey&, Progress&, TerrainDescription&) {
}

}  // namespace thalweg
