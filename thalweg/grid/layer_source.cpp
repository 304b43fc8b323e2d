#include "thalweg/grid/layer_source.hpp"

#include "thalweg/grid/resampling.hpp"

#include <memory>

namespace thalweg {

LayerSource constant_source(float value) {
    return [value](const Grid& grid, Progress&) { return Field<float>(grid, value); };
}

LayerSource field_source(Field<float> field) {
    const auto stored = std::make_shared<const Field<float>>(std::move(field));
    const auto evaluate = [stored](const Grid& grid, Progress& progress) {
        progress.poll();
        return resample(*stored, grid, Interpolation::Bilinear);
    };
    return {evaluate, true};
}

}  // namespace thalweg
