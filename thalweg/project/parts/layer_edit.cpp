#include "thalweg/project/parts/layer_edit.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {

StageUse layer_edit(const std::string& command, const ValueTable& values, const std::string& simulation,
                    const std::string& others, const std::vector<std::string>& layers) {
    const auto [found, parameters] = stage_edit(find_stage(command), values);
    const Stage& stage = *found;
    const std::string changed = primary_layer(stage, parameters.get());
    if (stage.grid_after || std::ranges::find(layers, changed) == layers.end()) {
        const std::string of_layer = stage.parameters->find("layer") == nullptr ? "" : " of " + changed;
        throw Error::input(fmt::format("{}{} is no edit of {}: give {}, or a stage that changes {}", command,
                                       of_layer, simulation, others, fmt::join(layers, ", ")));
    }
    if (stage.check) stage.check(parameters.get());
    return {&stage, stage.name, parameters, {}};
}

Field<float> edited_layer(const StageUse& use, Landscape landscape, const StageContext& context) {
    StageContext edited{landscape, context.base_directory, context.progress, {}, false, {}};
    use.stage->run(use.parameters.get(), edited);
    return landscape.layer(primary_layer(*use.stage, use.parameters.get()));
}

StageEdit stage_edit(const Stage& stage, const ValueTable& values) {
    const std::shared_ptr<void> parameters = stage.make_parameters();
    stage.parameters->assign(parameters.get(), values);
    return {&stage, parameters};
}

ValueTable values_of_settings(const Stage& stage, const std::vector<std::string>& settings) {
    ValueTable values;
    for (const std::string& text : settings) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos)
            throw Error::input(fmt::format("set = \"{}\" is not allowed: give parameter=value", text));
        const Parameter& parameter = stage.parameters->at(text.substr(0, equals));
        values.entries.emplace_back(parameter.name, parse_value(parameter, text.substr(equals + 1)));
    }
    return values;
}

}  // namespace thalweg
