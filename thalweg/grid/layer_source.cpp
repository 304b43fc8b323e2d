#include "thalweg/grid/layer_source.hpp"

#include <memory>

namespace thalweg {

LayerSource constant_source(float value) {
    return [value](const Grid& grid) { return Field<float>(grid, value); };
}

}  // namespace thalweg
