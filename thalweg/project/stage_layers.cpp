#include "thalweg/project/stage_layers.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/layer_inputs.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
std::vector<std::string> stages_that_write(const std::string& layer) {
    std::vector<std::string> names;
    for (const Stage& stage : stage_registry())
        if (std::ranges::find(stage.writes, layer) != stage.writes.end()) names.push_back(stage.name);
    return names;
}

std::string primary_layer(const Stage& stage, const void* parameters) {
    const Parameter* layer = stage.parameters->find("layer");
    return layer == nullptr ? stage.primary : std::get<std::string>(layer->get(parameters));
}

std::vector<std::string> layers_written(const Stage& stage, const void* parameters) {
    if (stage.parameters->find("layer") != nullptr) return {primary_layer(stage, parameters)};
    return stage.writes;
}

void LayerCheck::need(const std::string& layer, const std::string& purpose) const {
    if (present_.contains(layer)) return;
    const std::vector<std::string> names(present_.begin(), present_.end());
    const std::vector<std::string> makers = stages_that_write(layer);
    const std::string near = nearest_name(layer, names);
    std::string hint;
    if (!near.empty())
        hint = fmt::format("; did you mean \"{}\"?", near);
    else if (!makers.empty())
        hint = fmt::format("; stage {} makes it", fmt::join(makers, ", "));
    throw Error::input(fmt::format("{} \"{}\", which is not there by then{}", purpose, layer, hint));
}

void LayerCheck::pass(const Stage& stage, const void* parameters) {
    for (const std::string& layer : stage.reads) need(layer, fmt::format("stage {} reads layer", stage.name));
    for (const Parameter& parameter : stage.parameters->parameters()) {
        if (parameter.type != ParameterType::NumberOrLayer) continue;
        const Value value = parameter.get(parameters);
        const auto* text = std::get_if<std::string>(&value);
        if (text != nullptr && !names_a_file(*text)) need(*text, parameter.name + " names layer");
    }
    for (std::string& layer : layers_written(stage, parameters)) present_.insert(std::move(layer));
}

void LayerCheck::check_output(const std::vector<std::string>& layers) const {
    for (const std::string& layer : layers)
        if (layer != "all") need(layer, "layers names");
}

}  // namespace thalweg
