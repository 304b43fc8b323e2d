// The parameters `layer` and `mode` that sources of values share.
#pragma once

#include "thalweg/core/error.hpp"
#include "thalweg/project/layer_inputs.hpp"

#include <string>

#include <fmt/format.h>

namespace thalweg {

template <class P>
void declare_layer(Declaration<P>& declaration) {
    declaration.text(
        "layer", &P::layer,
        {.unit = "", .sentence = "Layer that takes the values; one that is absent counts as 0."});
}

template <class P>
void declare_mode(Declaration<P>& declaration) {
    declaration.choice("mode", &P::mode,
                       {{"add", LayerMode::Add},
                        {"set", LayerMode::Set},
                        {"multiply", LayerMode::Multiply},
                        {"minimum", LayerMode::Minimum},
                        {"maximum", LayerMode::Maximum}},
                       {.unit = "", .sentence = "How the values join those that the layer has already."});
}

/// Throws Error::input unless `layer` may name a layer.
inline void check_layer_name(const std::string& layer) {
    if (!is_layer_name(layer))
        throw Error::input(
            fmt::format("layer = \"{}\" is not allowed: give letters, digits and _ only", layer));
}

}  // namespace thalweg
