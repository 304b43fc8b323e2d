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
    const Stage& stage = find_stage(command);
    const std::shared_ptr<void> parameters = stage.make_parameters();
    stage.parameters->assign(parameters.get(), values);
    const std::string changed = primary_layer(stage, parameters.get());
    if (std::ranges::find(layers, changed) == layers.end())
        throw Error::input(fmt::format("{} is no edit of {}: give {}, or a stage that changes {}", command,
                                       simulation, others, fmt::join(layers, ", ")));
    if (stage.check) stage.check(parameters.get());
    return {&stage, stage.name, parameters, {}};
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
