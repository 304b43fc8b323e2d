#include "thalweg/project/stage_layers.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/layer_inputs.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

/// A parameter that names a layer.
struct NamedLayer {
    std::string parameter;
    std::string layer;
};

std::vector<NamedLayer> layers_named(const Stage& stage, const void* parameters) {
    std::vector<NamedLayer> named;
    for (const Parameter& parameter : stage.parameters->parameters()) {
        if (parameter.type != ParameterType::NumberOrLayer) continue;
        const Value value = parameter.get(parameters);
        const auto* text = std::get_if<std::string>(&value);
        if (text != nullptr && !names_a_file(*text)) named.push_back({parameter.name, *text});
    }
    return named;
}

}  // namespace

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
    std::vector<std::string> layers = stage.writes;
    if (stage.lacks_for)
        std::erase_if(layers,
                      [&](const std::string& layer) { return !stage.lacks_for(parameters, layer).empty(); });
    return layers;
}

bool is_on_request(const std::string& layer) {
    static const std::set<std::string> layers = {"chi",
                                                 "discharge",
                                                 "distance_to_outlet",
                                                 "flow_length",
                                                 "specific_area",
                                                 "flow_direction",
                                                 "ksn",
                                                 "height_above_drainage",
                                                 "wetness_index",
                                                 "curvature",
                                                 "profile_curvature",
                                                 "tangential_curvature",
                                                 kProfiles,
                                                 kKnickpoints,
                                                 kBasins,
                                                 kCatchments};
    return layers.contains(layer) || names_analysis(layer);
}

WantedLayers wanted_layers(const Project& project, std::size_t stage) {
    const std::vector<std::string>& written = project.output.layers;
    std::set<std::string> wanted(written.begin(), written.end());
    if (!project.output.networks.empty()) wanted.insert(kLakes);
    if (!project.output.analyses.empty()) wanted.insert(kAnalyses.begin(), kAnalyses.end());
    if (wanted.contains("all"))
        for (const std::string& layer : project.stages[stage].stage->writes)
            if (!is_on_request(layer)) wanted.insert(layer);
    for (std::size_t later = stage + 1; later < project.stages.size(); ++later) {
        const StageUse& use = project.stages[later];
        wanted.insert(use.stage->reads.begin(), use.stage->reads.end());
        for (const NamedLayer& named : layers_named(*use.stage, use.parameters.get()))
            wanted.insert(named.layer);
        // Its values may join those that are there.
        wanted.insert(primary_layer(*use.stage, use.parameters.get()));
    }
    return WantedLayers(std::move(wanted));
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
    for (const NamedLayer& named : layers_named(stage, parameters))
        need(named.layer, named.parameter + " names layer");
    for (std::string& layer : layers_written(stage, parameters)) present_.insert(std::move(layer));
}

void LayerCheck::check_output(const std::vector<std::string>& layers) const {
    for (const std::string& layer : layers) {
        if (names_analysis(layer))
            throw Error::input(fmt::format(
                "layers names \"{}\", which is an analysis: give its formats in analyses", layer));
        if (layer != "all") need(layer, "layers names");
    }
}

}  // namespace thalweg
