// The parameters `layer`, `mode` and `variant` that sources of values share.
#pragma once

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/project/model/layer_inputs.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace thalweg {

template <class P>
void declare_layer(Declaration<P>& declaration) {
    declaration.text("layer", &P::layer,
                     {.label = "Layer",
                      .group = "Layer",
                      .unit = "",
                      .sentence = "Layer that takes the values; one that is absent counts as 0."});
}

template <class P>
void declare_mode(Declaration<P>& declaration) {
    declaration.choice("mode", &P::mode,
                       {{"add", LayerMode::Add, "Adds the values to the layer."},
                        {"set", LayerMode::Set, "Replaces the layer."},
                        {"multiply", LayerMode::Multiply, "Multiplies the layer by the values."},
                        {"minimum", LayerMode::Minimum, "Keeps the smaller one of layer and value."},
                        {"maximum", LayerMode::Maximum, "Keeps the larger one of layer and value."}},
                       {.label = "Mode",
                        .group = "Layer",
                        .unit = "",
                        .sentence = "How the values join those that the layer has already."});
}

template <class P>
void declare_variant(Declaration<P>& declaration) {
    declaration.integer("variant", &P::variant,
                        {.label = "Variant",
                         .group = "Form",
                         .unit = "1",
                         .sentence = "Other numbers draw another pattern from the same project seed.",
                         .minimum = 0.0,
                         .maximum = 1e9,
                         .usual = {0.0, 100.0}});
}

/// The project's seed for variant 0, an independent one for any other.
inline std::uint64_t variant_seed(std::uint64_t seed, int variant) {
    return variant == 0 ? seed : mix64(seed ^ mix64(static_cast<std::uint64_t>(variant)));
}

/// What a name stands for that is no layer.
inline const char* kind_in_words(const std::string& name) {
    switch (description_of(name).kind) {
        case DatasetKind::Vectors:
            return "lines and polygons";
        case DatasetKind::Analysis:
            return "an analysis";
        case DatasetKind::Mesh:
            return "meshes";
        case DatasetKind::Texture:
            return "a texture";
        case DatasetKind::Layer:
        case DatasetKind::Settings:
            break;
    }
    return "what stages say to each other";
}

/// Throws Error::input unless `layer` may name a layer of cells.
inline void check_layer_name(const std::string& layer) {
    if (!is_layer_name(layer))
        throw Error::input(
            fmt::format("layer = \"{}\" is not allowed: give letters, digits and _ only", layer));
    if (!names_cells(layer) || layer == "all")
        throw Error::input(fmt::format("layer = \"{}\" is not allowed: that stands for {}, give another name",
                                       layer, layer == "all" ? "all layers" : kind_in_words(layer)));
}

}  // namespace thalweg
