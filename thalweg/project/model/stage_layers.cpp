#include "thalweg/project/stage_layers.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/model/layer_inputs.hpp"
#include "thalweg/project/model/layer_names.hpp"

#include <algorithm>
#include <iterator>

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
    if (!stage.edits) return named;
    for (const StageEdit& edit : stage.edits(parameters))
        std::ranges::copy(layers_named(*edit.stage, edit.parameters.get()), std::back_inserter(named));
    return named;
}

/// Names the nearest layer where no stage knows that of the file.
[[noreturn]] void refuse_layer(const NamedFile& file, const Stage& stage,
                               const std::set<std::string>& present) {
    std::vector<std::string> known;
    for (const DatasetKind kind : {DatasetKind::Vectors, DatasetKind::Analysis, DatasetKind::Mesh,
                                   DatasetKind::Texture, DatasetKind::Layer})
        std::ranges::copy(datasets_of(kind), std::back_inserter(known));
    known.insert(known.end(), present.begin(), present.end());
    const bool is_known = std::ranges::find(known, file.dataset) != known.end();
    const std::string near = is_known ? "" : nearest_name(file.dataset, known);
    const std::string hint = near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
    throw Error::input(fmt::format("--also {}={}: {} \"{}\"{}; {} leaves {}", file.dataset,
                                   file.path.string(),
                                   is_known ? stage.name + " leaves no" : "there is no layer", file.dataset,
                                   hint, stage.name, fmt::join(present, ", ")));
}

/// Whether the user says which layer the stage writes.
bool has_layer_parameter(const Stage& stage) {
    return stage.parameters->find("layer") != nullptr;
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
    if (has_layer_parameter(stage)) return {primary_layer(stage, parameters)};
    std::vector<std::string> layers = stage.writes;
    std::erase_if(layers,
                  [&](const std::string& layer) { return !why_left_out(stage, parameters, layer).empty(); });
    return layers;
}

std::string why_left_out(const Stage& stage, const void* parameters, const std::string& layer) {
    return stage.why_left_out ? stage.why_left_out(parameters, layer) : "";
}

bool is_made_unasked(const StageUse& use, const std::string& layer) {
    const std::vector<std::string> made = layers_written(*use.stage, use.parameters.get());
    return std::ranges::find(made, layer) != made.end() &&
           std::ranges::find(use.stage->on_request, layer) == use.stage->on_request.end();
}

std::set<std::string> inputs_of(const StageUse& use) {
    const Stage& stage = *use.stage;
    std::set<std::string> inputs(stage.reads.begin(), stage.reads.end());
    inputs.insert(stage.reads_if_present.begin(), stage.reads_if_present.end());
    for (NamedLayer& named : layers_named(stage, use.parameters.get())) inputs.insert(std::move(named.layer));
    // Its values may join those that are there.
    if (has_layer_parameter(stage)) inputs.insert(primary_layer(stage, use.parameters.get()));
    if (!stage.edits) return inputs;
    for (const StageEdit& edit : stage.edits(use.parameters.get()))
        inputs.merge(inputs_of({edit.stage, edit.stage->name, edit.parameters, {}}));
    return inputs;
}

std::set<std::string> inputs_of(const StageUse& use, const std::set<std::string>& present) {
    if (use.stage->grid_after) return present;
    std::set<std::string> inputs = inputs_of(use);
    std::erase_if(inputs, [&](const std::string& name) { return !present.contains(name); });
    return inputs;
}

std::set<std::string> outputs_of(const StageUse& use) {
    const std::vector<std::string> written = layers_written(*use.stage, use.parameters.get());
    std::set<std::string> outputs(written.begin(), written.end());
    if (!use.stage->gives_settings || use.stage->gives_settings(use.parameters.get()))
        outputs.insert(use.stage->settings.begin(), use.stage->settings.end());
    return outputs;
}

std::set<std::string> all_outputs_of(const StageUse& use) {
    std::set<std::string> outputs = outputs_of(use);
    outputs.insert(use.stage->intermediates.begin(), use.stage->intermediates.end());
    return outputs;
}

std::set<std::string> outputs_of(const StageUse& use, const std::set<std::string>& present) {
    std::set<std::string> outputs = outputs_of(use);
    if (use.stage->grid_after) outputs.insert(present.begin(), present.end());
    return outputs;
}

std::set<std::string> all_outputs_of(const StageUse& use, const std::set<std::string>& present) {
    std::set<std::string> outputs = outputs_of(use, present);
    outputs.insert(use.stage->intermediates.begin(), use.stage->intermediates.end());
    return outputs;
}

WantedLayers wanted_layers(const Project& project, std::size_t stage) {
    std::set<std::string> wanted;
    std::set<std::string> replaced;  // by later stages, so that this one's is of no use any more
    const auto use = [&](const std::string& layer) {
        if (!replaced.contains(layer)) wanted.insert(layer);
    };
    for (std::size_t later = stage + 1; later < project.stages.size(); ++later) {
        const StageUse& reader = project.stages[later];
        std::ranges::for_each(inputs_of(reader), use);
        for (const std::string& layer : layers_written(*reader.stage, reader.parameters.get()))
            if (is_made_unasked(reader, layer)) replaced.insert(layer);
        replaced.insert(reader.stage->drops.begin(), reader.stage->drops.end());
        // Whether a reader takes it is known on the terrain alone (is_of): one with other parameters lets it
        // be kept, 22 bytes a cell, until it has run.
        if (replaced.contains("elevation")) replaced.insert(kDrainage);  // which is of another terrain then
    }
    std::ranges::for_each(project.output.layers, use);
    for (const NamedFile& file : project.named_files) use(file.dataset);
    if (!project.animated_layer.empty()) use(project.animated_layer);
    if (!project.output.networks.empty()) use(kLakes);
    if (!project.output.pictures.empty() && project.output.natural_colours)
        for (const char* const layer : {kFormation, kGroundRed, kGroundGreen, kGroundBlue}) use(layer);
    if (!project.output.analyses.empty()) std::ranges::for_each(datasets_of(DatasetKind::Analysis), use);
    if (wanted.contains("all"))
        for (const std::string& layer : project.stages[stage].stage->writes)
            if (is_made_unasked(project.stages[stage], layer)) use(layer);
    return WantedLayers(std::move(wanted));
}

void drop_unused_stages(Project& project) {
    for (std::size_t i = project.stages.size(); i-- > 0;) {
        const WantedLayers wanted = wanted_layers(project, i);
        const auto is_wanted = [&](const std::string& name) { return wanted.has(name); };
        if (!project.stages[i].stage->grid_after &&
            std::ranges::none_of(outputs_of(project.stages[i]), is_wanted))
            project.stages.erase(project.stages.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void LayerCheck::need(const std::string& layer, const std::string& purpose) const {
    if (present_.contains(layer)) return;
    const std::vector<std::string> names(present_.begin(), present_.end());
    const std::vector<std::string> makers = stages_that_write(layer);
    const std::string near = nearest_name(layer, names);
    std::string hint;
    if (const auto left_out = left_out_.find(layer); left_out != left_out_.end())
        hint = "; " + left_out->second;
    else if (!near.empty())
        hint = fmt::format("; did you mean \"{}\"?", near);
    else if (!makers.empty())
        hint = fmt::format("; stage {} makes it", fmt::join(makers, ", "));
    throw Error::input(fmt::format("{} \"{}\", which is not there by then{}", purpose, layer, hint));
}

void LayerCheck::need_settings(const std::string& name, const Stage& stage) const {
    if (settings_.contains(name)) return;
    const auto leaves_them = [&](const Stage& other) { return std::ranges::count(other.settings, name) > 0; };
    const std::string& maker = std::ranges::find_if(stage_registry(), leaves_them)->name;
    const auto left_out = left_out_.find(name);
    throw Error::input(
        fmt::format("stage {0} goes on with what stage {1} leaves: {2}", stage.name, maker,
                    left_out == left_out_.end() ? fmt::format("put {} before it", maker) : left_out->second));
}

void LayerCheck::pass(const Stage& stage, const void* parameters) {
    for (const std::string& name : stage.reads) {
        if (description_of(name).kind == DatasetKind::Settings)
            need_settings(name, stage);
        else
            need(name, fmt::format("stage {} reads layer", stage.name));
    }
    for (const NamedLayer& named : layers_named(stage, parameters))
        need(named.layer, named.parameter + " names layer");
    for (const std::string& layer : stage.writes)
        if (const std::string why = why_left_out(stage, parameters, layer); !why.empty())
            left_out_[layer] = fmt::format("stage {} leaves it out: {}", stage.name, why);
    for (std::string& layer : layers_written(stage, parameters)) present_.insert(std::move(layer));
    settings_.insert(stage.settings.begin(), stage.settings.end());
    for (const std::string& name : stage.drops)
        if (present_.erase(name) > 0)
            left_out_[name] = fmt::format("stage {} leaves it out: it lies on other cells", stage.name);
}

void LayerCheck::pass_by(const StageUse& use) {
    for (const std::string& layer : layers_written(*use.stage, use.parameters.get()))
        left_out_[layer] = fmt::format("stage {} makes it, and has enabled = false", use.label);
    for (const std::string& name : use.stage->settings)
        left_out_[name] = fmt::format("{} has enabled = false", use.label);
}

void LayerCheck::check_output(const std::vector<std::string>& layers) const {
    for (const std::string& layer : layers) {
        if (description_of(layer).kind == DatasetKind::Analysis)
            throw Error::input(fmt::format(
                "layers names \"{}\", which is an analysis: give its formats in analyses", layer));
        if (layer != "all") need(layer, "layers names");
    }
}

void LayerCheck::check_animated(const std::string& layer) const {
    need(layer, "--animation-layer names");
    if (description_of(layer).kind != DatasetKind::Layer)
        throw Error::input(fmt::format("--animation-layer {} is not allowed: give a layer", layer));
}

void LayerCheck::check_named(const NamedFile& file, const StageUse& last) const {
    const Stage& stage = *last.stage;
    if (const std::string why = why_left_out(stage, last.parameters.get(), file.dataset); !why.empty())
        throw Error::input(fmt::format("--also {}={}: {} leaves no \"{}\" so: {}", file.dataset,
                                       file.path.string(), stage.name, file.dataset, why));
    if (!present_.contains(file.dataset)) refuse_layer(file, stage, present_);
    if (names_cells(file.dataset))
        raster_format_of(file.path);
    else
        description_of(file.dataset).check_file(file.path);
}

LayerCheck layers_before(const Project& project, std::size_t end) {
    LayerCheck layers(project.start ? std::set<std::string>{"elevation"} : std::set<std::string>{});
    for (std::size_t i = 0; i < end; ++i)
        layers.pass(*project.stages[i].stage, project.stages[i].parameters.get());
    return layers;
}

}  // namespace thalweg
